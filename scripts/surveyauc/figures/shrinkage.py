"""Bias of the estimators against the ridge penalty, from none to strong."""

import pandas as pd
import plotnine as p9

from surveyauc.theme import INK, plain

STYLE = {  # code: (label, colour, shape, line)
    "lpo": ("leave-pair-out", "#1f6fb4", "^", "solid"),
    "perfold": ("per-fold stratified 5-fold", "#1f6fb4", "v", "dashed"),
    "rloo": ("rebalanced leave-one-out", "#1b7f79", "D", "solid"),
    "rloo_once": ("rebalanced, one draw", "#1b7f79", "s", "dotted"),
    "strat5": ("pooled stratified 5-fold", "#c17d12", "s", "dashed"),
    "loo": ("pooled leave-one-out", "#c1440e", "o", "solid"),
}


def plot_shrinkage(bias, panels, width, height):
    """bias : rows by cell, penalty (as text) and estimator, of which those with "none" are left out, as they are of
    more surveys than the rest; panels : label of each cell; size in
    millimetres."""
    shown = bias[bias["cell"].isin(panels) & bias["estimator"].isin(STYLE) & (bias["penalty"] != "none")]
    penalties = sorted(set(shown["penalty"]), key=float)
    styles = list(STYLE.values())
    shown = shown.assign(
        panel=pd.Categorical(shown["cell"].map(panels), list(panels.values())),
        penalty=pd.Categorical(shown["penalty"], penalties),
        name=pd.Categorical(
            shown["estimator"].map({code: style[0] for code, style in STYLE.items()}), [s[0] for s in styles]
        ),
    )
    return (
        p9.ggplot(shown, p9.aes(x="penalty", y="bias", colour="name", shape="name", linetype="name", group="name"))
        + p9.geom_hline(yintercept=0, linetype="dashed", colour=INK, size=0.4)
        + p9.geom_line(size=0.6)
        + p9.geom_point(size=1.6)
        + p9.facet_wrap("panel", ncol=2)
        + p9.scale_colour_manual({style[0]: style[1] for style in styles})
        + p9.scale_shape_manual({style[0]: style[2] for style in styles})
        + p9.scale_linetype_manual({style[0]: style[3] for style in styles})
        + p9.scale_x_discrete(labels=lambda penalties: ["none" if p == "0" else p for p in penalties])
        + p9.labs(x="ridge penalty on standardised covariates", y="bias of the AUC (estimate minus truth)")
        + plain(width, height)
        + p9.theme(legend_position="bottom", legend_key_width=22)
    )
