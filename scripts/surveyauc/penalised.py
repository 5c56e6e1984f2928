"""Penalised logistic regression, refitted many times at once.

Two penalties keep the estimates of a small survey finite. Ridge (Hoerl and Kennard 1970, Technometrics 12:55-67; for
logistic regression le Cessie and van Houwelingen 1992, Applied Statistics 41:191-201) shrinks the slopes. Firth's
penalty (1993, Biometrika 80:27-38; for logistic regression Heinze and Schemper 2002, Statistics in Medicine
21:2409-2419) removes the first-order bias of the coefficients.

As in `surveyauc.logistic`, the refits of a survey differ only in a 0/1 mask over its sites and are solved together,
and the sign ``s = 2 y - 1`` is folded into the design: with ``odds = exp(-s * eta)``, 0 at a site that is left out, the
loss of a site is ``log(1 + odds)``, its residual ``odds / (1 + odds)`` and its weight ``odds / (1 + odds)^2``. All
refits start from the solution for all sites, from which a leave-one-out refit is a few Newton steps away.
"""

import itertools
from dataclasses import fields
from functools import cached_property, partial

import numpy as np

from surveyauc.logistic import ELEMENTS_PER_BLOCK, Fits, _at_edge, _check, _standardised, _weighted_solution, fit_masked

KINDS = ("ridge", "firth")
LARGEST_LOG_ODDS = 700.0  # its exponential is a finite number
LARGEST_STEP = 500.0  # of a linear predictor; keeps the points that are tried finite
START_TOLERANCE = 1e-3  # a start needs no more digits than the left-out sites leave it
SLACK = 1e-10  # a loss that is higher by this share is no worse: rounding noise
OWN_SCALE = 1e-4  # share of the mean square below which a variance is computed from the training set alone


def fit_penalised(
    covariates, labels, keep, kind="ridge", penalty=1.0, tolerance=1e-10, max_iterations=100, standardise=True
):
    """Penalised logistic regressions of one design on many subsets of its sites.

    "ridge" minimises the sum of the sites' log losses plus ``penalty / 2`` times the sum of the squared slopes, for
    covariates standardised inside the training set (mean and standard deviation with divisor n); the intercept is not
    penalised. "firth" maximises the log-likelihood plus half the logarithm of the determinant of the information; it
    penalises the intercept too and does not depend on the units of the covariates.

    Parameters
    ----------
    covariates : (..., sites, covariates) float; leading axis: surveys, or none for a single survey
    labels : (..., sites) 0/1
    keep : (..., fits, sites) bool or 0/1; the training sites of each fit
    kind : "ridge" or "firth"
    penalty : of ridge, per squared slope of a covariate in standard deviations, above 0 (scikit-learn's ``1 / C``);
        Firth's penalty has no such constant
    tolerance : stop when the square of a step, in linear predictors (log odds), is below it: the order of the error
        that remains, as Newton's method converges quadratically
    max_iterations : evaluations of the loss
    standardise : False: the ridge penalty is on the slopes of the covariates as given

    Returns
    -------
    Fits, with coefficients for the covariates as given

    A column that is constant in a training set gets slope 0; so does, for Firth, one that is a linear combination of
    the columns before it, as in ``fit_masked``. A training set with one class has no ridge solution: its slopes are 0
    and its intercept is that of ``fit_masked``. Firth's solution exists; ``one_class`` is told for both.

    Raises
    ------
    ValueError : those of ``fit_masked``; an unknown kind; a penalty that is not a positive number
    """
    covariates, labels, keep = np.asarray(covariates, dtype=float), np.asarray(labels), np.asarray(keep)
    single = covariates.ndim == 2
    if single:
        covariates, labels, keep = covariates[None], labels[None], keep[None]
    _check(covariates, labels, keep, np.zeros(labels.shape))
    if kind not in KINDS:
        raise ValueError(f"kind must be one of {KINDS}, got {kind!r}")
    if not 0 < penalty < np.inf:
        raise ValueError(f"penalty must be above 0 and finite, got {penalty}")
    if max_iterations < 1:
        raise ValueError(f"max_iterations must be 1 or more, got {max_iterations}")
    penalty = penalty if kind == "ridge" else None
    surveys, count, columns = len(covariates), keep.shape[1], 1 + covariates.shape[2]
    flags = (np.zeros((surveys, count), bool) for _ in range(3))
    fits = Fits(np.zeros((surveys, count, columns)), *flags)
    for k in range(surveys if count else 0):
        one = _fit_survey(
            covariates[k], labels[k].astype(int), keep[k].astype(bool), penalty, tolerance, max_iterations, standardise
        )
        _put(fits, k, one)
    return _take(fits, 0) if single else fits


