"""What to report of one survey, and what to leave alone: every estimator with its interval or the reason for none, the
bias to expect on surveys like this one, and the sentences that say so."""

import numpy as np
import pandas as pd

from surveyauc.estimators import ESTIMATORS, score_surveys
from surveyauc.holdout import pairs, random_folds, stacked, stratified_folds
from surveyauc.intervals import auc_ci, auc_delong, pairs_interval
from surveyauc.inversion import Simulation, draw_with_presences, inverted_interval, occupancy, strength_of_mean
from surveyauc.models import MODELS, design_of, refits_of
from surveyauc.own_survey import FEW, FOLDS, estimates, hold_out, intransitive_share, pairs_in_order, roc, wins_of
from surveyauc.ranks import expected_auc
from surveyauc.streams import IndependentStream

NAMES = {code: (ESTIMATORS[code].name, ESTIMATORS[code].family) for code in ("resub", "loo", "rand5", "strat5")} | {
    "perfold": ("mean over stratified folds", "pairs and per-fold"),
    "lpo": ("leave-pair-out", "pairs and per-fold"),
    "rloo": ("rebalanced leave-one-out", "pooled refits"),
    "tlpo": ("tournament leave-pair-out", "pairs and per-fold"),
}
TOURNAMENT_UP_TO = 1000  # sites
EXPECTED = ("resub", "loo", "rand5", "strat5", "perfold", "lpo")
SIMULATED_SITES = 40_000  # surveys are simulated until they hold so many sites, within the next limits
SIMULATED_SURVEYS = (100, 400)
SIMULATED_PAIRS = 150


def assess(survey, model="ml", penalty=1.0, alpha=0.05, seed=1, progress=None, briefly=False):
    """Everything that a report shows of one `reading.Survey`, as a dict of numbers, texts and lists.

    model : a key of `models.MODELS` or an estimator as in scikit-learn; progress : wraps the loop over its refits;
    briefly : without the tournament and the expected bias
    """
    design, labels = design_of(survey.covariates), survey.labels
    refit = refits_of(design, labels, model, penalty, progress)
    likelihood = isinstance(model, str) and model == "ml"
    stream = IndependentStream(seed, "own survey", 0)  # the same whatever the survey is called
    tournament = isinstance(model, str) and len(labels) <= TOURNAMENT_UP_TO and not briefly
    held = hold_out(refit, labels, survey.groups, stream, tournament=tournament)
    found = estimates(held)
    repeated = len(set(survey.groups)) < len(labels)
    intervals = _intervals(held, survey, design, likelihood, repeated, alpha, stream)
    rows = {}
    for code, (value, why) in found.items():
        lower, upper, note = intervals.get(code, (None, None, ""))
        rows[code] = {"name": NAMES[code][0], "family": NAMES[code][1], "auc": _plain(value)}
        rows[code] |= {"lower": lower, "upper": upper, "note": why or note}
    result = {
        "n": len(labels),
        "presences": int(labels.sum()),
        "absences": int(len(labels) - labels.sum()),
        "pairs": len(held.pairs),
        "covariates": list(survey.covariates),
        "model": described(model, penalty),
        "dropped_rows": list(survey.dropped),
        "dropped_because": dict(survey.dropped),
        "notes": list(survey.notes),
        "warnings": list(survey.warnings),
        "estimates": rows,
        "intransitive": _plain(intransitive_share(held.wins)) if held.wins is not None else None,
        "roc": _roc(held, alpha, seed),
        "tilt": [
            {"site": site, "presence": int(y), "full": float(a), "held_out": float(b)}
            for site, y, a, b in zip(survey.sites, labels, held.full, held.leave_one_out, strict=True)
        ],
        "expected": expected_bias(design, labels, stream) if likelihood and not (repeated or briefly) else None,
    }
    loo = rows["loo"]["auc"]
    if loo < 0.5:
        result["warnings"].append(
            f"pooled leave-one-out AUC below 0.5 ({loo:.3f}) is the known bias, not an inverted model: do not flip the "
            "scores"
        )
    return result | _sentences(result, alpha)


def described(model, penalty=1.0):
    """The model in words."""
    return MODELS[model].format(penalty=penalty) if isinstance(model, str) else type(model).__name__


def _plain(value):
    """A float for JSON, or None."""
    return None if value is None or not np.isfinite(value) else float(value)


