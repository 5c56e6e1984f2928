"""The claims about the large study."""

from claims.registry import claim


@claim(
    "Every bias of the article is within two standard errors of that of the large study.",
    "largest difference in standard errors (at most 2)",
    study="large",
)
def no_published_bias_is_off(tables):
    z = tables.large["against_article"]["z"].abs().max()
    return z <= 2, z


@claim(
    "The variance of the article's truth around the exact one is less than a tenth of that of any estimate around it.",
    "largest share of variance (below 0.1)",
    study="large",
)
def the_sampled_truth_added_little(tables):
    share = tables.large["truth_error"]["share_of_variance"].max()
    return share < 0.1, share


@claim(
    "In the large study leave-pair-out is more than three standard errors too low with useless covariates at 30 sites.",
    "bias in standard errors (below -3)",
    study="large",
)
def leave_pair_out_shows_its_fair_bias(tables):
    row = tables.large["pairs"].set_index("cell").loc["multi_n30"]
    z = row["bias"] / row["bias_mcse"]
    return z < -3, z


@claim(
    "In every cell of the large study leave-pair-out is within two standard errors of the truth of its own models.",
    "largest distance in standard errors (at most 2)",
    study="large",
)
def nothing_unfair_is_left(tables):
    z = (tables.large["pairs"]["unfair"] / tables.large["pairs"]["unfair_mcse"]).abs().max()
    return z <= 2, z


@claim(
    "At 30 sites reading a sample of the pairs adds less than a twentieth to the variance of leave-pair-out.",
    "largest share added (below 0.05)",
    study="large",
)
def sampling_pairs_adds_little_at_thirty_sites(tables):
    share = tables.large["pairs"]["added_variance"].max()
    return share < 0.05, share


@claim(
    "For every slope the biases of pooled leave-one-out at two prevalences differ less at equal presences than at "
    "equal sites, by a third or more.",
    "largest ratio of the two differences (at most 2/3)",
    study="large",
)
def curves_fall_together_on_presences(tables):
    ratio = (tables.large["collapse"]["at_equal_presences"] / tables.large["collapse"]["at_equal_sites"]).max()
    return ratio <= 2 / 3, ratio


@claim(
    "At equal presences the bias of pooled leave-one-out is larger in size at the higher prevalence, with signal by "
    "more than two standard errors for every slope, without signal by less.",
    "with signal, the difference nearest to zero in standard errors (below -2)",
    study="large",
)
def prevalence_keeps_a_part(tables):
    table = tables.large["collapse"].set_index("slope")
    z = table["mean_difference"] / table["mean_difference_mcse"]
    nearest = z.drop(0.0).max()
    return nearest < -2 and abs(z[0.0]) < 2, nearest


@claim(
    "Without signal the bias of pooled leave-one-out falls with the number of sites, more slowly than its square root.",
    "exponent (below 0 and above -0.5, by two standard errors)",
    study="large",
)
def the_decline_without_signal_is_slow(tables):
    fit = tables.large["decay_fit"].iloc[0]
    exponent, error = fit["exponent"], fit["exponent_error"]
    return exponent + 2 * error < 0 and exponent - 2 * error > -0.5, exponent
