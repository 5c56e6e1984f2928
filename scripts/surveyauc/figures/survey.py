"""The figures of a survey's report, drawn narrow enough to be read on a phone, and their inline SVG."""

import io
import re
import textwrap
import unicodedata
import warnings
import xml.etree.ElementTree as ET

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import plotnine as p9
from matplotlib.markers import CARETLEFT, CARETRIGHT

from surveyauc.theme import CLASS_COLOURS, FAINT, FAMILY_COLOURS, FAMILY_SHAPES, INK, plain

WIDTH = 88  # millimetres: text of 7.5 points is 9 to 10 pixels high on a phone
NAMED_SITES = 60  # more names than this cannot be read
EDGE = 12.0  # log odds; beyond it a probability is 0 or 1 to five decimals
LONGEST_NAME = 14
STATUS = {"presence": CLASS_COLOURS["occupied"], "absence": CLASS_COLOURS["empty"]}
FONTS = "font-family: 'DejaVu Sans', Verdana, sans-serif"  # Verdana is as wide
SVG, XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"


def drawn_estimates(estimates):
    """Of the estimates (code -> dict with ``auc``), those that have a value, as a list of dicts."""
    return [estimate for estimate in estimates.values() if estimate["auc"] is not None]


def drawn_sites(tilt):
    """Of the sites (dicts with ``full`` and ``held_out``), those with both predictors."""
    return [site for site in tilt if site["full"] is not None and site["held_out"] is not None]


def edges(sites):
    """Lowest and highest predictor that the figure of these sites shows: a few wild sites must not squeeze the rest."""
    low, high = np.quantile([[site["full"], site["held_out"]] for site in sites], [0.05, 0.95])
    room = max(0.6 * (high - low), 1.0)
    return max(low - room, -EDGE), min(high + room, EDGE)


def beyond_edges(sites):
    """How many of the sites have a predictor that is drawn at the edge of the figure instead of at its place."""
    if not sites:
        return 0
    low, high = edges(sites)
    return sum(
        min(site["full"], site["held_out"]) < low or max(site["full"], site["held_out"]) > high for site in sites
    )


def plot_estimates(estimates):
    """estimates : code -> dict with ``name``, ``family``, ``auc``, ``lower``, ``upper`` (None: not available). One line
    per estimate that has a value, in the order given, bars where there is an interval."""
    shown = _lines(drawn_estimates(estimates))
    lowest = min([0.4, *shown["auc"], *shown["lower"].dropna()])
    return (
        p9.ggplot(shown, p9.aes(x="auc", y="line", colour="family", shape="family"))
        + p9.geom_vline(xintercept=0.5, linetype="dashed", colour=INK, size=0.5)
        + p9.geom_segment(
            p9.aes(x="lower", xend="upper", yend="line"),
            shown.dropna(subset=["lower", "upper"]),
            size=0.7,
            show_legend=False,
        )
        + p9.geom_point(size=2.4)
        + p9.scale_x_continuous(limits=(int(lowest * 10) / 10, 1), labels=_short_numbers, expand=(0.02, 0))
        + p9.labs(x="AUC", y="")
        + plain(WIDTH, 30 + 9 * len(shown))
        + _families(shown)
    )


def plot_differences(species):
    """species : dicts with ``n``, ``presences`` and ``difference``, pooled leave-one-out less leave-pair-out."""
    shown = pd.DataFrame(species)
    shown["smaller"] = np.minimum(shown["presences"], shown["n"] - shown["presences"]).astype(float)
    return (
        p9.ggplot(shown, p9.aes(x="smaller", y="difference"))
        + p9.geom_hline(yintercept=0, linetype="dashed", colour=INK, size=0.5)
        + p9.geom_point(size=2.0, fill="none", colour=FAMILY_COLOURS["pooled refits"])
        + p9.labs(x="sites in the smaller class", y="difference of the AUCs")
        + plain(WIDTH, 70)
    )


def plot_expected(estimators):
    """estimators : code -> dict with ``name``, ``family``, ``bias``, ``sd``. One line per estimator that has a bias,
    bars of one standard deviation to each side."""
    shown = _lines([e for e in estimators.values() if e["bias"] is not None])
    shown = shown.assign(low=shown["bias"] - shown["sd"], high=shown["bias"] + shown["sd"])
    return (
        p9.ggplot(shown, p9.aes(x="bias", y="line", colour="family", shape="family"))
        + p9.geom_vline(xintercept=0, linetype="dashed", colour=INK, size=0.5)
        + p9.geom_segment(
            p9.aes(x="low", xend="high", yend="line"), shown.dropna(subset=["low"]), size=0.7, show_legend=False
        )
        + p9.geom_point(size=2.4)
        + p9.scale_x_continuous(labels=_short_numbers)
        + p9.labs(x="estimate minus true AUC", y="")
        + plain(WIDTH, 30 + 9 * len(shown))
        + _families(shown)
    )


