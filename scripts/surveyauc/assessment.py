"""What to report of one survey, and what to leave alone: every estimator with its interval or the reason for none, the
bias to expect on surveys like this one, and the sentences that say so."""

import numpy as np
import pandas as pd
from scipy.special import logit

from surveyauc.expected import CODES, expected_bias, named
from surveyauc.f_measure import confusion, f1, f1_at_prevalence
from surveyauc.intervals import auc_ci, auc_delong, pairs_interval
from surveyauc.inversion import Simulation, first_look, inverted, inverted_difference
from surveyauc.logistic import fit_masked
from surveyauc.models import MODELS, design_of, refits_of, solver_of
from surveyauc.own_survey import FEW, estimates, hold_out, intransitive_share, pair_scores, roc, wins_of
from surveyauc.own_table import MOST_COLUMNS
from surveyauc.ranks import beats
from surveyauc.reading import SurveyError
from surveyauc.streams import IndependentStream

TOURNAMENT_UP_TO = 500  # sites
EMPTY_F1 = 0.0  # where there is neither a presence nor a site called one
NOTABLE_BIAS = 0.02  # of leave-pair-out, from which a report warns of it


def assess(survey, model="ml", penalty=1.0, alpha=0.05, seed=1, target_prevalence=None, progress=None, briefly=False):
    """Everything that a report shows of one `own_table.Survey`, as a dict of numbers, texts and lists.

    model : a key of `models.MODELS` or an estimator as in scikit-learn; target_prevalence : that F1 is adjusted to,
    default none; progress : wraps the loop over the refits of the latter; briefly : without the tournament and the
    expected bias
    """
    design, labels = design_of(survey.covariates), survey.labels
    warnings = [*survey.warnings, *_check_model(design, labels, model, penalty, target_prevalence)]
    refit = refits_of(design, labels, model, penalty, progress)
    fit = solver_of(model, penalty) if isinstance(model, str) else None
    stream = IndependentStream(seed, "own survey", 0)  # the same whatever the survey is called
    tournament = fit is not None and len(labels) <= TOURNAMENT_UP_TO and not briefly
    held = hold_out(refit, labels, survey.groups, stream, tournament=tournament)
    found = estimates(held)
    if not (tournament or briefly):
        reason = (
            f"with more than {TOURNAMENT_UP_TO} sites"
            if fit
            else "with a model that is fitted one training set at a time"
        )
        found["tlpo"] = (None, f"not available: no tournament is played {reason}")
    repeated = len(set(survey.groups)) < len(labels)
    simulated = _simulation(design, labels, stream, fit, repeated)
    intervals = _intervals(held, repeated, simulated, alpha)
    rows = {}
    for code, (value, why) in found.items():
        lower, upper, note = intervals.get(code, (None, None, ""))
        rows[code] = named(code) | {"auc": _plain(value)}
        rows[code] |= {"lower": lower, "upper": upper, "note": why or note}
    result = {
        "n": len(labels),
        "presences": int(labels.sum()),
        "absences": int(len(labels) - labels.sum()),
        "pairs": len(held.pairs),
        "level": round(100 * (1 - alpha), 6),
        "group": survey.group if repeated else None,
        "groups": len(set(survey.groups)),
        "covariates": list(survey.covariates),
        "model": described(model, penalty),
        "dropped_rows": list(survey.dropped),
        "dropped_because": dict(survey.dropped),
        "notes": list(survey.notes),
        "warnings": warnings,
        "estimates": rows,
        "intransitive": _plain(intransitive_share(held.wins)) if held.wins is not None else None,
        "roc": _roc(held, alpha, seed, has_band=not repeated),
        "tilt": [
            {"site": site, "presence": int(y), "full": float(a), "held_out": float(b)}
            for site, y, a, b in zip(survey.sites, labels, held.full, held.leave_one_out, strict=True)
        ],
        "f1": _f1(held, target_prevalence) if fit else None,
        "comparison": None,
        "expected": None if briefly else _expected(simulated),
    }
    if survey.compared is not None:
        result["comparison"] = _comparison(survey, held, model, penalty, simulated, alpha, intervals["lpo"])
    loo = rows["loo"]["auc"]
    if loo < 0.5:
        result["warnings"].append(
            f"pooled leave-one-out AUC below 0.5 ({loo:.3f}) is what the known bias does where there is little signal; "
            "it does not show an inverted model: do not flip the scores"
        )
    if rows["lpo"]["auc"] < 0.5:
        result["warnings"].append(
            f"leave-pair-out is below 0.5 ({rows['lpo']['auc']:.3f}): on these sites the model found nothing that "
            "holds on others; a model without signal does so about every other time"
        )
    expected = result["expected"] and result["expected"]["estimators"].get("lpo")
    if expected and expected["bias"] + 3 * expected["mcse"] < -NOTABLE_BIAS:
        result["warnings"].append(
            f"on surveys like this one leave-pair-out itself reads {-expected['bias']:.3f} too low on average: two "
            "sites fewer matter to a model with so many coefficients; fewer covariates or the model ridge help"
        )
    return result | _sentences(result, result["level"])


