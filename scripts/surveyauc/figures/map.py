"""The map of bias over presences, signal and prevalence."""

import pandas as pd
import plotnine as p9

from surveyauc.theme import INK, plain

NAMES = {"loo": "pooled leave-one-out", "lpo": "leave-pair-out"}


def plot_map(table, width, height):
    """table : the map, one row per prevalence, slope, presences and estimator, with its ``bias``; size in mm."""
    shown = table.assign(
        panel=[f"{NAMES[e]}, prevalence {p:g}" for e, p in zip(table["estimator"], table["prevalence"], strict=True)],
        presences=pd.Categorical(table["presences"], sorted(set(table["presences"]))),
        slope=pd.Categorical(table["slope"].map("{:g}".format), [f"{s:g}" for s in sorted(set(table["slope"]))]),
        text=[f"{b:+.2f}".replace("-", "−").replace("0.", ".") if round(b, 2) else "0" for b in table["bias"]],
        dark=table["bias"] < -0.2,
    )
    order = shown.sort_values(["estimator", "prevalence"], ascending=[True, False])["panel"]
    shown["panel"] = pd.Categorical(shown["panel"], list(dict.fromkeys(order)))
    return (
        p9.ggplot(shown, p9.aes(x="presences", y="slope", fill="bias"))
        + p9.geom_tile(colour="white", size=0.4)
        + p9.geom_text(p9.aes(label="text", colour="dark"), size=6, show_legend=False)
        + p9.facet_wrap("panel", ncol=2)
        + p9.scale_fill_gradient2(low="#8c2d04", mid="#f7f7f7", high="#1f6fb4", midpoint=0, limits=(-0.3, 0.3))
        + p9.scale_colour_manual({False: INK, True: "white"})
        + p9.labs(x="presences", y="slope of the working covariate", fill="bias")
        + plain(width, height)
        + p9.theme(legend_position="none", panel_grid_major=p9.element_blank())
    )