def fit_relabelled(covariates, labels, keep, kind="ridge", penalty=1.0):
    """Penalised fits of surveys with the same sites and each its own labels, as simulated ones have; all solved
    together.

    covariates : (surveys, sites, covariates), those of the first survey count; labels : (surveys, sites) 0/1; keep :
    (surveys, fits, sites). Returns Fits with leading axes (surveys, fits). Errors as `fit_penalised`.

    Every site stands in one design twice, as a presence and as an absence, and the training sets pick one of the two.
    """
    labels, keep = np.asarray(labels).astype(bool), np.asarray(keep).astype(bool)
    surveys, sites = labels.shape
    both = np.concatenate([covariates[0], covariates[0]])
    picked = np.concatenate([keep & labels[:, None], keep & ~labels[:, None]], axis=2).reshape(-1, 2 * sites)
    fits = fit_penalised(both, np.repeat([1, 0], sites), picked, kind, penalty)
    values = (getattr(fits, field.name) for field in fields(Fits))
    return Fits(*(value.reshape(surveys, -1, *value.shape[1:]) for value in values))


def _take(fits, index):
    return Fits(*(getattr(fits, field.name)[index] for field in fields(Fits)))


def _put(fits, index, part):
    for field in fields(Fits):
        getattr(fits, field.name)[index] = getattr(part, field.name)


def _fit_survey(covariates, labels, keep, penalty, tolerance, max_iterations, standardise):
    """The fits of one survey, at least one; ``penalty`` is None for Firth's."""
    used = keep.any(axis=0)  # what no fit sees must not set the scale or the start
    covariates, labels, keep = covariates[used], labels[used], keep[:, used]
    presences, size = keep @ labels, keep.sum(axis=1)
    one_class = (presences == 0) | (presences == size)
    design, centre, scale = _standardised(covariates[None], True)
    variance, apart = _variances(design[0], keep)
    apart &= len(keep) > 1
    if not standardise:
        variance = np.where(variance > 0, np.append(1.0, scale[0].ravel() ** -2.0), 0.0)
    level = one_class & (penalty is not None)
    together = ~(apart | level)

    beta, at_limit = np.zeros((len(keep), design.shape[2])), np.zeros(len(keep), bool)
    if together.any():
        signed = design[0] * (2.0 * labels - 1.0)[:, None]
        beta[together], at_limit[together] = _solve(
            signed, keep[together], variance[together], penalty, tolerance, max_iterations
        )
    at_edge = _at_edge(design, np.zeros((1, len(labels))), beta[None], keep[None])[0]
    beta[:, 1:] /= scale[0]
    beta[:, 0] -= beta[:, 1:] @ centre[0, 0]
    fits = Fits(beta, at_edge, at_limit, one_class)
    for k in np.flatnonzero(apart & ~level):
        own = keep[k]
        alone = _fit_survey(
            covariates[own], labels[own], np.ones((1, size[k]), bool), penalty, tolerance, max_iterations, standardise
        )
        _put(fits, slice(k, k + 1), alone)
    if level.any():
        intercept = fit_masked(covariates[:, :0], labels, keep[level])
        beta[level], beta[level, :1] = 0.0, intercept.coefficients
        at_edge[level], at_limit[level] = intercept.at_edge, intercept.at_limit
    return fits


def _variances(design, keep):
    """The variances (fits, columns) of the design in each training set, 0 in constant columns, and for which fits
    (fits,) another one is too small beside the distance from the common mean to keep its digits."""
    size = keep.sum(axis=1)[:, None]
    mean, square = (keep.astype(float) @ power / size for power in (design, design**2))
    variance = square - mean**2
    small = variance < OWN_SCALE * square
    small[:, 0] = False  # the intercept
    for column in np.flatnonzero(small.any(axis=0)):
        rows = np.flatnonzero(small[:, column])
        values = np.where(keep[rows], design[:, column], np.nan)
        constant = rows[np.nanmax(values, axis=1) == np.nanmin(values, axis=1)]
        variance[constant, column], small[constant, column] = 0.0, False
    return variance, small.any(axis=1)


