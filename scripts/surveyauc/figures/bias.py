"""Bias of every estimator, one panel per cell."""

import pandas as pd
import plotnine as p9

from surveyauc.theme import FAMILY_COLOURS, FAMILY_SHAPES, INK, plain

SHOWN = ["resub", "loo", "rand5", "strat5", "perfold", "lpo"]


def plot_bias(bias, panels, width, height):
    """bias : the bias table of `summaries.bias_table` with the cell, name and family of each estimator;
    panels : label of each cell to show, in order; size in millimetres. Bars are two Monte Carlo standard errors."""
    shown = bias[bias["cell"].isin(panels) & bias["estimator"].isin(SHOWN)]
    names = list(dict.fromkeys(shown["name"]))
    shown = shown.assign(
        panel=pd.Categorical(shown["cell"].map(panels), list(panels.values())),
        name=pd.Categorical(shown["name"], names[::-1]),
        family=pd.Categorical(shown["family"], [f for f in FAMILY_COLOURS if f in set(shown["family"])]),
        low=shown["bias"] - 2 * shown["mcse"],
        high=shown["bias"] + 2 * shown["mcse"],
    )
    return (
        p9.ggplot(shown, p9.aes(x="bias", y="name", colour="family", shape="family"))
        + p9.geom_vline(xintercept=0, linetype="dashed", colour=INK, size=0.5)
        + p9.geom_segment(p9.aes(x="low", xend="high", yend="name"), size=0.6, show_legend=False)
        + p9.geom_point(size=2.2)
        + p9.facet_wrap("panel", ncol=2)
        + p9.scale_colour_manual(FAMILY_COLOURS)
        + p9.scale_shape_manual(FAMILY_SHAPES)
        + p9.labs(x="bias of the AUC (estimate minus truth)", y="")
        + plain(width, height)
    )
