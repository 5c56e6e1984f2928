"""Bias of F1 in cross-validation: how folds are put together, and where the threshold comes from."""

import pandas as pd
import plotnine as p9

from surveyauc.theme import INK, plain

STYLE = {  # name: (colour, shape, place within a row)
    "resubstitution": ("#767676", "s", 0.27),
    "pooled leave-one-out": ("#c1440e", "o", 0.09),
    "pooled 5-fold": ("#1f6fb4", "^", -0.09),
    "mean over 5 folds": ("#b8860b", "D", -0.27),
}
PANELS = {
    "one half": "threshold 1/2",
    "prevalence": "prevalence",
    "chosen": "chosen in training",
    "chosen once": "chosen once",
}


def plot_f1(table, cells, width, height):
    """table : rows by cell, threshold and estimator; cells : label of each, from top to bottom; size in millimetres."""
    shown = table[table["cell"].isin(cells)]
    order = {cell: len(cells) - k for k, cell in enumerate(cells)}
    shown = shown.assign(
        panel=pd.Categorical(shown["threshold"].map(PANELS), list(PANELS.values())),
        name=pd.Categorical(shown["name"], list(STYLE)),
        y=shown["cell"].map(order) + shown["name"].map({name: style[2] for name, style in STYLE.items()}),
        low=shown["bias"] - 2 * shown["mcse"],
        high=shown["bias"] + 2 * shown["mcse"],
    )
    return (
        p9.ggplot(shown, p9.aes(x="bias", y="y", colour="name", shape="name"))
        + p9.geom_vline(xintercept=0, linetype="dashed", colour=INK, size=0.5)
        + p9.geom_segment(p9.aes(x="low", xend="high", yend="y"), size=0.5, show_legend=False)
        + p9.geom_point(size=1.7)
        + p9.facet_wrap("panel", ncol=4)
        + p9.scale_x_continuous(breaks=[0, 0.1, 0.2], labels=lambda x: [f"{v:g}" for v in x])
        + p9.scale_y_continuous(breaks=list(order.values()), labels=list(cells.values()), minor_breaks=[])
        + p9.scale_colour_manual({name: style[0] for name, style in STYLE.items()})
        + p9.scale_shape_manual({name: style[1] for name, style in STYLE.items()})
        + p9.labs(x="bias of F1", y="")
        + plain(width, height)
        + p9.theme(legend_position="bottom")
    )