def _check_model(design, labels, model, penalty, target_prevalence):
    """Warnings of a model that has more columns than the survey can carry. Raises SurveyError where it cannot be fitted
    at all."""
    if isinstance(model, type):
        raise SurveyError(f"the model is a class; write {model.__name__}(), with brackets")
    if model == "ridge" and not 0 < penalty < np.inf:
        raise SurveyError(f"the penalty {penalty:g} is not a number above 0")
    if target_prevalence is not None and not 0 < target_prevalence < 1:
        raise SurveyError(f"the target prevalence {target_prevalence:g} does not lie between 0 and 1")
    if not isinstance(model, str):
        return []
    sites, columns = design.shape
    most = MOST_COLUMNS if model == "ridge" else min(MOST_COLUMNS, sites - 4)  # pairs are left out, a degree is left
    if columns > most:
        raise SurveyError(
            f"the covariates make {columns} columns for {sites} sites, and this model takes {most} at most: name fewer "
            "covariates" + ("" if model == "ridge" else ", or choose the model ridge")
        )
    warnings = []
    smaller = int(min(labels.sum(), sites - labels.sum()))
    if model == "ml" and columns > 1 and 2 * columns > smaller:
        warnings.append(
            f"the covariates make {columns} columns for {smaller} sites in the smaller class, fewer than two for each: "
            "such a model fits what is chance; fewer covariates or the model ridge help"
        )
    if model == "ml" and fit_masked(design, labels, np.ones((1, sites), bool)).at_edge[0]:
        warnings.append(
            "the covariates together separate presences from absences, or nearly: their coefficients grow without end, "
            "and the numbers are those where the fit stops; the models ridge and firth stay finite"
        )
    return warnings


def described(model, penalty=1.0):
    """The model in words."""
    return MODELS[model].format(penalty=penalty) if isinstance(model, str) else type(model).__name__


def _plain(value):
    """A float for JSON, or None."""
    return None if value is None or not np.isfinite(value) else float(value)


def _intervals(held, repeated, simulated, alpha):
    """(lower, upper, note) of the estimators that have one, and the reason for the others."""
    labels = held.labels
    codes = dict.fromkeys(CODES, (None, None, "no interval of known coverage"))
    smaller = int(min(labels.sum(), len(labels) - labels.sum()))
    if smaller < FEW:
        reason = f"no interval: {smaller} sites in the smaller class; with fewer than {FEW} it would mean nothing"
        return dict.fromkeys(CODES, (None, None, reason))
    if repeated:
        reason = "no interval: rows of one site or block are not independent"
        return dict.fromkeys(CODES, (None, None, reason))
    for code, scores, centre in (
        ("resub", held.full, "DeLong; centred on a value that flatters the model"),
        ("loo", held.leave_one_out, "DeLong; centred on a biased value: do not use it"),
        ("strat5", held.stratified_folds[1], "DeLong; centred on a biased value: do not use it"),
        ("rand5", held.random_folds[1], "DeLong; centred on a biased value: do not use it"),
    ):
        if scores is None:
            continue
        row = auc_ci(auc_delong(scores, labels), alpha).iloc[0]
        low, high = _plain(row["lower_bound"]), _plain(row["upper_bound"])
        codes[code] = (low, high, centre if low is not None else row["note"])
    why_none = "no interval: nothing varies, or not every pair was read"
    if not isinstance(simulated, str):
        found = inverted(*simulated, alpha)
        note = "test inversion by simulation; for the AUC of the fitted model on new sites like these"
    else:
        found, note = _of_pairs(held, alpha), "structural components, logit scale, Student's t; "
        note += "covers less than its level where there is little signal"
    low, high = _plain(found["lower_bound"]), _plain(found["upper_bound"])
    codes["lpo"] = (low, high, note) if low is not None else (None, None, why_none)
    return codes


