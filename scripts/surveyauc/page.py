"""The report on one survey as a web page that needs nothing but itself: what to report, what to ignore, and why."""

import math
import re
import statistics
import unicodedata
from pathlib import Path

import jinja2
from markupsafe import Markup

from surveyauc.figures import survey as figures

ORDER = ["lpo", "tlpo", "perfold", "rloo", "strat5", "rand5", "loo", "resub"]
TURNS_TEXT_ROUND = set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
READ_OFF = (0.1, 0.25, 0.5)


def page_of(result):
    """The page of what `report.result_of` gave, of one survey or of many species, as HTML."""
    return page_of_species(result) if "species" in result else page(result)


def page(result):
    """result : the survey's result, a dict as it comes from JSON; None stands for what is not available. Gives the
    whole page, the same bytes for the same result."""
    result = cleaned(result)
    estimates = in_order(result["estimates"])
    sites = figures.drawn_sites(result["tilt"] or [])
    return template("survey.html").render(
        result | {"estimates": estimates, "expected": result["expected"] and expected_in_order(result["expected"])},
        without_value=[e["name"] for e in estimates.values() if e["auc"] is None],
        left_out=by_reason(result["dropped_because"] or {}),
        named_sites=figures.NAMED_SITES,
        estimates_figure=estimates_figure(estimates),
        roc_figure=result["roc"] and roc_figure(result),
        roc_missing=roc_missing(estimates),
        has_band=bool(result["roc"]) and figures.roc_has_band(result["roc"]),
        tilt_figure=tilt_figure(result["tilt"] or []),
        sites=sites,
        beyond_edges=figures.beyond_edges(sites),
        moves=both_moves(sites),
        expected_figure=expected_figure(result["expected"]),
    )


def page_of_species(result):
    """The same for a table of many species: ``species``, a list of rows with ``species``, ``n``, ``presences``,
    ``lpo``, ``lower``, ``upper``, ``loo``, ``difference`` (None where there is none) and ``note``."""
    result = cleaned(result)
    scored = [row for row in result["species"] if row["lpo"] is not None]
    below = sum(row["difference"] < 0 for row in scored)
    label = (
        f"{len(scored)} points, one per species. Pooled leave-one-out is below leave-pair-out for {below} of them, by "
        f"{auc(-min(row['difference'] for row in scored))} at most."
    )
    return template("species.html").render(
        result,
        scored=scored,
        below=below,
        mean_difference=-statistics.fmean(row["difference"] for row in scored),
        figure=svg(figures.plot_differences(scored), "differences", label),
    )


def template(name):
    templates = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent / "pages"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters |= {"auc": auc, "signed": signed, "counted": counted, "percent": percent, "breakable": breakable}
    return templates.get_template(name)


