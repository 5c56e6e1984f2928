"""R-squared of cross-validated regressions on noise."""

import pandas as pd
import plotnine as p9

from surveyauc.figures.training_mean import NAMES
from surveyauc.theme import FAMILY_COLOURS, INK, plain


def plot_noise_regression(table, width, height):
    """table : R-squared of each data set under both schemes; size in millimetres. A point is a data set."""
    long = table.melt(id_vars="seed", value_vars=list(NAMES), var_name="scheme", value_name="r_squared")
    long["scheme"] = pd.Categorical(long["scheme"].map(NAMES), list(NAMES.values())[::-1])
    return (
        p9.ggplot(long, p9.aes(x="scheme", y="r_squared"))
        + p9.geom_hline(yintercept=0, linetype="dashed", colour=INK, size=0.5)
        + p9.geom_boxplot(colour=FAMILY_COLOURS["pooled refits"], fill="none", outlier_alpha=0, size=0.5)
        + p9.geom_line(p9.aes(group="seed"), colour=INK, alpha=0.25, size=0.3)
        + p9.geom_point(size=0.8, colour=INK, alpha=0.5)
        + p9.coord_flip()
        + p9.labs(x="", y="R-squared of pooled predictions")
        + plain(width, height)
    )
