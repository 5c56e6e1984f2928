"""How uncertain an AUC is: bootstrap and DeLong for scores on one test set, differences between models on the same test
set, LeDell's interval for per-fold means, structural components for leave-pair-out.

Tables have the columns of the R package precrec, whose vignette they are checked against, and a ``note`` where a number
must not be taken at its face.
"""

import warnings
from dataclasses import dataclass

import numpy as np
import pandas as pd

from surveyauc.precision_recall import area_of_groups, groups_from_the_top
from surveyauc.ranks import auc, tied

CURVES = ("ROC", "PRC")
FEW = 5  # with fewer of the smaller class an interval means little
DISAGREE = 10.0  # ratio of two p-values from which it is said


@dataclass(frozen=True)
class Bootstrap:
    """models, curves : names; observed : (models, curves) areas; resampled : (resamples, models, curves)"""

    models: list
    curves: tuple
    observed: np.ndarray
    resampled: np.ndarray


@dataclass(frozen=True)
class DeLong:
    """models : names; observed : (models,) AUCs; covariance : (models, models) of them; rows : sites behind them"""

    models: list
    observed: np.ndarray
    covariance: np.ndarray
    rows: int


def auc_boot(scores, labels, resamples=1000, seed=None, curves=CURVES, draws=None, area=area_of_groups):
    """Stratified bootstrap of the areas of one or several models on the same test set.

    Each class is resampled by itself, so that its size and with it the balance of the data never change, and one draw
    of sites serves all models (Efron and Tibshirani 1993, An Introduction to
    the Bootstrap, chapters 6 and 8).

    Parameters
    ----------
    scores : (sites,) floats, or a dict of them by model
    labels : (sites,) 0/1
    resamples : 2 or more
    seed : makes it reproducible; no random state but its own is touched
    curves : "ROC", "PRC" or both
    draws : (resamples, sites) multiplicity of each site, drawn beforehand; then no seed is used
    area : function of (true, false), each (samples, groups), for "PRC"

    Raises
    ------
    ValueError : labels other than 0 and 1, one class only, lengths that differ, scores that are missing or infinite,
    fewer than 2 resamples, an unknown curve
    """
    scores, labels = _checked(scores, labels)
    curves = (curves,) if isinstance(curves, str) else tuple(curves)
    for curve in curves:
        if curve not in CURVES:
            raise ValueError(f"no curve {curve!r}; there are {' and '.join(CURVES)}")
    if draws is None:
        if resamples < 2:
            raise ValueError(f"{resamples} resamples are too few; 2 or more are needed")
        draws = stratified_draws(labels, resamples, np.random.default_rng(seed))
    _warn_of_few(labels)
    weights = np.concatenate([np.ones((1, len(labels))), draws])  # the data themselves first
    areas = np.empty((len(weights), len(scores), len(curves)))
    for m, values in enumerate(scores.values()):
        order, group = groups_from_the_top(values)
        starts = np.flatnonzero(np.diff(group, prepend=-1))
        true = np.add.reduceat(weights[:, order] * labels[order], starts, axis=1)
        false = np.add.reduceat(weights[:, order] * (1 - labels[order]), starts, axis=1)
        for c, curve in enumerate(curves):
            areas[:, m, c] = _roc_of_groups(true, false) if curve == "ROC" else area(true, false)
    return Bootstrap(list(scores), curves, areas[0], areas[1:])


def stratified_draws(labels, resamples, generator):
    """(resamples, sites) how often each site is drawn, with replacement, from its own class."""
    draws = np.zeros((resamples, len(labels)))
    for value in (1, 0):
        members = np.flatnonzero(labels == value)
        chosen = generator.integers(len(members), size=(resamples, len(members)))
        flat = chosen + len(members) * np.arange(resamples)[:, None]
        counts = np.bincount(flat.ravel(), minlength=resamples * len(members))
        draws[:, members] = counts.reshape(resamples, len(members))
    return draws


def auc_delong(scores, labels, curves="ROC"):
    """AUCs of one or several models on the same test set with their covariance, written down instead of resampled
    (DeLong, DeLong and Clarke-Pearson 1988, Biometrics 44:837-845), in time n log n by mid-ranks (Sun and Xu 2014, IEEE
    Signal Processing Letters 21:1389-1393).

    scores, labels : as in `auc_boot`. Raises ValueError as it does, where a class has fewer than 2 sites, and for
    "PRC", which is no U statistic and has no such covariance: use `auc_boot`.
    """
    if curves != "ROC":
        raise ValueError(f"DeLong's covariance is that of a U statistic, which {curves} is not; use auc_boot")
    scores, labels = _checked(scores, labels)
    if min(labels.sum(), (1 - labels).sum()) < 2:
        raise ValueError("a class with one site has no variance; 2 or more of each are needed")
    _warn_of_few(labels)
    parts = [_components(values, labels) for values in scores.values()]
    observed = np.array([of_presences.mean() for of_presences, _ in parts])
    covariance = sum(np.atleast_2d(np.cov(np.stack(side), ddof=1)) / len(side[0]) for side in zip(*parts, strict=True))
    return DeLong(list(scores), observed, covariance, len(labels))