def cleaned(value):
    """The result with every text fit for a page (no control letters, none that turn what follows round) and every
    number finite or None."""
    if isinstance(value, dict):
        return {cleaned(key): cleaned(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [cleaned(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return cleaned_text(value) if isinstance(value, str) else value


def cleaned_text(text):
    seen = "".join(" " if letter.isspace() else letter for letter in text if letter not in TURNS_TEXT_ROUND)
    return "".join("\ufffd" if unicodedata.category(letter) in ("Cc", "Cs", "Cn") else letter for letter in seen)


def in_order(estimates):
    """The estimates (code -> anything), those to trust first, unknown codes last."""
    known = [code for code in ORDER if code in estimates]
    return {code: estimates[code] for code in [*known, *(code for code in estimates if code not in ORDER)]}


def expected_in_order(expected):
    return expected | {"estimators": in_order(expected["estimators"] or {})}


def by_reason(dropped_because):
    """dropped_because : row -> reason. Gives reason -> rows, both in the order of the file."""
    rows = {}
    for row, reason in dropped_because.items():
        rows.setdefault(reason, []).append(row)
    return rows


def breakable(name):
    """A name of many words without blanks, to be broken between them."""
    return Markup("<wbr>").join(re.split(r"(?<=[_.])", name.strip() or "(no name)"))


def auc(number):
    return f"{number:.3f}"


def signed(number):
    """Three decimals, with the sign that was meant: no hyphen, and none before zero."""
    return "0.000" if f"{abs(number):.3f}" == "0.000" else f"{number:+.3f}".replace("-", "−")


def percent(share):
    return f"{100 * share:.1f} %"


def counted(number, thing, things=None):
    """``1 site``, ``2 sites``; ``things`` where the plural is not made with s."""
    return f"{number} {thing if number == 1 else things or thing + 's'}"


def interval_of(estimate):
    if estimate["lower"] is None or estimate["upper"] is None:
        return "no interval"
    return f"interval {auc(estimate['lower'])} to {auc(estimate['upper'])}"


def estimates_figure(estimates):
    drawn = figures.drawn_estimates(estimates)
    if not drawn:
        return None
    told = "; ".join(f"{e['name']} {auc(e['auc'])}, {interval_of(e)}" for e in drawn)
    return svg(figures.plot_estimates(estimates), "estimates", f"The AUC by {counted(len(drawn), 'method')}: {told}.")


def roc_figure(result):
    roc = result["roc"]
    told = ", ".join(f"{true_positives(roc, x):.2f} at {x:g}" for x in READ_OFF)
    band = " with a band around it" if figures.roc_has_band(roc) else ""
    label = (
        f"ROC curve{band}, from 0, 0 to 1, 1. The share of presences found is {told} of the absences wrongly called "
        "presence."
    )
    return svg(figures.plot_roc(roc), "roc", label)


def true_positives(roc, false_positives):
    """The highest point of the curve at this share of false positives, on the straight lines between its points."""
    points = list(zip(roc["false_positive"], roc["true_positive"], strict=True))
    x0, y0 = max(point for point in points if point[0] <= false_positives)
    if x0 == false_positives:
        return y0
    x1, y1 = min(point for point in points if point[0] > false_positives)
    return y0 + (y1 - y0) * (false_positives - x0) / (x1 - x0)


def roc_missing(estimates):
    """Why there is no ROC curve, as far as the estimates tell, in a sentence."""
    tournament = estimates.get("tlpo")
    if tournament and tournament["auc"] is None and tournament["note"]:
        return tournament["note"]
    return "No such tournament was played for this survey."


def tilt_figure(tilt):
    sites = figures.drawn_sites(tilt)
    if not sites:
        return None
    label = f"{counted(len(sites), 'arrow')}, one per site. {both_moves(sites)}"
    return svg(figures.plot_tilt(tilt), "tilt", label)


def both_moves(sites):
    return f"{moves(sites, 1)} {moves(sites, 0)}"


def moves(sites, presence):
    """In words: how the score of the presences (1) or absences (0) moves when the site is left out."""
    name = "presence" if presence else "absence"
    moved = [site["held_out"] - site["full"] for site in sites if site["presence"] == presence]
    if not moved:
        return f"No {name} has both scores."
    lower, higher = sum(move < 0 for move in moved), sum(move > 0 for move in moved)
    return (
        f"Of {counted(len(moved), name)}, {lower} get a lower score when left out and {higher} a higher one. The "
        f"middle (median) change is {signed(statistics.median(moved))}."
    )


def expected_figure(expected):
    shown = in_order((expected and expected["estimators"]) or {})
    drawn = [estimator for estimator in shown.values() if estimator["bias"] is not None]
    if not drawn:
        return None
    told = "; ".join(f"{e['name']} {signed(e['bias'])}" for e in drawn)
    label = f"Mean error of the AUC in simulated surveys like this one, by {counted(len(drawn), 'method')}: {told}."
    return svg(figures.plot_expected(shown), "expected", label)


def svg(plot, name, label):
    return Markup(figures.inline_svg(plot, f"{name}-", label))
