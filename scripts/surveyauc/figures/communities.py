"""Real species: how far pooled leave-one-out lies from leave-pair-out, against the size of the smaller class."""

import pandas as pd
import plotnine as p9

from surveyauc.theme import FAMILY_COLOURS, INK, plain


def plot_communities(species, width, height):
    """species : ``table``, ``smaller``, ``loo`` and ``lpo`` of each; those without values are not drawn. Size in
    millimetres."""
    scored = species.dropna(subset=["loo", "lpo"])
    sites = scored.groupby("table", sort=False)["n"].max()
    panels = {table: f"{table}, {number:.0f} sites" for table, number in sites.items()}
    scored = scored.assign(
        difference=scored["loo"] - scored["lpo"],
        panel=pd.Categorical(scored["table"].map(panels), list(panels.values())),
    )
    return (
        p9.ggplot(scored, p9.aes(x="smaller", y="difference"))
        + p9.geom_hline(yintercept=0, linetype="dashed", colour=INK, size=0.5)
        + p9.geom_point(size=1.4, fill="none", colour=FAMILY_COLOURS["pooled refits"])
        + p9.facet_wrap("panel", ncol=2)
        + p9.labs(x="sites in the smaller class, presences or absences", y="pooled leave-one-out less leave-pair-out")
        + plain(width, height)
    )