def plot_roc(roc):
    """roc : dict with ``false_positive`` and ``true_positive``, equally long, from (0, 0) to (1, 1), and ``lower`` and
    ``upper``, the band of the true positives at the same places, or None."""
    curve = pd.DataFrame({"x": roc["false_positive"], "y": roc["true_positive"]})
    plot = p9.ggplot(curve, p9.aes(x="x", y="y"))
    if roc_has_band(roc):
        band = pd.DataFrame({"x": curve["x"], "lower": roc["lower"], "upper": roc["upper"]}).dropna()
        outline = pd.DataFrame({"x": [*band["x"], *band["x"][::-1]], "y": [*band["upper"], *band["lower"][::-1]]})
        plot += p9.geom_polygon(data=outline, fill=FAMILY_COLOURS["pairs and per-fold"], alpha=0.2)
    return (
        plot
        + p9.annotate("segment", x=0, y=0, xend=1, yend=1, linetype="dashed", colour=INK, size=0.5)
        + p9.geom_path(colour=FAMILY_COLOURS["pairs and per-fold"], size=0.9)
        + p9.scale_x_continuous(limits=(0, 1), labels=_short_numbers, expand=(0.02, 0))
        + p9.scale_y_continuous(limits=(0, 1), labels=_short_numbers, expand=(0.02, 0))
        + p9.coord_fixed()
        + p9.labs(x="share of absences called presence", y="share of presences called presence")
        + plain(WIDTH, WIDTH)
    )


def roc_has_band(roc):
    return roc["lower"] is not None and roc["upper"] is not None


def plot_tilt(tilt):
    """tilt : dicts with ``site``, ``presence`` (1/0), ``full`` and ``held_out`` linear predictor. An arrow per site,
    sites in the order of the full fit, with their names if they are few enough."""
    low, high = edges(drawn_sites(tilt))
    sites = pd.DataFrame(drawn_sites(tilt)).sort_values("full", ignore_index=True, kind="stable")
    sites = sites.assign(
        place=sites.index + 1,
        status=pd.Categorical(sites["presence"].map({1: "presence", 0: "absence"}), list(STATUS)),
        full=sites["full"].clip(low, high),
        held_out=sites["held_out"].clip(low, high),
    )
    present = [status for status in STATUS if (sites["status"] == status).any()]
    named = len(sites) <= NAMED_SITES
    height = 28 + 3.2 * len(sites) if named else min(110 + 0.1 * len(sites), 200)
    return (
        p9.ggplot(sites, p9.aes(y="place", colour="status", shape="status"))
        + [layer for status in ("absence", "presence") for layer in _arrows(sites[sites["status"] == status], named)]
        + p9.scale_colour_manual(STATUS, limits=present)
        + p9.scale_shape_manual({"presence": "o", "absence": "s"}, limits=present)
        + p9.scale_y_continuous(
            breaks=list(sites["place"]) if named else [],
            labels=[shortened(name) for name in sites["site"]] if named else [],
            expand=(0, 1),
        )
        + p9.scale_x_continuous(labels=_short_numbers)
        + p9.labs(x="score (log odds of presence)", y="" if named else "sites, lowest score below")
        + plain(WIDTH, height)
        + p9.theme(
            panel_grid_major_y=p9.element_line(colour=FAINT, size=0.3) if named else p9.element_blank(),
            axis_text_y=p9.element_text(size=6.5),
        )
    )


def _arrows(sites, named):
    """Layers that draw these sites; presences come last, so that many absences do not hide a few of them."""
    if sites.empty:
        return []
    moved = sites[sites["full"] != sites["held_out"]]
    lower = moved["held_out"] < moved["full"]
    width = 0.6 if named or sites["status"].iloc[0] == "presence" else 0.35
    layers = [
        p9.geom_segment(p9.aes(x="full", xend="held_out", yend="place"), moved, size=width, show_legend=False),
        _heads(moved[lower], CARETLEFT, named),
        _heads(moved[~lower], CARETRIGHT, named),
        p9.geom_point(p9.aes(x="full"), sites, fill="white", size=1.3 if named else 0.6, stroke=0.5 * width / 0.6),
    ]
    return [layer for layer in layers if len(layer.data)]


