"""Score one survey: every estimator, with an interval where one means something and a reason where there is none.

The refits of leave-pair-out serve three estimators. Compared inside each refit they are leave-pair-out. Rebalanced
leave-one-out scores a held-out site by a refit that also lacks a random site of the other class (Austin et al. 2025);
those refits are the same ones, and because the two companions of a pair are drawn independently, the mean of its AUC
over all draws is the AUC of all scores of presences against all scores of absences, without any drawing. Tournament
leave-pair-out holds out every two sites, whatever their class, and ranks sites by how often they win (Montoya Perez et
al. 2019, Statistical Methods in Medical Research 28:2975-2991).
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from surveyauc.holdout import every_pair
from surveyauc.ranks import auc, beats, tied

PAIRS_AT_MOST = 200_000
FOLDS = 5
FEW = 5  # of the smaller class; with fewer no interval


@dataclass(frozen=True)
class HeldOut:
    """What the refits of one survey say.

    labels : (sites,); full, leave_one_out : (sites,) linear predictors; random_folds, stratified_folds : fold numbers,
    and the predictors of each site held out with its fold, or None where some fold leaves one class only;
    presence_scores, absence_scores : (pairs,) of each presence-absence pair held out together; pairs : (pairs, 2) site
    numbers; wins : (sites, sites) 1, 1/2 or 0, or None where no tournament was played or two sites of one class cannot
    be held out together
    """

    labels: np.ndarray
    full: np.ndarray
    leave_one_out: np.ndarray
    random_folds: tuple
    stratified_folds: tuple
    pairs: np.ndarray
    presence_scores: np.ndarray
    absence_scores: np.ndarray
    wins: np.ndarray | None


def hold_out(refit, labels, groups, stream, folds=FOLDS, pairs_at_most=PAIRS_AT_MOST, tournament=True):
    """`HeldOut` of a survey.

    refit : function from training sets (fits, sites) to predictors (sites, fits); labels : (sites,) 0/1; groups :
    (sites,) names of what is left out together; stream : of random folds, and of pairs where there are too many
    """
    numbers = pd.factorize(np.asarray(groups))[0]  # in the order of the file, whatever their names
    full = refit(np.ones((1, len(labels)), bool))[:, 0]
    leave_one_out = held_out_scores(refit, numbers)
    folded = [
        (fold, held_out_scores(refit, fold) if _leaves_both(labels, fold != np.unique(fold)[:, None]) else None)
        for fold in _folds(labels, numbers, folds, stream)
    ]
    pairs = every_pair(labels)
    pairs = pairs[numbers[pairs[:, 0]] != numbers[pairs[:, 1]]]
    if len(pairs) > pairs_at_most:
        pairs = pairs[np.sort(stream.sample(len(pairs), pairs_at_most))]
    above, below = pair_scores(refit, pairs, numbers)
    wins = _wins(refit, labels, numbers, pairs, above, below) if tournament else None
    return HeldOut(labels, full, leave_one_out, *folded, pairs, above, below, wins)


def _leaves_both(labels, keep):
    """Whether every training set, a row of ``keep``, has both classes."""
    presences = keep @ labels
    return bool(((presences > 0) & (presences < keep.sum(axis=1))).all())


def _folds(labels, numbers, folds, stream):
    """Fold numbers of the sites, dealt at random, and dealt to presences and absences separately; whole groups, where a
    group with a presence counts as one."""
    groups = numbers.max() + 1
    occupied = np.zeros(groups, dtype=bool)
    occupied[numbers[labels == 1]] = True
    dealt = stream.sample(groups, groups) % folds
    stratified = np.empty(groups, dtype=int)
    for value in (True, False):
        chosen = np.flatnonzero(occupied == value)
        stratified[chosen] = stream.sample(len(chosen), len(chosen)) % folds
    return dealt[numbers], stratified[numbers]


def held_out_scores(refit, parts):
    """(sites,) predictor of every site in the refit that held out its part; ``parts`` are (sites,) numbers."""
    used = np.unique(parts)
    predictors = refit(parts != used[:, None])
    return predictors[np.arange(len(parts)), np.searchsorted(used, parts)]


def pair_scores(refit, pairs, numbers):
    """Predictors of the first and of the second site of each pair in the refit without the groups of both; ``numbers``
    are those of the groups, from 0."""
    members = numbers == np.arange(numbers.max() + 1)[:, None]  # (groups, sites)
    first, second = np.empty(len(pairs)), np.empty(len(pairs))
    at_once = max(1, 4_000_000 // members.shape[1])
    for begin in range(0, len(pairs), at_once):
        these = slice(begin, begin + at_once)
        i, j = pairs[these].T
        predictors = refit(~(members[numbers[i]] | members[numbers[j]]))
        each = np.arange(len(i))
        first[these], second[these] = predictors[i, each], predictors[j, each]
    return first, second


def _wins(refit, labels, numbers, pairs, above, below):
    """(sites, sites) 1 where the site of the row was above that of the column in the refit without both, 1/2 where they
    tied, 0 where it was below, nan where they are never held out together; None where two sites cannot be, as without
    both groups one class would be missing."""
    sites = len(labels)
    i, j = np.triu_indices(sites, 1)
    same = (labels[i] == labels[j]) & (numbers[i] != numbers[j])
    others = np.column_stack([i[same], j[same]])
    of_group = [np.bincount(numbers, labels == value)[numbers] for value in (1, 0)]
    left = [(labels == value).sum() - own[others].sum(axis=1) for value, own in zip((1, 0), of_group, strict=True)]
    if min(map(np.min, left), default=1) < 1:
        return None
    first, second = pair_scores(refit, others, numbers)
    wins = np.full((sites, sites), np.nan)
    for (a, b), s, t in ((pairs.T, above, below), (others.T, first, second)):
        won = beats(s, t)
        wins[a, b], wins[b, a] = won, 1.0 - won
    return wins


def estimates(held):
    """dict of (AUC or None, why not) by code."""
    labels, folds = held.labels, held.stratified_folds[0]
    lacking = [int(f) + 1 for f in np.unique(folds) if len(set(labels[folds == f])) < 2]
    if len(set(folds)) < FOLDS:
        lacking = lacking or ["some"]
    inside = [auc(held.stratified_folds[1][folds == f], labels[folds == f]) for f in np.unique(folds) if not lacking]
    right = beats(held.presence_scores, held.absence_scores)
    rebalanced = np.concatenate([held.presence_scores, held.absence_scores])
    of_pairs = np.repeat([1, 0], len(held.pairs))
    scores = wins_of(held.wins) if held.wins is not None else None
    return {
        "resub": (auc(held.full, labels), ""),
        "loo": (auc(held.leave_one_out, labels), ""),
        "rand5": _pooled(held.random_folds[1], labels),
        "strat5": _pooled(held.stratified_folds[1], labels),
        "perfold": (None, f"not available: {len(lacking)} of {FOLDS} folds hold one class only")
        if lacking
        else (float(np.mean(inside)), ""),
        "lpo": (float(right.mean()), ""),
        "rloo": (auc(rebalanced, of_pairs), ""),
        "tlpo": (auc(scores, labels), "")
        if scores is not None
        else (None, "not available: without two of one class none is left to fit"),
    }


def _pooled(scores, labels):
    if scores is None:
        return None, "not available: a fold holds all sites of one class, which leaves none to fit"
    return auc(scores, labels), ""


def wins_of(wins):
    """(sites,) share of its pairs that each site wins, ties one half."""
    return np.nanmean(wins, axis=1)


def intransitive_share(wins):
    """Share of the triads of sites in which each is above one of the other two and below the other; ties make none.
    nan with fewer than 3 sites."""
    sites = len(wins)
    above = np.nan_to_num(wins) == 1.0
    circles = np.trace(above.astype(float) @ above @ above) / 3.0  # each is walked from three starts
    return circles / (sites * (sites - 1) * (sites - 2) / 6) if sites > 2 else np.nan


def roc(scores, labels):
    """(false positive rates, true positive rates) from (0, 0) to (1, 1), tied scores in one step."""
    order = np.argsort(-scores, kind="stable")
    s, y = scores[order], labels[order]
    last = np.append(~tied(s[1:], s[:-1]), True)
    true, false = np.cumsum(y)[last], np.cumsum(1 - y)[last]
    return np.append(0.0, false / false[-1]), np.append(0.0, true / true[-1])