def _solve(signed, keep, variance, penalty, tolerance, max_iterations):
    """The coefficients (fits, columns) and whether the limit came first (fits,), all fits from the common solution.

    signed : (sites, columns), the design times the sign of the label; keep : (fits, sites); variance : (fits, columns)
    """
    design = _Design(signed)
    everything, start = np.ones((1, len(signed)), bool), np.zeros((signed.shape[1], 1))
    common = (signed**2).mean(axis=0, keepdims=True)  # the variances, the design being centred
    start, _ = _solve_block(design, everything, common, penalty, start, START_TOLERANCE, max_iterations)
    beta, at_limit = np.empty(variance.shape), np.empty(len(keep), bool)
    at_once = max(1, ELEMENTS_PER_BLOCK // max(len(signed), len(design.products)))
    for first in range(0, len(keep), at_once):
        block = slice(first, first + at_once)
        solution, at_limit[block] = _solve_block(
            design, keep[block], variance[block], penalty, start, tolerance, max_iterations
        )
        beta[block] = solution.T
    return beta, at_limit


class _Design:
    """A design (sites, columns) times the sign of the label, and what is computed from it once.

    columns : (columns, sites); products : (pairs of columns, sites), the upper triangle row by row, without the sign;
    reach : (columns,), the largest absolute values
    """

    def __init__(self, signed):
        self.signed, self.columns = signed, np.ascontiguousarray(signed.T)
        self.first, self.second = np.triu_indices(signed.shape[1])
        self.diagonal = np.flatnonzero(self.first == self.second)
        self.products = self.columns[self.first] * self.columns[self.second]
        self.reach = np.abs(signed).max(axis=0)

    @cached_property
    def triples(self):
        """The signed products of three columns (triples, sites), and the place of each (columns, columns, columns)."""
        columns = len(self.columns)
        triples = np.array(list(itertools.combinations_with_replacement(range(columns), 3))).T
        position = np.empty((columns, columns, columns), int)
        for order in itertools.permutations(triples):
            position[order] = np.arange(triples.shape[1])
        return self.columns[triples].prod(axis=0), position

    def odds_against(self, beta, kept):
        """``exp(-margin)`` of every site in every fit, (sites, fits), 0 where the site is left out."""
        odds = self.signed @ -beta
        np.exp(np.minimum(odds, LARGEST_LOG_ODDS, out=odds), out=odds)
        odds *= kept
        return odds


def _solve_block(design, keep, variance, penalty, start, tolerance, max_iterations):
    """The coefficients (columns, fits), and whether the limit came first (fits,), from a start (columns, 1)."""
    kept = np.ascontiguousarray(keep.T, dtype=float)
    if penalty is None:
        start = np.repeat(start, len(keep), axis=1)
        _, dependent = _weighted_solution((design.products @ kept)[:, None], np.zeros_like(start)[:, None])
        evaluate = partial(_firth, design, kept, dependent[:, 0])
    else:
        # The slope of a covariate in deviations of the training set is the coefficient times that deviation.
        ridge = penalty * variance.T
        ridge[0] = 0.0
        dependent = variance.T[:, None] == 0
        dependent[0] = False  # the intercept
        evaluate = partial(_ridge, design, kept, ridge)
    return _iterate(evaluate, design, start, dependent[:, 0], tolerance, max_iterations)


def _iterate(evaluate, design, start, dependent, tolerance, max_iterations):
    """Newton's method for every fit of a block, a step halved for as long as it makes the loss worse.

    evaluate : from coefficients (columns, fits) to the loss (fits,), its negative gradient (columns, fits) and its
    Hessian, or a positive matrix in its place, (pairs of columns, fits)
    dependent : (columns, fits) bool, coefficients held at 0
    Returns the coefficients and which fits (fits,) had not ended at the limit.
    """
    base = np.where(dependent, 0.0, start)
    step, best, running = np.zeros_like(base), np.full(base.shape[1], np.inf), np.ones(base.shape[1], bool)
    for _ in range(max_iterations):
        point = base + step
        loss, gradient, information = evaluate(point)
        better = running & (loss <= best + SLACK * (1.0 + np.abs(best)))
        new = _newton_step(design, information, gradient, dependent)
        base, best = np.where(better, point, base), np.where(better, loss, best)
        step = np.where(better, new, 0.5 * step)
        size = design.reach @ np.abs(step)
        done = better & (size**2 <= tolerance)
        base = np.where(done, base + step, base)
        step *= np.where(done, 0.0, LARGEST_STEP / np.maximum(size, LARGEST_STEP))
        running &= ~done
        if not running.any():
            break
    return base, running


def _ridge(design, kept, ridge, beta):
    """Loss, negative gradient and Hessian of ridge (le Cessie and van Houwelingen 1992, section 2); ``ridge`` (columns,
    fits) is the penalty of each coefficient."""
    odds = design.odds_against(beta, kept)
    own = odds + 1.0
    loss = np.log(own).sum(axis=0) + 0.5 * (ridge * beta**2).sum(axis=0)
    residual = np.divide(odds, own, out=odds)
    gradient = design.columns @ residual - ridge * beta
    information = design.products @ np.divide(residual, own, out=own)
    information[design.diagonal] += ridge
    return loss, gradient, information


def _firth(design, kept, dependent, beta):
    """Loss, negative gradient and Hessian of Firth's penalised likelihood.

    The modified score is ``X'(y - mu + h (1/2 - mu))`` with the leverages ``h``, the diagonal of
    ``W^(1/2) X I^-1 X' W^(1/2)``, and the information ``I = X'WX`` (Heinze and Schemper 2002, section 2). The Hessian
    is that of the log-likelihood less half of ``d2 log det I = tr(I^-1 d2 I) - tr(I^-1 dI I^-1 dI)``, where the weights
    have the derivatives ``w (1 - 2 mu)`` and ``w (1 - 6 w)``. Where it is not positive the step takes
    ``X'W(1 + H)X`` for it, the information of the weighted regression that has the modified score when h is held fixed.
    dependent : (columns, fits) bool, columns that take no part
    """
    odds = design.odds_against(beta, kept)
    own = odds + 1.0
    residual = np.divide(odds, own, out=odds)
    weight = residual / own
    inverse, log_determinant = _inverse(design, design.products @ weight, dependent)
    twice = np.where(design.first == design.second, 1.0, 2.0)  # pairs that stand for both orders
    leverage = weight * (design.products.T @ (twice * inverse[:, design.first, design.second]).T)
    loss = np.log(own).sum(axis=0) - 0.5 * log_determinant
    gradient = design.columns @ (residual + leverage * (residual - 0.5))

    products, position = design.triples
    slopes = inverse[:, None] @ (products @ (weight * (2.0 * residual - 1.0))).T[:, position]  # I^-1 dI / d beta_j
    flat = (*slopes.shape[:2], -1)
    squares = slopes.reshape(flat) @ slopes.swapaxes(2, 3).reshape(flat).swapaxes(1, 2)
    hessian = design.products @ (weight - 0.5 * leverage * (1.0 - 6.0 * weight))
    hessian += 0.5 * squares[:, design.first, design.second].T
    hessian[dependent[design.first] | dependent[design.second]] = 0.0
    _, lost = _weighted_solution(hessian.copy()[:, None], np.zeros_like(gradient)[:, None])
    not_positive = (lost[:, 0] & ~dependent).any(axis=0)
    hessian[:, not_positive] = design.products @ (weight * (1.0 + leverage))[:, not_positive]
    return loss, gradient, hessian


def _newton_step(design, information, gradient, dependent):
    """The solutions (columns, fits) of the normal equations, 0 in columns that are dependent."""
    try:
        right = np.where(dependent, 0.0, gradient).T[:, :, None]
        return np.linalg.solve(_squares(design, information, dependent), right)[:, :, 0].T
    except np.linalg.LinAlgError:  # the weights of some fit are all lost to rounding
        return _weighted_solution(information[:, None], gradient[:, None], dependent[:, None])[0][:, 0]


def _squares(design, information, dependent):
    """Matrices given as pairs of columns (pairs, fits) as (fits, columns, columns), with rows and columns of the
    identity where one is dependent (columns, fits)."""
    columns, fits = dependent.shape
    square = np.empty((fits, columns, columns))
    square[:, design.first, design.second] = square[:, design.second, design.first] = information.T
    if dependent.any():
        square = np.where(_both(~dependent), square, np.eye(columns))
    return square


def _both(columns):
    """(fits, columns, columns), which pairs are made of these columns (columns, fits)."""
    return columns.T[:, :, None] & columns.T[:, None, :]


def _inverse(design, information, dependent):
    """The inverses (fits, columns, columns) of matrices given as pairs of columns (pairs, fits), 0 in columns that are
    dependent, and the logarithms of their determinants (fits,), -inf if singular."""
    square = _squares(design, information, dependent)
    sign, log_determinant = np.linalg.slogdet(square)
    singular = ~(sign > 0)
    square[singular], log_determinant[singular] = np.eye(len(dependent)), -np.inf
    return np.where(_both(~dependent), np.linalg.inv(square), 0.0), log_determinant
