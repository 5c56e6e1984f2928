"""Box plots of the AUC of data sets with nothing to find, by balance."""

import pandas as pd
import plotnine as p9

from surveyauc.theme import FAMILY_COLOURS, INK, plain


def plot_boxes(tables, panels, width, height):
    """tables : rows by experiment, balance and repeat, with their ``auc``; panels : label of each experiment, in order;
    size in millimetres. A point is a data set."""
    shown = tables.assign(
        panel=pd.Categorical(tables["experiment"].map(panels), list(panels.values())),
        balance=pd.Categorical(
            tables["balance"].map("{:g}".format), [f"{b:g}" for b in sorted(set(tables["balance"]))]
        ),
    )
    return (
        p9.ggplot(shown, p9.aes(x="balance", y="auc"))
        + p9.geom_hline(yintercept=0.5, linetype="dashed", colour=INK, size=0.5)
        + p9.geom_boxplot(colour=FAMILY_COLOURS["pooled refits"], fill="none", outlier_alpha=0, size=0.5)
        + p9.geom_point(size=0.8, colour=INK, alpha=0.5)
        + p9.facet_wrap("panel", ncol=len(panels))
        + p9.labs(x="share of ones", y="AUC")
        + plain(width, height)
    )
