"""One survey, site by site: the linear predictor of the full fit and that of the refit without the site."""

import pandas as pd
import plotnine as p9

from surveyauc.theme import CLASS_COLOURS, INK, plain


def plot_tilt(sites, width, height):
    """sites : DataFrame with ``y`` (0/1), ``eta_full`` and ``eta_loo``, one row per site; size in millimetres."""
    sites = sites.sort_values("eta_full", ignore_index=True)
    sites = sites.assign(
        place=sites.index + 1,
        status=pd.Categorical(sites["y"].map({1: "occupied", 0: "empty"}), list(CLASS_COLOURS)),
    )
    return (
        p9.ggplot(sites, p9.aes(y="place", colour="status", shape="status"))
        + p9.geom_segment(
            p9.aes(x="eta_full", xend="eta_loo", yend="place"),
            arrow=p9.arrow(length=0.035, type="open"),
            size=0.6,
            show_legend=False,
        )
        + p9.geom_point(p9.aes(x="eta_full"), fill="white", size=1.3, stroke=0.5)
        + p9.scale_colour_manual(CLASS_COLOURS)
        + p9.scale_shape_manual({"occupied": "o", "empty": "s"})
        + p9.labs(x="linear predictor (logit of occupancy)", y="sites, in the order of the full fit")
        + plain(width, height)
        + p9.theme(
            axis_text_y=p9.element_blank(),
            panel_grid_major_y=p9.element_blank(),
            axis_title=p9.element_text(colour=INK),
        )
    )
