"""A fixed rule on growing samples: distance from the population value, and the variance of the AUC beside a bound."""

import pandas as pd
import plotnine as p9

from surveyauc.theme import plain

SERIES = {  # column: (panel, label, colour)
    "auc": ("distance from the population value", "AUC", "#1f6fb4"),
    "f1": ("distance from the population value", "F1", "#c1440e"),
    "variance": ("variance of the AUC", "measured", "#1f6fb4"),
    "variance_bound": ("variance of the AUC", "upper bound", "#767676"),
    "variance_of_independent_pairs": ("variance of the AUC", "independent pairs", "#b8860b"),
}


def plot_consistency(table, width, height):
    """table : rows by prevalence, sites and criterion; size in millimetres. Both axes are logarithmic; a series is
    labelled where it ends."""
    distances = table.assign(series=table["criterion"], value=table["rmse"])
    of_auc = table[table["criterion"] == "auc"]
    variances = [of_auc.assign(series=name, value=of_auc[name]) for name in SERIES if name.startswith("variance")]
    long = pd.concat([distances, *variances])
    long = long.assign(
        panel=pd.Categorical(
            [SERIES[s][0] for s in long["series"]], list(dict.fromkeys(s[0] for s in SERIES.values()))
        ),
        prevalence=long["prevalence"].map("prevalence {:g}".format),
        group=long["series"] + long["prevalence"].astype(str),
    )
    largest = long[(long["sites"] == long["sites"].max()) & (long["prevalence"] == long["prevalence"].iloc[0])]
    ends = largest.assign(label=[SERIES[s][1] for s in largest["series"]])
    return (
        p9.ggplot(long, p9.aes(x="sites", y="value", colour="series", linetype="prevalence", group="group"))
        + p9.geom_line(size=0.7)
        + p9.geom_point(size=1.2)
        + p9.geom_text(p9.aes(label="label"), ends, ha="left", nudge_x=0.06, size=7.5, show_legend=False)
        + p9.facet_wrap("panel", ncol=2, scales="free_y")
        + p9.scale_x_log10(breaks=[10, 40, 160], labels=lambda x: [f"{v:g}" for v in x], expand=(0.04, 0, 0.55, 0))
        + p9.scale_y_log10(labels=lambda y: [f"{v:g}" for v in y])
        + p9.scale_colour_manual({name: colour for name, (_, _, colour) in SERIES.items()}, guide=None)
        + p9.labs(x="sites", y="")
        + plain(width, height)
        + p9.theme(legend_position="bottom")
    )
