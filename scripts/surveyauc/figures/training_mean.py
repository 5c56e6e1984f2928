"""The training mean gives the held-out row away: as a score for classes, and as a prediction."""

import pandas as pd
import plotnine as p9

from surveyauc.own_survey import roc
from surveyauc.theme import FAMILY_COLOURS, INK, plain

NAMES = {"leave_one_out": "leave-one-out", "rebalanced": "rebalanced"}
COLOURS = {"leave-one-out": FAMILY_COLOURS["pooled refits"], "rebalanced": FAMILY_COLOURS["pairs and per-fold"]}
PANELS = ["ROC curve of the score", "mean of the other responses"]


def plot_training_mean(scores, means, width, height):
    """scores : ``label`` of each row and its score under each scheme; means : ``response`` of each row and its training
    mean under each scheme; size in millimetres."""
    parts = []
    for column, name in NAMES.items():
        false_rate, true_rate = roc(scores[column].to_numpy(), scores["label"].to_numpy())
        parts.append(pd.DataFrame({"x": false_rate, "y": true_rate, "scheme": name, "panel": PANELS[0]}))
        parts.append(pd.DataFrame({"x": means["response"], "y": means[column], "scheme": name, "panel": PANELS[1]}))
    points = pd.concat(parts)
    points["panel"] = pd.Categorical(points["panel"], PANELS)
    level = pd.DataFrame({"panel": pd.Categorical(PANELS[1:], PANELS), "y": means["response"].mean()})
    return (
        p9.ggplot(points, p9.aes(x="x", y="y", colour="scheme", linetype="scheme", shape="scheme"))
        + p9.geom_hline(p9.aes(yintercept="y"), level, colour=INK, linetype="dotted", size=0.5)
        + p9.geom_path(data=points[points["panel"] == PANELS[0]], size=0.8)
        + p9.geom_point(data=points[points["panel"] == PANELS[1]], size=1.3, fill="none")
        + p9.facet_wrap("panel", ncol=2, scales="free")
        + p9.scale_colour_manual(COLOURS)
        + p9.scale_shape_manual({"leave-one-out": "o", "rebalanced": "^"})
        + p9.scale_linetype_manual({"leave-one-out": "solid", "rebalanced": "dashed"})
        + p9.labs(x="false positive rate (left); held-out response (right)", y="true positive rate; training mean")
        + plain(width, height)
    )
