"""Estimators of the AUC from one survey.

An estimator is a scheme (which sites each refit holds out) and a way to read the held-out linear predictors. Adding
one is adding an entry to `ESTIMATORS`.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from surveyauc.holdout import SCHEMES
from surveyauc.logistic import fit_masked
from surveyauc.ranks import auc, beats

PREDICTORS_AT_ONCE = 2_000_000  # bounds the memory: surveys are scored in groups of about this many predictors


def pooled(predictors, scored, labels):
    """Put the held-out predictions of all refits onto one ranking; its AUC. Every site is held out once."""
    return auc((predictors * scored.swapaxes(1, 2)).sum(axis=2), labels)


def per_fold(predictors, scored, labels):
    """The AUC inside each held-out fold, averaged over the folds that hold both classes; NaN where none does."""
    inside = fold_aucs(predictors, scored, labels)
    defined = ~np.isnan(inside)
    count = defined.sum(axis=1)
    return np.where(count > 0, np.where(defined, inside, 0.0).sum(axis=1) / np.maximum(count, 1), np.nan)


def fold_aucs(predictors, scored, labels):
    """(surveys, fits) AUC of each refit among the sites it held out; NaN where they are of one class."""
    return np.stack(
        [auc(predictors[:, :, k], labels, among=scored[:, k]) for k in range(scored.shape[1])],
        axis=1,
    )


def in_order(predictors, scored, labels):
    """The share of held-out pairs in which the presence is above the absence, ties one half (leave-pair-out;
    Airola et al. 2011, Computational Statistics and Data Analysis 55:1828-1844)."""
    above, below, real = _of_pairs(predictors, scored, labels)
    return (beats(above, below) * real).sum(axis=1) / real.sum(axis=1)


def across_pairs(predictors, scored, labels):
    """The AUC of the presences of all held-out pairs against the absences of all of them: rebalanced leave-one-out
    (Austin et al. 2025), averaged over the companions that could be drawn with each site."""
    above, below, real = _of_pairs(predictors, scored, labels)
    one_class = np.repeat([1, 0], above.shape[1])
    return auc(
        np.concatenate([above, below], axis=1),
        np.broadcast_to(one_class, (len(labels), len(one_class))),
        among=np.concatenate([real, real], axis=1),
    )


def _of_pairs(predictors, scored, labels):
    """(surveys, fits) predictors of the presence and of the absence that each refit held out, and whether it did."""
    survey, fit = np.indices(scored.shape[:2])
    present = scored & labels.astype(bool)[:, None, :]
    presence, absence = present.argmax(axis=2), (scored & ~present).argmax(axis=2)
    return predictors[survey, presence, fit], predictors[survey, absence, fit], scored.any(axis=2)


def tournament(predictors, scored, labels):
    """The AUC of how often each site is above another when both are held out, ties one half (tournament leave-pair-out;
    Montoya Perez et al. 2019, Statistical Methods in Medical Research 28:2975-2991). Every two sites are held out
    once."""
    members = scored[0].astype(float)  # (fits, sites), the same in all surveys
    first, second = scored[0].argmax(axis=1), members.shape[1] - 1 - scored[0][:, ::-1].argmax(axis=1)
    fit = np.arange(len(members))
    won = beats(predictors[:, first, fit], predictors[:, second, fit])
    is_first = np.arange(members.shape[1]) == first[:, None]
    return auc(won @ (is_first * members) + (1.0 - won) @ (~is_first * members), labels)


@dataclass(frozen=True)
class Estimator:
    """name and family as figures show them; scheme: a key of `holdout.SCHEMES`; read: held-out predictors
    (surveys, sites, fits), scored (surveys, fits, sites) and labels (surveys, sites) to estimates (surveys,);
    frozen_intercept: refit the slope only, the intercept held at its full-fit value (one covariate)."""

    name: str
    family: str
    scheme: str
    read: Callable
    frozen_intercept: bool = False

    @property
    def draw(self):
        """The key of `holdout.DRAWS` that its scheme needs, or None."""
        return SCHEMES[self.scheme][0]


ESTIMATORS = {
    "resub": Estimator("resubstitution", "resubstitution", "nothing", pooled),
    "loo": Estimator("pooled leave-one-out", "pooled refits", "one site", pooled),
    "rand5": Estimator("pooled random 5-fold", "pooled refits", "random folds", pooled),
    "strat5": Estimator("pooled stratified 5-fold", "pooled refits", "stratified folds", pooled),
    "perfold": Estimator("per-fold stratified 5-fold", "pairs and per-fold", "stratified folds", per_fold),
    "lpo": Estimator("leave-pair-out", "pairs and per-fold", "pair", in_order),
    "lpo_all": Estimator("leave-pair-out, every pair", "pairs and per-fold", "every pair", in_order),
    "rloo": Estimator("rebalanced leave-one-out", "pooled refits", "pair", across_pairs),
    "rloo_once": Estimator("rebalanced leave-one-out, one draw", "pooled refits", "one site, one dropped", pooled),
    "tlpo": Estimator("tournament leave-pair-out", "pairs and per-fold", "every two sites", tournament),
    "slope_only": Estimator("leave-one-out, slope refitted only", "slope only", "one site", pooled, True),
}


def score_surveys(covariates, labels, drawn, estimators, truth=None, fit=fit_masked):
    """All estimators on each of several surveys of one size.

    Parameters
    ----------
    covariates : (surveys, sites, covariates) float
    labels : (surveys, sites) 0/1
    drawn : dict of what the schemes drew (`holdout.DRAWS`), each (surveys, ...)
    estimators : names in `ESTIMATORS`
    truth : the AUC of fitted models on new sites, from coefficients (..., 1 + covariates) to (...), where it is known
    fit : the solver of all refits but those of a frozen intercept; called like `logistic.fit_masked`

    Returns
    -------
    dict of arrays over surveys: each estimator; ``coefficients`` of the full fit (surveys, 1 + covariates);
    with a ``truth``, its ``exact_truth`` and, for the models that leave-pair-out fits, their mean ``truth_of_pairs``;
    ``n1`` presences and ``n0`` absences; ``edge_full`` (0/1) and ``edge_loo`` (share), fits at the edge;
    ``fold_na``, stratified folds without both classes; ``rand5_undecided``, pairs that a random fold holds out
    together from a training set of one class, so that only rounding noise could order them; ``refits``, and how many of
    them were ``at_edge``, ``at_limit`` and ``one_class``.

    Raises
    ------
    KeyError : an estimator that does not exist, or a draw that it needs and ``drawn`` lacks
    ValueError : as `logistic.fit_masked`; an estimator for one covariate and there are more
    """
    drawn = {name: drawn[name] for name in {ESTIMATORS[code].draw for code in estimators} - {None}}
    one = _masks(labels[:1], {name: values[:1] for name, values in drawn.items()}, estimators)
    predictors = labels.shape[1] * sum(left_out.shape[1] for left_out, _ in one.values())  # of one survey
    at_once = max(1, PREDICTORS_AT_ONCE // predictors)
    parts = [
        _score(covariates[k], labels[k], {name: values[k] for name, values in drawn.items()}, estimators, truth, fit)
        for k in (slice(first, first + at_once) for first in range(0, len(labels), at_once))
    ]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _masks(labels, drawn, estimators):
    """(left out, scored) of each scheme that the estimators need; first that of the full fit."""
    schemes = dict.fromkeys(["nothing", *(ESTIMATORS[name].scheme for name in estimators)])
    return {name: SCHEMES[name][1](labels, drawn.get(SCHEMES[name][0])) for name in schemes}


def _score(covariates, labels, drawn, estimators, truth, fit):
    chosen = {name: ESTIMATORS[name] for name in estimators}
    masks = _masks(labels, drawn, estimators)
    schemes = list(masks)
    ends = np.cumsum([masks[name][0].shape[1] for name in schemes])
    part = {name: slice(end - masks[name][0].shape[1], end) for name, end in zip(schemes, ends, strict=True)}

    fits = fit(covariates, labels, ~np.concatenate([masks[name][0] for name in schemes], axis=1))
    full = fits.coefficients[:, 0]
    predictors = covariates @ fits.coefficients[..., 1:].swapaxes(1, 2) + fits.coefficients[..., 0][:, None, :]
    real = np.concatenate([masks[name][1].any(axis=2) for name in schemes], axis=1)  # not the filling of `stacked`
    solved = [(fits, real)]

    result = {
        "coefficients": full,
        "n1": labels.sum(axis=1),
        "n0": (1 - labels).sum(axis=1),
        "edge_full": fits.at_edge[:, 0].astype(int),
    }
    for name, estimator in chosen.items():
        left_out, scored = masks[estimator.scheme]
        if estimator.frozen_intercept:
            if covariates.shape[2] != 1:
                raise ValueError(f"{name} is defined for one covariate, got {covariates.shape[2]}")
            frozen = np.repeat(full[:, :1], labels.shape[1], axis=1)
            slopes = fit_masked(covariates, labels, ~left_out, offset=frozen, intercept=False)
            solved.append((slopes, scored.any(axis=2)))
            held_out = covariates @ slopes.coefficients.swapaxes(1, 2) + frozen[:, :, None]
        else:
            held_out = predictors[:, :, part[estimator.scheme]]
        result[name] = estimator.read(held_out, scored, labels)
    if truth is not None:
        result["exact_truth"] = truth(full)
        if "pair" in part:
            pairs = masks["pair"][1].any(axis=2)
            result["truth_of_pairs"] = np.average(truth(fits.coefficients[:, part["pair"]]), axis=1, weights=pairs)
    if "one site" in part:
        result["edge_loo"] = fits.at_edge[:, part["one site"]].mean(axis=1)
    if "stratified folds" in part:
        scored = masks["stratified folds"][1]
        present = (scored & labels.astype(bool)[:, None]).any(axis=2)
        absent = (scored & ~labels.astype(bool)[:, None]).any(axis=2)
        result["fold_na"] = (~(present & absent)).sum(axis=1)
    if "random folds" in part:
        undecided = masks["random folds"][1] & fits.one_class[:, part["random folds"], None]
        present = undecided & labels.astype(bool)[:, None]
        result["rand5_undecided"] = (present.sum(axis=2) * (undecided & ~present).sum(axis=2)).sum(axis=1)
    result["refits"] = sum(real.sum(axis=1) for _, real in solved)
    for flag in ("at_edge", "at_limit", "one_class"):
        result[flag] = sum((getattr(these, flag) & real).sum(axis=1) for these, real in solved)
    return result
