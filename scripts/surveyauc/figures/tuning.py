"""Which ridge penalty cross-validation chooses."""

import pandas as pd
import plotnine as p9

from surveyauc.figures.shrinkage import STYLE
from surveyauc.theme import plain


def plot_tuning(tables, panels, width, height):
    """tables : rows by cell, estimator and penalty with their ``share_chosen``; panels : label of each cell; size in
    millimetres."""
    shown = tables[tables["estimator"].isin(STYLE)]
    styles = {code: STYLE[code] for code in STYLE if code in set(shown["estimator"])}
    labels = [style[0] for style in styles.values()]
    shown = shown.assign(
        panel=pd.Categorical(shown["cell"].map(panels), list(panels.values())),
        name=pd.Categorical(shown["estimator"].map({code: style[0] for code, style in styles.items()}), labels),
        penalty=pd.Categorical(shown["penalty"].map("{:g}".format), [f"{p:g}" for p in sorted(set(shown["penalty"]))]),
    )
    return (
        p9.ggplot(
            shown, p9.aes(x="penalty", y="share_chosen", colour="name", shape="name", linetype="name", group="name")
        )
        + p9.geom_line(size=0.6)
        + p9.geom_point(size=1.6)
        + p9.facet_wrap("panel", ncol=3)
        + p9.scale_colour_manual({style[0]: style[1] for style in styles.values()})
        + p9.scale_shape_manual({style[0]: style[2] for style in styles.values()})
        + p9.scale_linetype_manual({style[0]: style[3] for style in styles.values()})
        + p9.guides(colour=p9.guide_legend(nrow=2))
        + p9.labs(x="ridge penalty", y="share of surveys that choose it")
        + plain(width, height)
        + p9.theme(legend_position="bottom", legend_key_width=22)
    )
