"""How the bias of pooled leave-one-out without signal falls with the number of sites."""

import numpy as np
import pandas as pd
import plotnine as p9

from surveyauc.theme import FAMILY_COLOURS, INK, plain


def plot_decay(points, fit, width, height):
    """points : one row per number of ``sites`` with ``bias`` and ``mcse``; fit : the one row of `summaries.power_law`;
    size in millimetres. Bars are two Monte Carlo standard errors; both axes are logarithmic."""
    shown = points.assign(
        size=points["bias"].abs(),
        low=points["bias"].abs() - 2 * points["mcse"],
        high=points["bias"].abs() + 2 * points["mcse"],
    )
    ends = np.array([points["sites"].min(), points["sites"].max()])
    fit = fit.iloc[0]
    line = pd.DataFrame({"sites": ends, "size": np.exp(fit["log_factor"] + fit["exponent"] * np.log(ends))})
    return (
        p9.ggplot(shown, p9.aes(x="sites", y="size"))
        + p9.geom_line(p9.aes(x="sites", y="size"), data=line, colour=INK, linetype="dashed", size=0.5)
        + p9.geom_linerange(p9.aes(ymin="low", ymax="high"), colour=FAMILY_COLOURS["pooled refits"], size=0.6)
        + p9.geom_point(colour=FAMILY_COLOURS["pooled refits"], size=2)
        + p9.scale_x_log10(breaks=list(points["sites"]), labels=lambda x: [f"{v:g}" for v in x])
        + p9.scale_y_log10(breaks=[0.05, 0.1, 0.15, 0.2], labels=lambda y: [f"−{v:g}" for v in y])
        + p9.labs(x="sites in the survey", y="bias of pooled leave-one-out")
        + plain(width, height)
    )
