"""Coverage of every interval against its width, one panel per cell."""

import string

import pandas as pd
import plotnine as p9
from mizani.breaks import breaks_extended

from surveyauc.theme import FAMILY_COLOURS, INK, plain

HIGHLIGHTED = "resub_inversion"


def plot_coverage(coverage, panels, level, width, height):
    """coverage : table with ``cell``, ``interval``, ``family``, ``coverage`` and ``width``, the intervals of a cell in
    one order, in which they are lettered; panels : label of each cell to show, in order; level : nominal; size in
    millimetres."""
    letters = dict(zip(dict.fromkeys(coverage["interval"]), string.ascii_lowercase, strict=False))
    shown = coverage[coverage["cell"].isin(panels) & coverage["coverage"].notna()]
    shown = shown.assign(
        panel=pd.Categorical(shown["cell"].map(panels), list(panels.values())),
        letter=shown["interval"].map(letters),
        highlighted=shown["interval"] == HIGHLIGHTED,
        family=pd.Categorical(shown["family"], [f for f in FAMILY_COLOURS if f in set(shown["family"])]),
    )
    return (
        p9.ggplot(shown, p9.aes(x="width", y="coverage", label="letter", colour="family"))
        + p9.geom_hline(yintercept=level, linetype="dashed", colour=INK, size=0.5)
        + p9.geom_point(p9.aes(fill="highlighted"), size=3.8, stroke=0.5)
        + p9.geom_text(p9.aes(colour="family"), shown[~shown["highlighted"]], size=6, show_legend=False)
        + p9.geom_text(data=shown[shown["highlighted"]], colour="white", size=6)
        + p9.facet_wrap("panel", ncol=3, scales="free_x")
        + p9.scale_fill_manual({False: "white", True: FAMILY_COLOURS["simulated"]}, guide=None)
        + p9.scale_colour_manual(FAMILY_COLOURS)
        + p9.scale_x_continuous(breaks=breaks_extended(n=3))
        + p9.labs(x="mean width", y="share of the surveys in which it covers the truth")
        + plain(width, height)
    )