def _intervals(held, survey, design, likelihood, repeated, alpha, stream):
    """(lower, upper, note) of the estimators that have one, and the reason for the others."""
    labels = held.labels
    codes = dict.fromkeys(NAMES, (None, None, "no interval of known coverage"))
    smaller = int(min(labels.sum(), len(labels) - labels.sum()))
    if smaller < FEW:
        reason = f"no interval: {smaller} sites in the smaller class; with fewer than {FEW} it would mean nothing"
        return dict.fromkeys(NAMES, (None, None, reason))
    if repeated:
        reason = "no interval: rows of one site or block are not independent"
        return dict.fromkeys(NAMES, (None, None, reason))
    for code, scores, centre in (
        ("resub", held.full, "DeLong; centred on a value that flatters the model"),
        ("loo", held.leave_one_out, "DeLong; centred on a biased value: do not use it"),
        ("strat5", held.stratified_folds[1], "DeLong; centred on a biased value: do not use it"),
        ("rand5", held.random_folds[1], "DeLong; centred on a biased value: do not use it"),
    ):
        row = auc_ci(auc_delong(scores, labels), alpha).iloc[0]
        low, high = _plain(row["lower_bound"]), _plain(row["upper_bound"])
        codes[code] = (low, high, centre if low is not None else row["note"])
    if likelihood:
        found = inverted_interval(design, labels, stream, alpha)
        note = "test inversion by simulation; for the AUC of the fitted model on new sites like these"
    else:
        presences, absences = int(labels.sum()), int(len(labels) - labels.sum())
        found = {"lower_bound": np.nan, "upper_bound": np.nan}
        if len(held.pairs) == presences * absences:  # the presence runs fastest
            right = pairs_in_order(held.presence_scores, held.absence_scores).reshape(absences, presences).T
            found = pairs_interval(right, alpha, "logit", "t")
        note = (
            "structural components, logit scale, Student's t; covers less than its level where there is little signal"
        )
    low, high = _plain(found["lower_bound"]), _plain(found["upper_bound"])
    why_none = "no interval: nothing varies, or not every pair was read"
    codes["lpo"] = (low, high, note) if low is not None else (None, None, why_none)
    return codes


def _roc(held, alpha, seed, resamples=500):
    """The curve of the tournament with a pointwise bootstrap band over sites, or None."""
    if held.wins is None:
        return None
    scores, labels = wins_of(held.wins), held.labels
    false, true = roc(scores, labels)
    band = {"lower": None, "upper": None}
    if min(labels.sum(), len(labels) - labels.sum()) >= FEW:
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


def expected_bias(design, labels, stream):
    """Bias and spread of the estimators on surveys with these covariates and this number of presences, drawn from the
    fit shrunken so that resubstitution reads on average what it reads here; None without a fit that varies."""
    try:
        simulation = Simulation.of(design, labels, stream)
    except ValueError:
        return None
    strength = strength_of_mean(simulation)
    probability = occupancy(strength * simulation.score, simulation.presences)
    least, most = SIMULATED_SURVEYS
    draws = int(np.clip(SIMULATED_SITES // len(labels), least, most))
    drawn = draw_with_presences(stream, probability, simulation.presences, draws)
    schemes = {
        "random_folds": np.stack([random_folds(stream, y, FOLDS) for y in drawn]),
        "stratified_folds": np.stack([stratified_folds(stream, y, FOLDS) for y in drawn]),
        "pairs": stacked([pairs(stream, y, SIMULATED_PAIRS) for y in drawn]),
    }
    scores = score_surveys(np.broadcast_to(design, (draws, *design.shape)), drawn, schemes, EXPECTED)
    predictors = scores["coefficients"][:, 1:] @ design.T
    truth = expected_auc(predictors, probability, np.ones(predictors.shape))
    rows = {}
    for code in EXPECTED:
        error = pd.Series(scores[code] - truth).dropna()
        rows[code] = {"name": NAMES[code][0], "family": NAMES[code][1], "bias": float(error.mean())}
        rows[code] |= {"mcse": float(error.std() / np.sqrt(len(error))), "sd": float(error.std())}
    note = f"{draws} simulated surveys; the model behind them has an AUC of {np.mean(truth):.2f} on average"
    return {"note": note, "estimators": rows}


def _sentences(result, alpha):
    """What to report, what to ignore, and a sentence for a methods section."""
    level, lpo, loo = 100 * (1 - alpha), result["estimates"]["lpo"], result["estimates"]["loo"]
    interval = "" if lpo["lower"] is None else f" ({level:g} % interval {lpo['lower']:.3f} to {lpo['upper']:.3f})"
    why_none = f" There is {lpo['note']}." if lpo["lower"] is None else ""
    report = (
        f"Report {lpo['auc']:.3f}{interval}: leave-pair-out, which compares a presence and an absence only where one "
        f"model, fitted without both, has scored them.{why_none}"
    )
    if lpo["lower"] is not None and not lpo["lower"] - 0.0005 <= lpo["auc"] <= lpo["upper"] + 0.0005:
        report += " The interval is for the AUC of the fitted model on new sites and does not hold the estimate here."
    lower = "so it reads too low" if loo["auc"] < lpo["auc"] else "so it reads too low on average, if not here"
    ignore = (
        f"Do not report {loo['auc']:.3f}, pooled leave-one-out: each site was scored by a model that leans against its "
        f"own label, {lower}."
    )
    if loo["auc"] < 0.5:
        ignore += " That it is below one half does not mean an inverted model."
    every = result["presences"] * result["absences"]
    pairs_read = "all" if result["pairs"] == every else f"{result['pairs']} of {every}"
    how = "; interval by test inversion" if lpo["note"].startswith("test inversion") else ""
    methods = (
        f"The AUC of {result['model']}, on {', '.join(result['covariates'])}, was {lpo['auc']:.3f}{interval} by "
        f"leave-pair-out cross-validation over {pairs_read} presence-absence pairs (n = {result['n']}, "
        f"{result['presences']} presences{how})."
    )
    return {"report": report, "ignore": ignore, "methods": methods}
