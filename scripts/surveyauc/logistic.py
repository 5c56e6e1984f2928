"""Logistic regression, refitted many times at once.

Every estimator of this study fits the same design again and again, each time with a few sites left out. The
refits of a survey differ only in a 0/1 mask over its sites, so they are solved together: one iteratively
reweighted least squares (IRLS) run over arrays of shape (surveys, sites, fits).

Two rewritings keep the arrays few. With the sign ``s = 2 y - 1`` folded into the design, the label disappears:
the margin of a site is ``s * eta``, the probability of its own label ``q = 1 / (1 + exp(-margin))``, its IRLS
weight ``q (1 - q)`` and its residual ``1 - q``. And a site that is left out has ``exp(-margin)`` set to zero, which
removes it from the deviance, the gradient and the information alike.

The start, the stop rule and the treatment of extreme predictors are those of R's ``glm.fit`` with
``binomial()`` (McCullagh and Nelder 1989, Generalized Linear Models, 2nd ed., section 2.5): separated data have no
maximum, and what their fits predict depends on where the iteration stops.
"""

import itertools
from dataclasses import dataclass

import numpy as np

EPSILON = np.finfo(float).eps
LARGEST_PREDICTOR = 30.0  # beyond it R holds the fitted probability and its weight at machine epsilon
LARGEST_ODDS = np.exp(LARGEST_PREDICTOR)
SMALLEST_PIVOT = 1e-14  # of a column's squared length: what is left of it beside the columns before it
SITES_PER_PRODUCT = 16  # factors 1 + exp(-margin) <= 1 + 1/eps, so products of this many stay finite
ELEMENTS_PER_BLOCK = 128_000  # a block's working arrays of this size (1 MB) stay in the cache
STAGES = (6, 8, 11)  # iterations after which the fits that still run are gathered: most end within the first
FEW = 0.3  # a survey goes on as a whole while more than this share of its fits run, otherwise its fits alone


@dataclass(frozen=True)
class Fits:
    """The refits of one or several surveys; ``...`` is () for one survey, (surveys,) for several.

    coefficients : (..., fits, 1 + covariates), intercept first; without intercept (..., fits, covariates)
    at_edge      : (..., fits) bool, a training site is fitted within 10 machine epsilons of 0 or 1 (separation)
    at_limit     : (..., fits) bool, the iteration limit came before the stop rule
    one_class    : (..., fits) bool, the training sites are all presences or all absences
    """

    coefficients: np.ndarray
    at_edge: np.ndarray
    at_limit: np.ndarray
    one_class: np.ndarray


def fit_masked(covariates, labels, keep, offset=None, intercept=True, tolerance=1e-8, max_iterations=25):
    """Maximum-likelihood logistic regressions of one design on many subsets of its sites.

    Parameters
    ----------
    covariates : (..., sites, covariates) float; leading axis: surveys, or none for a single survey
    labels : (..., sites) 0/1
    keep : (..., fits, sites) bool or 0/1; the training sites of each fit
    offset : (..., sites) float, added to every linear predictor; default none
    intercept : whether to fit an intercept; without it, give the frozen one as ``offset``
    tolerance : stop when ``|dev - previous dev| / (|dev| + 0.1)`` falls below it
    max_iterations : R's limit is 25

    Returns
    -------
    Fits

    A training set with one class has no maximum-likelihood fit. Its slopes are 0 and its intercept is where the
    iteration stops, whatever the offset; ``one_class`` says so. A column that is, to about 1e-7 of its length, a linear
    combination of the columns before it in the training set gets coefficient 0.

    Raises
    ------
    ValueError : shapes that do not agree, values that are not finite, labels or masks other than 0 and 1, a fit without
    sites, no iteration
    """
    covariates, labels, keep = np.asarray(covariates, dtype=float), np.asarray(labels), np.asarray(keep)
    single = covariates.ndim == 2
    offset = np.zeros(labels.shape) if offset is None else np.asarray(offset, dtype=float)
    if single:
        covariates, labels, keep, offset = covariates[None], labels[None], keep[None], offset[None]
    _check(covariates, labels, keep, offset)
    if max_iterations < 1:
        raise ValueError(f"max_iterations must be 1 or more, got {max_iterations}")
    keep = keep.astype(bool)

    presences = np.matmul(keep, labels[:, :, None].astype(float))[..., 0]
    one_class = (presences == 0) | (presences == keep.sum(axis=2))
    degenerate = one_class & bool(intercept and covariates.shape[2])
    sign = 2.0 * labels - 1.0
    design, centre, scale = _standardised(covariates, intercept)
    with np.errstate(over="ignore"):  # odds too large for a number are held at 1 / epsilon
        beta, at_limit = _solve(design * sign[:, :, None], offset * sign, keep, ~degenerate, tolerance, max_iterations)
    at_edge = _at_edge(design, offset, beta, keep)
    if intercept:
        beta[..., 1:] /= scale
        beta[..., 0] -= (beta[..., 1:] * centre).sum(axis=2)
    else:
        beta /= scale
    beta[degenerate] = 0.0
    for k in np.flatnonzero(degenerate.any(axis=1)):
        these = degenerate[k]
        level = fit_masked(covariates[k, :, :0], labels[k], keep[k, these], offset[k], True, tolerance, max_iterations)
        beta[k, these, :1], at_edge[k, these], at_limit[k, these] = level.coefficients, level.at_edge, level.at_limit
    result = (beta, at_edge, at_limit, one_class)
    return Fits(*(a[0] for a in result) if single else result)


