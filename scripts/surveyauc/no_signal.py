"""Data sets with nothing to find, and what cross-validation reads from them.

Labels are a random permutation and covariates uniform noise, so that an AUC of one half is right and whatever else
comes out is the fault of the validation ("distributional bias": Austin, Pe'er and Korem 2025, Science
Advances 11:eadx6976).
"""

import warnings
from functools import cache

import numpy as np

from surveyauc.penalised import fit_penalised
from surveyauc.splitters import RebalancedLeaveOneOut, RebalancedLeaveOneOutRegression

SCHEMES = ("blocks", "stratified", "rebalanced")
NO_VARIANCE = 1e-12  # a share of the largest, below which a direction of standardised covariates is rounding noise


def draw_classes(random, rows, balance, covariates):
    """(covariates (rows, covariates), labels (rows,)): int(balance * rows) ones, permuted, and uniform noise.

    random : a Generator or RandomState; the labels are drawn first
    """
    ones = int(balance * rows)
    labels = random.permutation([1] * ones + [0] * (rows - ones))
    return random.random((rows, covariates)), labels


def masks_of(scheme, left_out, labels, random):
    """`training_masks` of a scheme.

    scheme : "blocks", ``left_out`` neighbouring rows at a time; "stratified", as many shuffled stratified folds as give
    parts of about ``left_out`` rows; "rebalanced", leave-one-out with a companion of the other class dropped. Raises
    ValueError for another.
    """
    rows = len(labels)
    if scheme == "blocks" or (scheme == "stratified" and left_out == 1):
        return _blocks(rows, left_out)
    if scheme == "rebalanced":
        return training_masks(RebalancedLeaveOneOut(random).split(labels, labels), rows)
    if scheme != "stratified":
        raise ValueError(f"no scheme {scheme!r}; there are: {', '.join(SCHEMES)}")
    from sklearn.model_selection import StratifiedKFold

    legacy = random if isinstance(random, np.random.RandomState) else np.random.RandomState(random.bit_generator)
    folds = StratifiedKFold(rows // left_out, shuffle=True, random_state=legacy)  # takes no Generator
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a class with fewer rows than folds is part of the experiment
        return training_masks(folds.split(labels, labels), rows)


@cache
def _blocks(rows, left_out):
    holder = np.arange(rows) // left_out
    return np.arange(holder[-1] + 1)[:, None] != holder, holder


def training_masks(splits, rows):
    """(training rows of each fit (fits, rows) bool, the number of the fit that holds out each row (rows,)).

    splits : (training rows, held-out rows) of each fit. Raises ValueError unless every row is held out once.
    """
    keep, holder, held_out = [], np.full(rows, -1), 0
    for k, (training, of) in enumerate(splits):
        keep.append(np.zeros(rows, bool))
        keep[-1][training] = True
        holder[of] = k
        held_out += len(of)
    if (holder < 0).any() or held_out != rows:
        raise ValueError("the splits do not hold out every row once")
    return np.array(keep), holder


def leave_one_out_masks(response, random=None):
    """`training_masks` of leave-one-out and of its rebalanced form, by name.

    response : (rows,) labels of classes, whose companions are drawn from ``random``; or numbers, and no ``random``
    """
    if random is None:
        rebalanced = training_masks(RebalancedLeaveOneOutRegression().split(response, response), len(response))
    else:
        rebalanced = masks_of("rebalanced", 1, response, random)
    return {"leave_one_out": masks_of("blocks", 1, response, random), "rebalanced": rebalanced}


def logistic_scores(covariates, labels, keep, holder, strength, standardise=False):
    """(rows,) linear predictors of held-out rows by logistic regressions with a ridge penalty.

    strength : scikit-learn's ``C``, the inverse of the penalty
    """
    fits = fit_penalised(covariates, labels, keep, penalty=1.0 / strength, standardise=standardise)
    return held_out_predictions(covariates, fits.coefficients, holder)


def held_out_predictions(covariates, coefficients, holder):
    """(rows,) linear predictor of each row by the fit that held it out; coefficients (fits, 1 + covariates)."""
    own = coefficients[holder]
    return own[:, 0] + (covariates * own[:, 1:]).sum(axis=1)


def training_means(response, keep, holder):
    """(rows,) mean response of the training set that each row was held out from."""
    return ((keep @ np.asarray(response, dtype=float)) / keep.sum(axis=1))[holder]


def fit_linear(covariates, response, keep, penalty=0.0):
    """Linear regressions of one design on many subsets of its rows, by the normal equations.

    They minimise the sum of squares plus ``penalty`` times the sum of the squared slopes of covariates standardised
    inside the training set (ridge: Hoerl and Kennard 1970, Technometrics 12:55-67).

    covariates : (rows, covariates); response : (rows,); keep : (fits, rows) bool; penalty : 0 or more
    Returns coefficients (fits, 1 + covariates) for the covariates as given; of columns that depend on one another the
    solution with the smallest slopes, so that one that is constant in a training set gets slope 0.
    """
    covariates, response = np.asarray(covariates, dtype=float), np.asarray(response, dtype=float)
    centre, scale = covariates.mean(axis=0), covariates.std(axis=0)
    scale = np.where(scale > 1e-12 * np.abs(centre), scale, np.inf)
    design = (covariates - centre) / scale
    size, weight = keep.sum(axis=1), keep.astype(float)
    mean, level = weight @ design / size[:, None], weight @ response / size
    square = np.einsum("fr,rj,rk->fjk", weight, design, design, optimize=True) / size[:, None, None]
    square -= mean[:, :, None] * mean[:, None, :]
    right = weight @ (design * response[:, None]) / size[:, None] - mean * level[:, None]
    variance = np.einsum("fjj->fj", square).copy()
    square += (penalty * variance / size[:, None])[:, :, None] * np.eye(design.shape[1])
    slopes = (np.linalg.pinv(square, rcond=NO_VARIANCE, hermitian=True) @ right[:, :, None])[:, :, 0]
    intercepts = level - (slopes * mean).sum(axis=1) - (slopes / scale * centre).sum(axis=1)
    return np.column_stack([intercepts, slopes / scale])


def r_squared(response, predicted):
    """One less the sum of squared errors over that around the mean; below 0 where the mean would do better."""
    response = np.asarray(response, dtype=float)
    return 1.0 - ((response - predicted) ** 2).sum() / ((response - response.mean()) ** 2).sum()
