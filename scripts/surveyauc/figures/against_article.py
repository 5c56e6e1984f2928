"""The article's biases and those of the large study, one panel per cell."""

import pandas as pd
import plotnine as p9

from surveyauc.theme import FAMILY_COLOURS, INK, plain

STUDIES = {"article": "#767676", "large study": FAMILY_COLOURS["pairs and per-fold"]}


def plot_against_article(against, panels, width, height):
    """against : table with ``cell``, ``name``, ``bias``, ``mcse`` and the same with ``_article``; panels : label of
    each cell to show, in order; size in millimetres. Bars are two Monte Carlo standard errors."""
    shown = against[against["cell"].isin(panels)]
    names = list(dict.fromkeys(shown["name"]))
    long = pd.concat(
        [
            shown.assign(study="article", bias=shown["bias_article"], mcse=shown["mcse_article"]),
            shown.assign(study="large study"),
        ]
    )
    long = long.assign(
        panel=pd.Categorical(long["cell"].map(panels), list(panels.values())),
        name=pd.Categorical(long["name"], names[::-1]),
        study=pd.Categorical(long["study"], list(STUDIES)),
        low=long["bias"] - 2 * long["mcse"],
        high=long["bias"] + 2 * long["mcse"],
    )
    return (
        p9.ggplot(long, p9.aes(x="bias", y="name", colour="study", shape="study", size="study"))
        + p9.geom_vline(xintercept=0, linetype="dashed", colour=INK, size=0.5)
        + p9.geom_segment(p9.aes(x="low", xend="high", yend="name"), size=0.6, show_legend=False)
        + p9.geom_point(fill="none", stroke=0.6)
        + p9.facet_wrap("panel", ncol=2)
        + p9.scale_colour_manual(STUDIES)
        + p9.scale_shape_manual({"article": "o", "large study": "|"})
        + p9.scale_size_manual({"article": 2.4, "large study": 3.2})
        + p9.labs(x="bias of the AUC (estimate minus truth)", y="")
        + plain(width, height)
    )