def _components(scores, labels):
    """Structural components: of each presence the share of absences below it, of each absence of presences above."""
    present = labels == 1
    n1, n0 = present.sum(), (~present).sum()
    everywhere = midranks(scores)
    of_presences = (everywhere[present] - midranks(scores[present])) / n0
    of_absences = 1.0 - (everywhere[~present] - midranks(scores[~present])) / n1
    return of_presences, of_absences


def midranks(scores):
    """(sites,) ranks from 1, those of `tied` neighbours shared."""
    order = np.argsort(scores, kind="stable")
    rising = scores[order]
    group = np.concatenate([[0], np.cumsum(~tied(rising[1:], rising[:-1]))])
    sizes = np.bincount(group)
    last = np.cumsum(sizes)
    ranks = np.empty(len(scores))
    ranks[order] = ((last - sizes + 1 + last) / 2.0)[group]
    return ranks


def auc_ci(result, alpha=0.05):
    """Intervals of level ``1 - alpha``, one row per model and curve.

    Of a `Bootstrap` the percentile interval, which is of values that the area took; of `DeLong` the normal one, clipped
    to [0, 1], and none where the variance is 0. Raises ValueError for an alpha outside (0, 1).
    """
    _check_alpha(alpha)
    rows = []
    if isinstance(result, Bootstrap):
        low, high = np.quantile(result.resampled, [alpha / 2, 1 - alpha / 2], axis=0)
        for m, model in enumerate(result.models):
            for c, curve in enumerate(result.curves):
                values = result.resampled[:, m, c]
                rows.append(
                    {
                        "modnames": model,
                        "curvetypes": curve,
                        "aucs": result.observed[m, c],
                        "mean": values.mean(),
                        "error": values.std(ddof=1),
                        "lower_bound": low[m, c],
                        "upper_bound": high[m, c],
                        "n": len(values),
                        "note": "" if np.ptp(values) > 0 else "no spread in the resamples, so no interval",
                    }
                )
                if rows[-1]["note"]:
                    rows[-1]["lower_bound"] = rows[-1]["upper_bound"] = np.nan
        return pd.DataFrame(rows)
    for m, model in enumerate(result.models):
        interval = normal_interval(result.observed[m], result.covariance[m, m], alpha)
        rows.append({"modnames": model, "curvetypes": "ROC", "aucs": result.observed[m]} | interval)
        rows[-1] |= {"n": result.rows, "note": rows[-1].pop("note")}
    return pd.DataFrame(rows)


def auc_diff(result, alpha=0.05, alternative="two.sided"):
    """Differences between every two models, first minus second, one row per pair and curve.

    The interval is two-sided whatever the alternative ("two.sided", "greater": the first has the larger area, "less").
    Of a `Bootstrap` ``p_values`` is the percentile p-value, which cannot fall below ``2 / (n + 1)``, and
    ``p_values_wald`` that of ``z_values = diffs / sd``, which assumes a normal difference; a note says when the floor
    is reached and when the two disagree by more than a factor of ten. Of `DeLong` ``p_values`` is that of ``z_values``.
    z and p are missing where the difference does not vary. Raises ValueError for an alpha outside (0, 1), an unknown
    alternative, one model only.
    """
    _check_alpha(alpha)
    if alternative not in ("two.sided", "greater", "less"):
        raise ValueError(f"no alternative {alternative!r}; there are two.sided, greater and less")
    if len(result.models) < 2:
        raise ValueError("a difference takes two models; this is one")
    pairs = [(i, j) for i in range(len(result.models)) for j in range(i + 1, len(result.models))]
    if isinstance(result, Bootstrap):
        rows = [
            _bootstrap_difference(result, c, i, j, alpha, alternative)
            for i, j in pairs
            for c in range(len(result.curves))
        ]
    else:
        rows = [_delong_difference(result, i, j, alpha, alternative) for i, j in pairs]
    return pd.DataFrame(rows)


