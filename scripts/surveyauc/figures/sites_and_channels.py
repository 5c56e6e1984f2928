"""Left: bias against the number of sites, with and without signal. Right: the two channels of the tilt."""

import pandas as pd
import plotnine as p9

from surveyauc.theme import FAMILY_COLOURS, INK, plain

LINES = {"loo": "solid", "perfold": "dotted", "lpo": "solid"}
POINTS = {"loo": "o", "perfold": "v", "lpo": "^"}
REFITS = {"full refit": FAMILY_COLOURS["pooled refits"], "slope only": FAMILY_COLOURS["slope only"]}


def plot_sites_and_channels(bias, cells, channels, size_panels, channel_panels, width, height):
    """bias : bias table with ``cell``; cells : number of sites of each cell; channels : table of
    `summaries.channel_table` with ``cell``; size_panels : label of a panel -> its cells; channel_panels : label of each
    cell; size in millimetres. Bars are two Monte Carlo standard errors."""
    left = plot_sites(bias, cells, size_panels, width, height)
    return left | plot_channels(channels, channel_panels, width, height)


def plot_sites(bias, cells, panels, width, height):
    panel_of = {cell: label for label, members in panels.items() for cell in members}
    shown = bias[bias["cell"].isin(panel_of) & bias["estimator"].isin(LINES)]
    names = {code: shown.loc[shown["estimator"] == code, "name"].iloc[0] for code in LINES}
    colours = {name: FAMILY_COLOURS[family] for name, family in zip(shown["name"], shown["family"], strict=True)}
    shown = shown.assign(
        panel=pd.Categorical(shown["cell"].map(panel_of), list(panels)),
        sites=shown["cell"].map(cells),
        name=pd.Categorical(shown["estimator"].map(names), list(names.values())),
        low=shown["bias"] - 2 * shown["mcse"],
        high=shown["bias"] + 2 * shown["mcse"],
    )
    aside = shown["estimator"].map({"loo": 1.0, "perfold": 0.93, "lpo": 1.07})  # bars side by side on the log axis
    shown = shown.assign(sites=shown["sites"] * aside)
    return (
        p9.ggplot(shown, p9.aes(x="sites", y="bias", colour="name", shape="name", linetype="name"))
        + p9.geom_hline(yintercept=0, linetype="dashed", colour=INK, size=0.5)
        + p9.geom_line(size=0.6)
        + p9.geom_linerange(p9.aes(ymin="low", ymax="high"), linetype="solid", size=0.5, show_legend=False)
        + p9.geom_point(size=1.7)
        + p9.facet_wrap("panel", ncol=2)
        + p9.scale_x_log10(breaks=sorted({cells[cell] for cell in panel_of}), labels=lambda x: [f"{v:g}" for v in x])
        + p9.scale_colour_manual(colours)
        + p9.scale_linetype_manual({names[code]: kind for code, kind in LINES.items()})
        + p9.scale_shape_manual({names[code]: kind for code, kind in POINTS.items()})
        + p9.guides(colour=p9.guide_legend(ncol=1))
        + p9.labs(x="sites in the survey", y="bias of the AUC")
        + plain(width, height)
        + p9.theme(legend_key_width=22)
    )


def plot_channels(channels, panels, width, height):
    shown = channels[channels["cell"].isin(panels)]
    shown = shown.assign(
        panel=pd.Categorical(shown["cell"].map(panels), list(panels.values())[::-1]),
        refit=pd.Categorical(shown["refit"], list(REFITS)[::-1]),
        low=shown["bias"] - 2 * shown["mcse"],
        high=shown["bias"] + 2 * shown["mcse"],
    )
    beside = p9.position_dodge(width=0.75)
    return (
        p9.ggplot(shown, p9.aes(x="panel", y="bias", fill="refit"))
        + p9.geom_col(position=beside, width=0.68)
        + p9.geom_linerange(p9.aes(ymin="low", ymax="high"), position=beside, colour=INK, size=0.5)
        + p9.geom_hline(yintercept=0, linetype="dashed", colour=INK, size=0.5)
        + p9.coord_flip()
        + p9.scale_y_continuous(breaks=[-0.2, -0.1, 0.0])
        + p9.scale_fill_manual(REFITS, breaks=list(REFITS))
        + p9.guides(fill=p9.guide_legend(ncol=1))
        + p9.labs(x="", y="bias of pooled leave-one-out")
        + plain(width, height)
    )
