"""Bias of pooled leave-one-out against presences and against sites: which of the two makes curves fall together?"""

import pandas as pd
import plotnine as p9

from surveyauc.theme import INK, plain

SIGNALS = ["#440154", "#3b528b", "#21918c", "#5a9e3a", "#b8860b"]


def plot_collapse(table, width, height):
    """table : the map, one row per prevalence, slope, presences and estimator; size in millimetres."""
    loo = table[table["estimator"] == "loo"]
    slopes = sorted(set(loo["slope"]))
    long = pd.concat(loo.assign(axis=f"against {axis}", number=loo[axis]) for axis in ("presences", "sites"))
    long = long.assign(
        slope=pd.Categorical(long["slope"].map("slope {:g}".format), [f"slope {s:g}" for s in slopes]),
        prevalence=pd.Categorical(
            long["prevalence"].map("prevalence {:g}".format),
            [f"prevalence {p:g}" for p in sorted(set(long["prevalence"]), reverse=True)],
        ),
    )
    colours = {f"slope {s:g}": SIGNALS[k % len(SIGNALS)] for k, s in enumerate(slopes)}
    return (
        p9.ggplot(long, p9.aes(x="number", y="bias", colour="slope", linetype="prevalence", shape="prevalence"))
        + p9.geom_hline(yintercept=0, linetype="dashed", colour=INK, size=0.5)
        + p9.geom_line(size=0.6)
        + p9.geom_point(size=1.4)
        + p9.facet_wrap("axis", ncol=2, scales="free_x")
        + p9.scale_x_log10(labels=lambda x: [f"{v:g}" for v in x])
        + p9.scale_colour_manual(colours)
        + p9.scale_shape_manual(["o", "^"])
        + p9.labs(x="", y="bias of pooled leave-one-out")
        + plain(width, height)
        + p9.theme(legend_position="right")
    )