def _of_pairs(held, alpha):
    """The interval of leave-pair-out from its pairs alone; it takes all of them."""
    presences, absences = int(held.labels.sum()), int(len(held.labels) - held.labels.sum())
    if len(held.pairs) < presences * absences:
        return {"lower_bound": np.nan, "upper_bound": np.nan}
    right = beats(held.presence_scores, held.absence_scores).reshape(absences, presences).T  # the presence runs fastest
    return pairs_interval(right, alpha, "logit", "t")


def _f1(held, target):
    """F1 of pooled 5-fold counts, on average the least biased of those measured, at the threshold 1/2 and at the share
    of presences; None where folds lack a class. ``target``: a prevalence that it is adjusted to, or None."""
    scores = held.stratified_folds[1]
    if scores is None:
        return None
    prevalence = float(held.labels.mean())
    values = []
    for threshold in (0.5, prevalence):
        counts = confusion(scores, held.labels, logit(threshold))
        found = f1(*counts[:3], empty=EMPTY_F1)
        tp, fp, fn, tn = map(int, counts)
        adjusted = f1_at_prevalence(tp / (tp + fn), fp / (fp + tn), target) if target else None
        row = {"threshold": threshold, "tp": tp, "fp": fp, "fn": fn, "tn": tn, "f1": float(found.value)}
        values.append(row | {"was_empty": bool(found.was_empty), "at_target": adjusted and float(adjusted)})
    return {"prevalence": prevalence, "target": target, "empty": EMPTY_F1, "values": values}


def _comparison(survey, held, model, penalty, simulated, alpha, interval):
    """A second model on the same sites and pairs: its AUC by leave-pair-out, the difference of the two, and the
    interval of that for the two fitted models on new sites. ``interval`` is that of the first model."""
    labels = survey.labels
    second = design_of(survey.compared)
    numbers = pd.factorize(survey.groups)[0]
    above, below = pair_scores(refits_of(second, labels, model, penalty), held.pairs, numbers)
    one, other = (float(beats(*pair).mean()) for pair in ((held.presence_scores, held.absence_scores), (above, below)))
    lower, upper, note = None, None, interval[2]
    if isinstance(simulated, str):
        note = f"no interval: {simulated}"
    elif interval[0] is not None:
        lower, upper, note = _interval_of_difference(survey, simulated[0], alpha)
    return {
        "covariates": list(survey.compared),
        "auc": other,
        "difference": one - other,
        "lower": lower,
        "upper": upper,
        "note": note,
    }


def _interval_of_difference(survey, simulation, alpha):
    """(lower, upper, note). Surveys are simulated from a fit to the columns of both models, so that either can be the
    better one."""
    other = survey.compared.drop(columns=survey.covariates.columns, errors="ignore")
    both = design_of(survey.covariates.join(other))
    try:
        of_both = Simulation.of(both, survey.labels, simulation.stream, fit=simulation.fit)
    except ValueError as error:
        return None, None, f"no interval: {error}"
    models = design_of(survey.covariates), design_of(survey.compared)
    found = inverted_difference(of_both, first_look(of_both), *models, alpha)
    note = "paired, by test inversion of the resubstitution difference; for the two fitted models on new sites"
    if found["note"]:
        note += f"; {found['note']}"
    return _plain(found["lower_bound"]), _plain(found["upper_bound"]), note


def _roc(held, alpha, seed, has_band, resamples=500):
    """The curve of the tournament, with a pointwise bootstrap band over sites where these are independent, or None."""
    if held.wins is None:
        return None
    scores, labels = wins_of(held.wins), held.labels
    false, true = roc(scores, labels)
    band = {"lower": None, "upper": None}
    if has_band and min(labels.sum(), len(labels) - labels.sum()) >= FEW:
        generator = np.random.default_rng(seed)
        classes = [np.flatnonzero(labels == value) for value in (1, 0)]
        curves = []
        for _ in range(resamples):
            drawn = np.concatenate([generator.choice(members, len(members)) for members in classes])
            curves.append(np.interp(false, *_steps(*roc(scores[drawn], labels[drawn]))))
        low, high = np.quantile(curves, [alpha / 2, 1 - alpha / 2], axis=0)
        band = {"lower": low.tolist(), "upper": high.tolist()}
    return {"false_positive": false.tolist(), "true_positive": true.tolist()} | band


