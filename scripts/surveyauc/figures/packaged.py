"""Real tables: pooled leave-one-out against its rebalanced form, for classes and for numbers."""

import pandas as pd
import plotnine as p9

from surveyauc.figures.training_mean import COLOURS, NAMES
from surveyauc.theme import INK, plain


def plot_packaged(aucs, regression, strength, width, height):
    """aucs : rows by table, features, subsample, strength and scheme, of which those with this strength are shown;
    regression : the same with ``r_squared``; size in millimetres. Means over subsamples."""
    parts = [
        aucs[aucs["strength"] == strength].assign(value=lambda t: t["auc"], kind="AUC"),
        regression.assign(value=lambda t: t["r_squared"], kind="R-squared"),
    ]
    values = pd.concat(parts)
    values["panel"] = values["kind"] + ", " + values["features"].replace({"all": "all covariates"})
    means = values.groupby(["panel", "table", "scheme"], as_index=False)["value"].mean()
    order = means.groupby("table")["value"].mean().sort_values().index
    means["table"] = pd.Categorical(means["table"], list(order))
    means["name"] = means["scheme"].map(NAMES)
    ends = means.pivot(index=["panel", "table"], columns="scheme", values="value").reset_index()
    ends.columns.name = None
    ends = ends.rename(columns={"leave_one_out": "low", "rebalanced": "high"})
    return (
        p9.ggplot(means)
        + p9.geom_segment(p9.aes(x="low", xend="high", y="table", yend="table"), ends, colour=INK, size=0.5)
        + p9.geom_point(p9.aes(x="value", y="table", colour="name", shape="name"), size=2, fill="none")
        + p9.facet_wrap("panel", ncol=2, scales="free")
        + p9.scale_colour_manual(COLOURS)
        + p9.scale_shape_manual({"leave-one-out": "o", "rebalanced": "^"})
        + p9.labs(x="mean over subsamples", y="")
        + plain(width, height)
    )
