"""F1, the harmonic mean of precision and recall: a ratio of counts and not an average over sites, so that what an empty
ratio is worth, at which threshold and at which prevalence has to be said beside every value.

A site is called a presence when its score is at or above the threshold.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit, logit, ndtri

from surveyauc.ranks import tied


@dataclass(frozen=True)
class F1:
    """value : (...) F1; empty : what it is where there is neither a presence nor a site called one; was_empty : (...)
    bool, where that was needed"""

    value: np.ndarray
    empty: float
    was_empty: np.ndarray


def f1(true_positives, false_positives, false_negatives, empty=0.0):
    """F1 from counts, ``2 TP / (2 TP + FP + FN)`` (van Rijsbergen 1979, Information Retrieval, chapter 7).

    Arguments (...), counts, or weights that stand for counts; empty : the convention for 0 / 0. Returns `F1`.
    Raises ValueError for a count that is negative or not finite.
    """
    counts = [np.asarray(count, dtype=float) for count in (true_positives, false_positives, false_negatives)]
    for count, name in zip(counts, ("true positives", "false positives", "false negatives"), strict=True):
        if not (np.isfinite(count).all() and (count >= 0).all()):
            raise ValueError(f"the {name} must be counts, 0 or more; got {count[~(count >= 0)].ravel()[:1] or count}")
    twice, others = 2.0 * counts[0], counts[1] + counts[2]
    denominator = twice + others
    was_empty = denominator == 0
    return F1(np.where(was_empty, empty, twice / np.where(was_empty, 1.0, denominator)), float(empty), was_empty)


def confusion(scores, labels, threshold, among=None):
    """(TP, FP, FN, TN), each (...), of scores (..., sites) at a threshold that broadcasts to them.

    labels : (..., sites) 0/1; among : (..., sites) bool, the sites that count, default all. Scores that are `tied` with
    the threshold are at it. Raises ValueError for a score that is missing, or a label other than 0 or 1.
    """
    scores, labels = np.asarray(scores, dtype=float), np.asarray(labels)
    if not np.isin(labels, (0, 1)).all():
        raise ValueError("labels must be 0 (absence) or 1 (presence)")
    counted = np.ones(np.broadcast_shapes(scores.shape, labels.shape), bool) if among is None else among
    if np.isnan(np.broadcast_to(scores, counted.shape)[counted]).any():
        raise ValueError("a score is missing; every site that counts needs one")
    with np.errstate(invalid="ignore"):
        called = (scores >= threshold) | tied(scores, threshold)
    present = labels.astype(bool)
    return tuple(
        (counted & one & other).sum(axis=-1)
        for one, other in ((called, present), (called, ~present), (~called, present), (~called, ~present))
    )


def f1_at_prevalence(sensitivity, false_positive_rate, prevalence):
    """F1 where presences have this prevalence, from rates in each class, as long as sites of a class are scored alike
    whatever the prevalence (as when presences and absences are sampled apart, not when the environment differs).

    Arguments (...). Raises ValueError for a rate outside [0, 1] or a prevalence outside (0, 1).
    """
    for rate, name in ((sensitivity, "sensitivity"), (false_positive_rate, "false-positive rate")):
        if not ((np.asarray(rate) >= 0) & (np.asarray(rate) <= 1)).all():
            raise ValueError(f"the {name} must lie between 0 and 1, got {rate}")
    if not ((np.asarray(prevalence) > 0) & (np.asarray(prevalence) < 1)).all():
        raise ValueError(f"the prevalence must lie between 0 and 1, both excluded; got {prevalence}")
    found = prevalence * np.asarray(sensitivity)
    called = found + (1.0 - prevalence) * np.asarray(false_positive_rate)
    return 2.0 * found / (called + prevalence)


def adjusted_f1(counts, prevalence, alpha=0.05):
    """F1 at a target prevalence from the counts of a validation sample, whatever share of presences that has, with an
    interval by the delta method on the logit scale (Agresti 2013, Categorical Data Analysis, section 16.1).

    counts : (TP, FP, FN, TN), each (...), of one fixed rule and threshold. The rates behind the interval have half a
    site added to either side, as otherwise none that is 0 or 1 would vary; with such a rate it need not hold the value.
    The condition is that of `f1_at_prevalence`. Returns a dict of ``value``, ``lower`` and
    ``upper``. Raises ValueError for a sample of one class, negative counts, or as `f1_at_prevalence`.
    """
    tp, fp, fn, tn = (np.asarray(count, dtype=float) for count in counts)
    if min(count.min() for count in (tp, fp, fn, tn)) < 0:
        raise ValueError("counts must be 0 or more")
    presences, absences = tp + fn, fp + tn
    if not ((presences > 0).all() and (absences > 0).all()):
        raise ValueError("the sample holds one class only; both rates need sites")
    value = f1_at_prevalence(tp / presences, fp / absences, prevalence)
    sensitivity, false_rate = (tp + 0.5) / (presences + 1.0), (fp + 0.5) / (absences + 1.0)
    centre = f1_at_prevalence(sensitivity, false_rate, prevalence)
    denominator = prevalence * sensitivity + (1.0 - prevalence) * false_rate + prevalence
    by_sensitivity = 2.0 * prevalence * (denominator - prevalence * sensitivity) / denominator**2
    by_false_rate = -2.0 * prevalence * sensitivity * (1.0 - prevalence) / denominator**2
    variance = by_sensitivity**2 * sensitivity * (1.0 - sensitivity) / (presences + 1.0)
    variance = variance + by_false_rate**2 * false_rate * (1.0 - false_rate) / (absences + 1.0)
    reach = ndtri(1.0 - alpha / 2.0) * np.sqrt(variance) / (centre * (1.0 - centre))
    return {"value": value, "lower": expit(logit(centre) - reach), "upper": expit(logit(centre) + reach)}


def best_threshold(scores, labels, among=None):
    """(...) the score that is the best threshold for F1 on these very sites, the highest where several are.

    scores, labels : (..., sites); among : (..., sites) bool, the sites that count, default all. Infinite where no site
    that counts is a presence.
    """
    scores, labels = np.broadcast_arrays(np.asarray(scores, dtype=float), np.asarray(labels).astype(bool))
    counted = np.ones(scores.shape, bool) if among is None else np.broadcast_to(among, scores.shape)
    order = np.argsort(np.where(counted, -scores, np.inf), axis=-1)
    ranked, present, counted = (np.take_along_axis(a, order, axis=-1) for a in (scores, labels & counted, counted))
    called, found = np.cumsum(counted, axis=-1), np.cumsum(present, axis=-1)
    value = 2.0 * found / np.maximum(called + found[..., -1:], 1)
    last_of_tie = np.concatenate(
        [~tied(ranked[..., 1:], ranked[..., :-1]) | ~counted[..., 1:], np.ones_like(counted[..., :1])], axis=-1
    )
    value = np.where(last_of_tie & counted, value, -1.0)
    best = np.take_along_axis(ranked, value.argmax(axis=-1)[..., None], axis=-1)[..., 0]
    return np.where(found[..., -1] > 0, best, np.inf)


def fold_f1(scores, labels, folds, threshold, empty=0.0):
    """F1 of held-out scores that were made in folds, aggregated in two ways (Forman and Scholz 2010, ACM SIGKDD
    Explorations 12:49-57).

    scores, labels, folds : (..., sites); threshold : broadcasts to them. Returns (`F1` from the counts of all folds
    together, mean of the F1s of those folds that hold sites, number of these whose own was empty), each (...).
    """
    pooled = f1(*confusion(scores, labels, threshold)[:3], empty=empty)
    members = [folds == fold for fold in np.unique(folds)]
    inside = [f1(*confusion(scores, labels, threshold, among=fold)[:3], empty=empty) for fold in members]
    there = np.array([fold.any(axis=-1) for fold in members])
    mean = np.average([fold.value for fold in inside], axis=0, weights=there)
    return pooled, mean, (np.array([fold.was_empty for fold in inside]) & there).sum(axis=0)