def _steps(false, true):
    """The highest true positive rate at each false positive rate, so that it can be interpolated."""
    last = np.append(np.diff(false) > 0, True)
    return false[last], true[last]


def _simulation(design, labels, stream, fit, repeated):
    """A survey that can be simulated and the first look at what it gives, or a sentence that says why not."""
    if repeated:
        return "labels are simulated site by site, and here rows of one site or block belong together"
    if fit is None:
        return "the model is fitted one training set at a time, which would take too long"
    try:
        simulation = Simulation.of(design, labels, stream, fit=fit)
    except ValueError as error:
        return f"{error}"
    return simulation, first_look(simulation)


def _expected(simulated):
    if isinstance(simulated, str):
        return {"note": f"{simulated[0].upper()}{simulated[1:]}.", "estimators": {}}
    return expected_bias(*simulated)


def _sentences(result, level):
    """What to report, what to ignore, and a sentence for a methods section."""
    lpo, loo = result["estimates"]["lpo"], result["estimates"]["loo"]
    has_interval = lpo["lower"] is not None
    bounds = f"{level:g} % interval {lpo['lower']:.3f} to {lpo['upper']:.3f}" if has_interval else ""
    report = (
        f"Report {lpo['auc']:.3f}{f' ({bounds})' if has_interval else ''}: leave-pair-out, which compares a presence "
        "and an absence only where one model, fitted without both, has scored them."
    )
    if not has_interval:
        report += f" There is {lpo['note']}."
    elif outside_interval(lpo):
        report += " The interval is for the AUC of the fitted model on new sites and does not hold the estimate here."
    ignore = f"Do not report {loo['auc']:.3f}, pooled leave-one-out"
    if loo["auc"] == lpo["auc"]:
        ignore += ", though it is the same here"
    lower = "so it reads too low" if loo["auc"] < lpo["auc"] else "so it reads too low on average, if not here"
    ignore += f": each site was scored by a model that leans against its own label, {lower}."
    if loo["auc"] < 0.5:
        ignore += " That it is below one half does not mean an inverted model."
    return {"report": report, "ignore": ignore, "methods": _methods(result, bounds)}


def outside_interval(estimate):
    """Whether an estimate lies outside its interval by more than the digits shown."""
    lower, upper = estimate["lower"], estimate["upper"]
    return lower is not None and not lower - 0.0005 <= estimate["auc"] <= upper + 0.0005


def _methods(result, bounds):
    lpo, other, every = result["estimates"]["lpo"], result["comparison"], result["presences"] * result["absences"]
    grouped = result["groups"] < result["n"]
    pairs_read = "all" if grouped or result["pairs"] == every else f"{result['pairs']} of {every}"
    apart = f" of different {result['group']}" if grouped else ""
    held = f" in {result['groups']} groups held out whole" if apart else ""
    methods = (
        f"The AUC of {result['model']}, on {', '.join(result['covariates'])}, was {lpo['auc']:.3f} by leave-pair-out "
        f"cross-validation over {pairs_read} presence-absence pairs{apart} (n = {result['n']}{held}, "
        f"{result['presences']} presences)"
    )
    if lpo["note"].startswith("test inversion"):
        methods += (
            f", {bounds} for the AUC of the fitted model on new sites, by inversion of a simulated test of the "
            "resubstitution AUC"
        )
    elif bounds:
        methods += f", {bounds} ({lpo['note']})"
    methods += "."
    return methods + _methods_of_comparison(other, result["level"]) if other else methods


def _methods_of_comparison(other, level):
    interval = ""
    if other["lower"] is not None:
        interval = (
            f" ({level:g} % interval {other['lower']:+.3f} to {other['upper']:+.3f} for the difference of the two "
            "fitted models on new sites, by inversion of a simulated test of the resubstitution difference)"
        )
    return (
        f" With {', '.join(other['covariates'])} instead it was {other['auc']:.3f} on the same pairs, a difference of "
        f"{other['difference']:+.3f}{interval}."
    )