def _bootstrap_difference(result, c, i, j, alpha, alternative):
    d = result.resampled[:, i, c] - result.resampled[:, j, c]
    difference, n = result.observed[i, c] - result.observed[j, c], len(d)
    greater, less = (1 + (d <= 0).sum()) / (n + 1), (1 + (d >= 0).sum()) / (n + 1)
    p = {"greater": greater, "less": less, "two.sided": min(1.0, 2 * min(greater, less))}[alternative]
    z, wald = wald_test(difference, d.std(ddof=1) if np.ptp(d) > 0 else 0.0, alternative)
    floor = (2 if alternative == "two.sided" else 1) / (n + 1)
    notes = []
    if p <= floor:
        notes.append(f"the percentile p-value is at its floor of {floor:.2g}")
    if not np.isnan(wald) and max(p, wald) > DISAGREE * min(p, wald):
        notes.append("the two p-values differ by more than a factor of ten")
    if np.isnan(z):
        notes.append("the difference does not vary")
    low, high = np.quantile(d, [alpha / 2, 1 - alpha / 2])
    return {
        "curvetypes": result.curves[c],
        "modnames1": result.models[i],
        "modnames2": result.models[j],
        "diffs": difference,
        "lower_bound": low,
        "upper_bound": high,
        "p_values": p,
        "z_values": z,
        "p_values_wald": wald,
        "n": n,
        "note": "; ".join(notes),
    }


def _delong_difference(result, i, j, alpha, alternative):
    contrast = np.zeros(len(result.models))
    contrast[[i, j]] = 1.0, -1.0
    difference = result.observed[i] - result.observed[j]
    variance = contrast @ result.covariance @ contrast
    interval = normal_interval(difference, variance, alpha, lowest=-1.0)
    z, p = wald_test(difference, interval["error"], alternative)
    return {
        "curvetypes": "ROC",
        "modnames1": result.models[i],
        "modnames2": result.models[j],
        "diffs": difference,
        "lower_bound": interval["lower_bound"],
        "upper_bound": interval["upper_bound"],
        "z_values": z,
        "p_values": p,
        "n": result.rows,
        "note": interval["note"],
    }


def normal_interval(estimate, variance, alpha=0.05, lowest=0.0):
    """A dict of ``error``, ``lower_bound``, ``upper_bound`` and ``note``; clipped to [lowest, 1], and missing where the
    variance is 0 (to rounding), for an area that does not vary in the sample tells nothing of how it would vary."""
    from scipy.special import ndtri

    if variance <= 1e-20:
        return {"error": 0.0, "lower_bound": np.nan, "upper_bound": np.nan, "note": "the variance is 0, so no interval"}
    error = np.sqrt(variance)
    low, high = np.clip(estimate + np.array([-1.0, 1.0]) * ndtri(1 - alpha / 2) * error, lowest, 1.0)
    return {"error": error, "lower_bound": low, "upper_bound": high, "note": ""}


def wald_test(difference, error, alternative="two.sided"):
    """(z, p) of a difference with this standard error; both missing where the error is 0."""
    from scipy.special import ndtr

    if error <= 0:
        return np.nan, np.nan
    z = difference / error
    return z, {"two.sided": 2 * ndtr(-abs(z)), "greater": ndtr(-z), "less": ndtr(z)}[alternative]


def per_fold_interval(scores, labels, folds, alpha=0.05):
    """The mean of the AUCs inside held-out folds with the interval of its influence curve (LeDell, Petersen and van der
    Laan 2015, Electronic Journal of Statistics 9:1583-1607), normal and clipped to [0, 1].

    scores : (sites,) held-out scores; labels : (sites,) 0/1; folds : (sites,) fold numbers. Returns a dict: ``auc``,
    ``error``, ``lower_bound``, ``upper_bound``, ``note``. Raises ValueError as `auc_boot`, and where a fold lacks a
    class.
    """
    scores, labels = _checked(scores, labels)
    values, folds = next(iter(scores.values())), np.asarray(folds)
    n, n1 = len(labels), labels.sum()
    areas, squares = [], []
    for fold in np.unique(folds):
        s, y = values[folds == fold], labels[folds == fold]
        area = auc(s, y)
        if np.isnan(area):
            raise ValueError(f"fold {fold} holds one class only; its AUC is not defined")
        of_presences, of_absences = _components(s, y)
        influence = np.concatenate([n / n1 * (of_presences - area), n / (n - n1) * (of_absences - area)])
        areas.append(area)
        squares.append((influence**2).mean())
    return {"auc": np.mean(areas)} | normal_interval(np.mean(areas), np.mean(squares) / n, alpha)


