"""Mean AUC of data sets with nothing to find, by balance and by what is held out or how strong the penalty is."""

import pandas as pd
import plotnine as p9

from surveyauc.theme import INK, plain

RIGHT = 0.5
FAR = 0.3  # from the right value; there the tile is dark and its text white


def plot_heat_map(tables, panels, width, height):
    """tables : rows by experiment, left_out, strength, balance and repeat, with their ``auc``; panels : label of each
    experiment, in order; size in millimetres. The rows of a panel are the strengths where these vary, else what is held
    out."""
    by_strength = tables["strength"].nunique() > 1
    row = "strength" if by_strength else "left_out"
    means = tables.groupby(["experiment", row, "balance"], as_index=False)["auc"].mean()
    return tiles(
        means.assign(
            panel=pd.Categorical(means["experiment"].map(panels), list(panels.values())),
            x=pd.Categorical(means["balance"].map("{:g}".format), [f"{b:g}" for b in sorted(set(means["balance"]))]),
            y=pd.Categorical(means[row].map(short), [short(value) for value in sorted(set(means[row]))]),
        ),
        "share of ones",
        "strength C (the inverse penalty)" if by_strength else "rows held out at a time",
        width,
        height,
    )


def tiles(means, x, y, width, height, columns=2):
    """A heat map of ``auc`` over ``x`` and ``y``, a facet for each ``panel``, the values written into the tiles."""
    means = means.assign(
        text=[f"{value:.2f}".removeprefix("0") for value in means["auc"]],
        far=(means["auc"] - RIGHT).abs() > FAR,
    )
    return (
        p9.ggplot(means, p9.aes(x="x", y="y", fill="auc"))
        + p9.geom_tile(colour="white", size=0.4)
        + p9.geom_text(p9.aes(label="text", colour="far"), size=6, show_legend=False)
        + p9.facet_wrap("panel", ncol=columns)
        + p9.scale_fill_gradient2(low="#8c2d04", mid="#f7f7f7", high="#1f6fb4", midpoint=RIGHT, limits=(0, 1))
        + p9.scale_colour_manual({False: INK, True: "white"})
        + p9.labs(x=x, y=y)
        + plain(width, height)
        + p9.theme(legend_position="none", panel_grid_major=p9.element_blank())
    )


def short(number):
    """A number as an axis shows it."""
    return f"{number:g}" if 1e-3 <= number < 1e4 else f"{number:.0e}".replace("e-0", "e-").replace("e+", "e")