def _check(covariates, labels, keep, offset):
    if covariates.ndim != 3:
        raise ValueError("covariates need shape (sites, covariates) or (surveys, sites, covariates)")
    surveys, sites, _ = covariates.shape
    if labels.shape != (surveys, sites) or offset.shape != (surveys, sites):
        raise ValueError(f"labels and offset need shape {(surveys, sites)}, got {labels.shape} and {offset.shape}")
    if keep.ndim != 3 or keep.shape[::2] != (surveys, sites):
        raise ValueError(f"keep needs shape ({surveys}, fits, {sites}), got {keep.shape}")
    if not (np.isfinite(covariates).all() and np.isfinite(offset).all()):
        raise ValueError("covariates and offset must be finite")
    if not np.isin(labels, (0, 1)).all():
        raise ValueError("labels must be 0 (absence) or 1 (presence)")
    if keep.dtype != bool and not np.isin(keep, (0, 1)).all():
        raise ValueError("keep must be 0 or 1")
    if not keep.any(axis=-1).all():
        raise ValueError("a fit leaves out every site")


def _solve(signed, shift, keep, running, tolerance, max_iterations):
    """IRLS for the fits that are ``running``; what the others get means nothing.

    signed : (surveys, sites, columns), the design times the sign of the label; shift : (surveys, sites), the offset
    times the sign; keep : (surveys, fits, sites) and running : (surveys, fits), bool
    Returns the coefficients (surveys, fits, columns) and which fits were still running at the limit.
    """
    surveys, fits, sites = keep.shape
    beta, deviance, running = np.zeros((surveys, fits, signed.shape[2])), np.zeros((surveys, fits)), running.copy()
    dependent = np.zeros(beta.shape, bool)
    at_once = max(1, ELEMENTS_PER_BLOCK // sites)
    for begin, end in itertools.pairwise([0, *sorted({min(end, max_iterations) for end in (*STAGES, max_iterations)})]):
        iterations = range(begin + 1, end + 1), max_iterations, tolerance
        together = np.ones(surveys, bool) if begin == 0 else running.sum(axis=1) > FEW * fits
        some_surveys = _parts(np.flatnonzero(together), at_once // max(1, fits))
        for s, f in itertools.product(some_surveys, _parts(np.arange(fits), at_once)):
            model, block = _Surveys(signed[s], shift[s]), np.ix_(s, f)
            kept = np.ascontiguousarray(keep[block].swapaxes(1, 2), dtype=float)
            if begin == 0:
                b, zero = model.first_step(kept)
                d = 2.0 * np.log(4.0 / 3.0) * kept.sum(axis=1)
                dependent[block] = np.moveaxis(zero, 0, -1)
            else:
                b, zero = (np.ascontiguousarray(np.moveaxis(a[block], -1, 0)) for a in (beta, dependent))
                d = deviance[block]
            b, deviance[block], running[block] = _iterate(model, kept, b, zero, d, running[block], *iterations)
            beta[block] = np.moveaxis(b, 0, -1)
        for alone in _parts(np.argwhere(running & ~together[:, None]), at_once // max(1, signed.shape[2])):
            s, f = alone.T
            model, kept = _Spread(signed[s], shift[s]), np.ascontiguousarray(keep[s, f].T, dtype=float)[None]
            b, zero = (np.ascontiguousarray(a[s, f].T)[:, None] for a in (beta, dependent))
            b, d, r = _iterate(model, kept, b, zero, deviance[None, s, f], running[None, s, f], *iterations)
            beta[s, f], deviance[s, f], running[s, f] = b[:, 0].T, d[0], r[0]
    return beta, running


def _parts(items, size):
    size = max(1, size)
    return [items[first : first + size] for first in range(0, len(items), size)]


def _iterate(model, kept, beta, dependent, deviance, running, iterations, max_iterations, tolerance):
    """These iterations for the fits of a model, (columns, surveys, fits), those that end keeping their coefficients."""
    for iteration in iterations:
        odds = model.odds_against(beta)
        odds *= kept
        own = odds + 1.0
        previous, deviance = deviance, _deviance(own)
        running = running & (np.abs(deviance - previous) >= tolerance * (np.abs(deviance) + 0.1))
        if iteration == max_iterations or not running.any():
            break
        np.divide(1.0, own, out=own)  # fitted probability of the site's own label, 1 where left out
        odds *= own  # the residual, 0 where left out
        gradient = model.gradient(odds)
        odds *= own  # the weight
        step, _ = _weighted_solution(model.information(odds), gradient, dependent)
        np.add(beta, step, out=beta, where=True if running.all() else running)
    return beta, deviance, running


def _standardised(covariates, intercept):
    """The design (surveys, sites, columns) with centred, scaled covariates, so that its normal equations keep their
    digits; and the centre and scale, (surveys, 1, covariates), to undo it."""
    if not intercept:
        scale = np.abs(covariates).max(axis=1, keepdims=True)
        return covariates / np.where(scale > 0, scale, np.inf), np.zeros_like(scale), np.where(scale > 0, scale, np.inf)
    centre = covariates.mean(axis=1, keepdims=True)
    scale = covariates.std(axis=1, keepdims=True)
    scale = np.where(scale > 1e-12 * np.abs(centre), scale, np.inf)  # a constant column becomes exactly 0
    ones = np.ones((*covariates.shape[:2], 1))
    return np.concatenate([ones, (covariates - centre) / scale], axis=2), centre, scale


class _Surveys:
    """The designs of several surveys, all fits of a survey sharing its design.

    Arrays over sites are (surveys, sites, fits), arrays over columns (columns, surveys, fits).
    """

    def __init__(self, signed, shift):
        columns = signed.swapaxes(1, 2)
        self.signed, self.columns, self.shift = signed, np.ascontiguousarray(columns), shift
        first, second = np.triu_indices(signed.shape[2])
        self.products = columns[:, first] * columns[:, second]
        # Bound the predictors without computing them.
        self.reach, self.reach_of_shift = np.abs(signed).max(axis=1), np.abs(shift).max(axis=1)

    def first_step(self, kept):
        """R starts at mu = (y + 1/2) / 2 at every site: margin log 3, own probability 3/4, equal weights.

        Returns the coefficients and which columns depend on those before them.
        """
        response = np.log(3.0) + 4.0 / 3.0 - self.shift
        return _weighted_solution(self.information(kept), self.gradient(kept * response[:, :, None]))

    def odds_against(self, beta):
        """``exp(-margin)`` of every site in every fit, held as R holds it at the extremes."""
        log_odds = self.signed @ -beta.swapaxes(0, 1)
        if self.shift.any():
            log_odds -= self.shift[:, :, None]
        bound = (self.reach * np.abs(beta).max(axis=2).T).sum(axis=1) + self.reach_of_shift
        return _bounded_exp(log_odds, bound)

    def information(self, weights):
        """Sums over the sites of weight times product of two columns, (pairs of columns, surveys, fits)."""
        return _matmul_first(self.products, weights)

    def gradient(self, residuals):
        """Sums over the sites of residual times signed column, (columns, surveys, fits)."""
        return _matmul_first(self.columns, residuals)


class _Spread:
    """The same for fits of many surveys, each with its own copy of the design, as if of one survey (axis of size 1)."""

    def __init__(self, signed, shift):
        self.signed, self.shift = np.ascontiguousarray(signed.transpose(2, 1, 0)), shift.T
        self.reach, self.reach_of_shift = np.abs(self.signed).max(axis=1), np.abs(self.shift).max(axis=0)

    def odds_against(self, beta):
        log_odds = np.einsum("csf,cf->sf", self.signed, -beta[:, 0]) - self.shift
        bound = (self.reach * np.abs(beta[:, 0])).sum(axis=0) + self.reach_of_shift
        return _bounded_exp(log_odds[None], bound.max(keepdims=True))

    def information(self, weights):
        weighted = self.signed * weights
        rows = [np.einsum("sf,jsf->jf", column, self.signed[j:]) for j, column in enumerate(weighted)]
        return np.concatenate(rows)[:, None]

    def gradient(self, residuals):
        return np.einsum("csf,sf->cf", self.signed, residuals[0])[:, None]


def _bounded_exp(log_odds, bound):
    """``exp(log_odds)``, held at epsilon and its inverse beyond the largest predictor; ``bound`` says where to look."""
    odds = np.exp(log_odds, out=log_odds)
    beyond = bound > LARGEST_PREDICTOR
    if beyond.any():
        extreme = odds[beyond]
        high, low = extreme > LARGEST_ODDS, extreme < 1.0 / LARGEST_ODDS
        extreme[high], extreme[low] = 1.0 / EPSILON, EPSILON
        odds[beyond] = extreme
    return odds


def _matmul_first(left, right):
    """``left @ right`` with the rows of each product as the first axis, so that each row is contiguous."""
    out = np.empty((left.shape[1], left.shape[0], right.shape[2]))
    np.matmul(left, right, out=out.swapaxes(0, 1))
    return out


def _deviance(factors):
    """Twice the sum over the sites of ``log(factors)``, (surveys, fits): one logarithm for every few sites."""
    total = 0.0
    for first in range(0, factors.shape[1], SITES_PER_PRODUCT):
        total = total + np.log(factors[:, first : first + SITES_PER_PRODUCT].prod(axis=1))
    return 2.0 * total


def _weighted_solution(information, gradient, dependent=None):
    """Solve the normal equations of every fit by Cholesky's method (Golub and Van Loan 2013, Matrix Computations, 4th
    ed., section 4.2), written over the batch and in place, which keeps the arrays in the cache.

    information : (pairs of columns, surveys, fits), the upper triangle row by row; overwritten
    gradient : (columns, surveys, fits); overwritten with the solution
    dependent : (columns, surveys, fits) bool, columns whose component is 0. By default those whose pivot is lost to
    rounding: with equal weights, columns that depend on the ones before them. Later weights must not decide this anew,
    because they may collapse at all but a few sites.

    Returns (solution, dependent).
    """
    columns, first = range(len(gradient)), 0
    rows, product = [], np.empty_like(gradient)
    decide = dependent is None
    dependent = np.zeros(gradient.shape, bool) if decide else dependent
    for j in columns:
        row, first = information[first : first + len(columns) - j], first + len(columns) - j  # of columns j and after
        smallest = SMALLEST_PIVOT * row[0] if decide else 0.0
        for k, above in enumerate(rows):
            row -= np.multiply(above[j - k :], above[j - k], out=product[j:])
        pivot, after = row[0], row[1:]
        lost = ~(pivot > smallest)
        if decide:
            dependent[j] = lost
        pivot[lost | dependent[j]] = np.inf
        np.divide(1.0, np.sqrt(pivot, out=pivot), out=pivot)  # from here on the inverse of the root
        after *= pivot
        gradient[j] *= pivot
        gradient[j + 1 :] -= np.multiply(after, gradient[j], out=product[j + 1 :])
        rows.append(row)
    for j in reversed(columns):
        gradient[j] *= rows[j][0]
        for i in range(j):
            gradient[i] -= np.multiply(rows[i][j - i], gradient[j], out=product[0])
    return gradient, dependent


def _at_edge(design, offset, coefficients, keep):
    """(surveys, fits): is a training site fitted within 10 machine epsilons of 0 or 1?"""
    reach = np.abs(coefficients) @ np.abs(design).max(axis=1)[:, :, None]
    suspect = np.nonzero(reach[..., 0] + np.abs(offset).max(axis=1)[:, None] > LARGEST_PREDICTOR)
    predictor = np.einsum("fsc,fc->fs", design[suspect[0]], coefficients[suspect]) + offset[suspect[0]]
    distance = 1.0 / (1.0 + np.exp(np.minimum(np.abs(predictor), 700.0)))  # from the nearer of 0 and 1
    at_edge = np.zeros(keep.shape[:2], bool)
    at_edge[suspect] = ((distance < 10 * EPSILON) & keep[suspect]).any(axis=1)
    return at_edge
