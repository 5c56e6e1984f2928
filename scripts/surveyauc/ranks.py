"""Ranks with a tolerance for ties, and the AUC made from them."""

import numpy as np

# Scores are sums of floating-point products: two that differ by less than this, relative to their size, differ only by
# rounding noise and are ties. Without it a few results depend on the linear algebra library of the day.
TIE_TOLERANCE = 1e-10


def tied(a, b):
    """Whether scores differ only by rounding noise (elementwise)."""
    return np.abs(a - b) < TIE_TOLERANCE * np.maximum(1.0, np.maximum(np.abs(a), np.abs(b)))


def beats(first, second):
    """1 where the first score is above the second, 1/2 where they are tied, else 0 (elementwise)."""
    return np.where(tied(first, second), 0.5, first > second)


def auc(scores, labels, among=None):
    """Area under the ROC curve: the share of presence-absence pairs in the right order, ties one half.

    Computed from mid-ranks (Hanley and McNeil 1982, Radiology 143:29-36); sorted neighbours that are `tied` share a
    rank.

    Parameters
    ----------
    scores : (..., sites) float, finite where they count
    labels : (..., sites) 0/1
    among : (..., sites) bool, the sites that count; default all

    Returns
    -------
    (...) float; NaN where the sites that count hold one class only

    Raises
    ------
    ValueError : a score that counts is not finite, or a label is not 0 or 1
    """
    scores, labels = np.asarray(scores, dtype=float), np.asarray(labels)
    if not np.isin(labels, (0, 1)).all():
        raise ValueError("labels must be 0 (absence) or 1 (presence)")
    labels = labels.astype(bool)
    if among is not None:
        among = np.asarray(among, dtype=bool)
        scores = np.where(among, scores, np.inf)  # sorted last, behind a gap that is no tie
        present, absent = labels & among, ~labels & among
    else:
        present, absent = labels, ~labels
    if not np.isfinite(scores[present | absent]).all():
        raise ValueError("scores must be finite")
    order = np.argsort(scores, axis=-1)
    scores, present, absent = (np.take_along_axis(a, order, axis=-1) for a in (scores, present, absent))
    absences_up_to = np.cumsum(absent, axis=-1, dtype=float)
    absences = absences_up_to[..., -1]
    presences = present.sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        new_rank = ~tied(scores[..., 1:], scores[..., :-1])
        below, up_to = _spread_over_ties(absences_up_to, absences_up_to - absent, new_rank)
        return ((below + up_to) * present).sum(axis=-1) / (2.0 * presences * absences)


def expected_auc(scores, probability, weights):
    """The AUC of scores where each site stands for ``weights`` sites, presences with its ``probability``: the expected
    pairs in the right order, ties one half, over all expected pairs of two sites.

    scores, weights : (..., sites), finite and not negative; probability : (sites,) between 0 and 1. Returns (...); NaN
    where no pair is expected.
    """
    order = np.argsort(scores, axis=-1)
    scores, weights = (np.take_along_axis(a, order, axis=-1) for a in (scores, weights))
    probability = np.asarray(probability)[order]
    present, absent = weights * probability, weights * (1.0 - probability)
    up_to = np.cumsum(absent, axis=-1)
    below, level = _spread_over_ties(up_to, up_to - absent, ~tied(scores[..., 1:], scores[..., :-1]))
    twice = ((below + level - absent) * present).sum(axis=-1)  # a site makes no pair with itself
    with np.errstate(invalid="ignore", divide="ignore"):
        return twice / (2.0 * (present.sum(axis=-1) * absent.sum(axis=-1) - (present * absent).sum(axis=-1)))


def _spread_over_ties(up_to, before, new_rank):
    """For each sorted score, the count before the first and up to the last score of its group of ties."""
    starts = np.concatenate([np.ones_like(new_rank[..., :1]), new_rank], axis=-1)
    ends = np.concatenate([new_rank, np.ones_like(new_rank[..., :1])], axis=-1)
    first = np.maximum.accumulate(np.where(starts, before, -1.0), axis=-1)
    last = np.minimum.accumulate(np.where(ends, up_to, np.inf)[..., ::-1], axis=-1)[..., ::-1]
    return first, last
