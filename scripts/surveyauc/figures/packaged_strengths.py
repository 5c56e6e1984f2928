"""Mean AUC of real tables by strength of the penalty, under both forms of leave-one-out."""

import pandas as pd

from surveyauc.figures.heat_map import short, tiles
from surveyauc.figures.training_mean import NAMES

FEATURES = "all"


def plot_packaged_strengths(aucs, width, height):
    """aucs : rows by table, features, subsample, strength and scheme; size in millimetres."""
    means = aucs[aucs["features"] == FEATURES].groupby(["table", "strength", "scheme"], sort=False, as_index=False)
    means = means["auc"].mean()
    means = means.assign(
        panel=pd.Categorical(means["table"], list(dict.fromkeys(means["table"]))),
        x=pd.Categorical(means["strength"].map(short), [short(value) for value in sorted(set(means["strength"]))]),
        y=pd.Categorical(means["scheme"].map(NAMES), list(NAMES.values())[::-1]),
    )
    return tiles(means, "strength C (the inverse penalty)", "", width, height)