def _heads(sites, shape, named):
    """The tips of arrows: plotnine's own arrow heads are stretched with the panel."""
    return p9.geom_point(
        p9.aes(x="held_out"), sites, shape=shape, size=2.3 if named else 1.3, stroke=0, show_legend=False
    )


def shortened(name):
    """The name, its middle left out where it is wider than ``LONGEST_NAME`` letters: what differs is often the end."""
    if _width(name) <= LONGEST_NAME:
        return name.strip() or "(no name)"
    start, end = name, name
    while _width(start) > LONGEST_NAME * 0.6:
        start = start[:-1]
    while _width(end) > LONGEST_NAME * 0.4 - 1:
        end = end[1:]
    return f"{start}…{end}"


def _width(text):
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def _lines(estimators):
    """Data frame of the estimators with ``line``, the name broken to fit beside the axis, first on top."""
    shown = pd.DataFrame(estimators)
    numbers = [column for column in ("auc", "lower", "upper", "bias", "sd") if column in shown]
    shown[numbers] = shown[numbers].astype(float)
    lines = [textwrap.fill(name, 17, break_on_hyphens=False, max_lines=3, placeholder="…") for name in shown["name"]]
    return shown.assign(
        line=pd.Categorical(lines, list(dict.fromkeys(lines))[::-1]),
        family=pd.Categorical(shown["family"], list(dict.fromkeys(shown["family"]))),
    )


def _families(shown):
    """Colour, shape and legend of the families, and names of several lines set against the axis."""
    families = list(shown["family"].cat.categories)
    return [
        p9.scale_colour_manual({family: FAMILY_COLOURS.get(family, INK) for family in families}),
        p9.scale_shape_manual({family: FAMILY_SHAPES.get(family, "P") for family in families}),
        p9.theme(axis_text_y=p9.element_text(ma="right")),
        p9.guides(colour=p9.guide_legend(ncol=1), shape=p9.guide_legend(ncol=1)),
    ]


def _short_numbers(values):
    return [f"{value:g}".replace("-", "−") for value in values]


def inline_svg(plot, prefix, label):
    """The plot as an SVG element for an HTML page: named by ``label`` for those who do not see it, every id begun with
    ``prefix``, as wide as its surroundings allow. The same bytes every time."""
    settings = {"svg.hashsalt": "surveyauc", "svg.fonttype": "none", "text.parse_math": False}
    buffer = io.BytesIO()
    with matplotlib.rc_context(settings), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")  # the browser has other fonts for names
        figure = plot.draw()
        _hold_names_at_the_axis(figure)
        figure.savefig(buffer, format="svg", metadata={"Date": None})
        plt.close(figure)
    return _for_a_page(ET.fromstring(buffer.getvalue()), prefix, label)


def _hold_names_at_the_axis(figure):
    """End the names beside an axis at the axis: plotnine begins them where their measured width says, and a reader's
    fonts have other widths."""
    figure.set_dpi(72)  # that of SVG: widths of letters are rounded to pixels
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    for axes in figure.axes:
        for label in axes.get_yticklabels():
            width = label.get_window_extent().width / axes.get_window_extent().width
            label.set(x=label.get_position()[0] + width, horizontalalignment="right")


def _for_a_page(svg, prefix, label):
    for parent in list(svg.iter()):
        for child in list(parent):
            # a style element would apply to the whole page
            if child.tag in (f"{{{SVG}}}metadata", f"{{{SVG}}}style"):
                parent.remove(child)
    for element in svg.iter():
        if f"{{{XLINK}}}href" in element.attrib:
            element.set("href", element.attrib.pop(f"{{{XLINK}}}href"))
        for key, value in element.attrib.items():
            if key == "id":
                element.set(key, prefix + value)
            elif key == "href":
                element.set(key, re.sub("^#", f"#{prefix}", value))
            else:
                value = value.replace("font-family: 'DejaVu Sans'", FONTS)
                element.set(key, value.replace("url(#", f"url(#{prefix}"))
    for key in ("width", "height", "version"):
        svg.attrib.pop(key, None)
    svg.attrib |= {"role": "img", "aria-label": label, "style": "stroke-linejoin: round; stroke-linecap: butt"}
    ET.register_namespace("", SVG)
    return ET.tostring(svg, encoding="unicode")
