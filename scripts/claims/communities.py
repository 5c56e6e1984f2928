"""The claims about species of real communities."""

from claims.registry import claim


@claim(
    "Of every real species scored, pooled leave-one-out is below leave-pair-out.",
    "species of which it is not (0)",
    study="communities",
)
def every_real_species_reads_lower(tables):
    total = tables.communities["by_smaller_class"].set_index("group").loc["all"]
    others = total["equal"] + total["above"]
    return others == 0, others


@claim(
    "Of real species the mean distance between the two shrinks from each group by smaller class to the next.",
    "least step towards zero (above 0)",
    study="communities",
)
def real_gaps_close_with_presences(tables):
    groups = tables.communities["by_smaller_class"].set_index("group").drop(index="all")
    least = groups["mean_difference"].diff().min()
    return least > 0, least


@claim(
    "More than a tenth of the real species read below one half by pooled leave-one-out and above by leave-pair-out.",
    "their share (above 0.1)",
    study="communities",
)
def many_real_species_are_turned(tables):
    total = tables.communities["by_smaller_class"].set_index("group").loc["all"]
    share = total["turned"] / total["scored"]
    return share > 0.1, share