def fold_means_interval(scores, labels, folds, alpha=0.05):
    """The mean of the AUCs inside held-out folds with Student's t interval over the folds that hold both classes, as if
    they were independent, clipped to [0, 1]; missing where fewer than two do, or all have one AUC. Arguments, result
    and errors as `per_fold_interval`."""
    from scipy.special import stdtrit

    scores, labels = _checked(scores, labels)
    _check_alpha(alpha)
    values, folds = next(iter(scores.values())), np.asarray(folds)
    areas = np.array([auc(values[folds == fold], labels[folds == fold]) for fold in np.unique(folds)])
    areas = areas[~np.isnan(areas)]
    result = {"auc": areas.mean() if len(areas) else np.nan, "error": np.nan}
    if len(areas) < 2 or np.ptp(areas) == 0:
        return result | {"lower_bound": np.nan, "upper_bound": np.nan, "note": "the folds do not vary, so no interval"}
    error = areas.std(ddof=1) / np.sqrt(len(areas))
    reach = np.array([-1.0, 1.0]) * stdtrit(len(areas) - 1, 1 - alpha / 2) * error
    low, high = np.clip(areas.mean() + reach, 0.0, 1.0)
    return result | {"error": error, "lower_bound": low, "upper_bound": high, "note": ""}


def pairs_interval(in_order, alpha=0.05, scale="linear", quantile="normal"):
    """Leave-pair-out over every pair with the interval of its structural components.

    in_order : (presences, absences), 1 where the presence was above the absence in the refit without both, 1/2 where
    they were tied, else 0. scale : "linear", or "logit" for an interval of the log odds; quantile : "normal", or "t"
    with presences - 1 degrees of freedom. Returns a dict as `per_fold_interval`. Raises ValueError for other words, or
    fewer than 2 of a class.
    """
    from scipy.special import expit, logit, ndtri, stdtrit

    in_order = np.asarray(in_order, dtype=float)
    if min(in_order.shape) < 2:
        raise ValueError("a class with one site has no variance; 2 or more of each are needed")
    if scale not in ("linear", "logit") or quantile not in ("normal", "t"):
        raise ValueError(f"{scale!r}, {quantile!r}: scale is linear or logit, quantile normal or t")
    _check_alpha(alpha)
    n1, n0 = in_order.shape
    area = in_order.mean()
    variance = in_order.mean(axis=1).var(ddof=1) / n1 + in_order.mean(axis=0).var(ddof=1) / n0
    result = {"auc": area} | normal_interval(area, variance, alpha)
    if result["note"]:
        return result
    z = ndtri(1 - alpha / 2) if quantile == "normal" else stdtrit(n1 - 1, 1 - alpha / 2)
    reach = np.array([-1.0, 1.0]) * z * result["error"]
    bounds = np.clip(area + reach, 0.0, 1.0) if scale == "linear" else expit(logit(area) + reach / (area * (1 - area)))
    return result | {"lower_bound": bounds[0], "upper_bound": bounds[1]}


def _roc_of_groups(true, false):
    below = false.sum(axis=1, keepdims=True) - np.cumsum(false, axis=1)
    return (true * (below + 0.5 * false)).sum(axis=1) / (true.sum(axis=1) * false.sum(axis=1))


def _checked(scores, labels):
    scores = scores if isinstance(scores, dict) else {"model": scores}
    labels = np.asarray(labels)
    if labels.ndim != 1 or not np.isin(labels, (0, 1)).all():
        raise ValueError("labels must be 0 (absence) or 1 (presence), one per site")
    labels = labels.astype(int)
    if labels.min(initial=1) == labels.max(initial=0):
        raise ValueError(f"all {len(labels)} labels are {labels.max(initial=0)}; an area takes both classes")
    checked = {}
    for name, values in scores.items():
        values = np.asarray(values, dtype=float)
        if values.shape != labels.shape:
            raise ValueError(f"{name}: {len(np.ravel(values))} scores for {len(labels)} labels")
        if np.isnan(values).any():
            raise ValueError(f"{name}: the score of site {np.isnan(values).argmax()} is missing; it cannot be ranked")
        if not np.isfinite(values).all():
            raise ValueError(f"{name}: the score of site {(~np.isfinite(values)).argmax()} is infinite")
        checked[name] = values
    if not checked:
        raise ValueError("no scores")
    return checked, labels


def _check_alpha(alpha):
    if not 0 < alpha < 1:
        raise ValueError(f"alpha is {alpha}; it must lie between 0 and 1")


def _warn_of_few(labels):
    smaller = min(labels.sum(), (1 - labels).sum())
    if smaller < FEW:
        warnings.warn(f"the smaller class has {smaller} sites; an interval means little", stacklevel=3)
