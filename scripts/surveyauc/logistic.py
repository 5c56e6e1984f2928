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

from dataclasses import dataclass

import numpy as np

EPSILON = np.finfo(float).eps
LARGEST_PREDICTOR = 30.0  # beyond it R holds the fitted probability and its weight at machine epsilon
LARGEST_ODDS = np.exp(LARGEST_PREDICTOR)
SITES_PER_PRODUCT = 16  # factors 1 + exp(-margin) <= 1 + 1/eps, so products of this many stay finite
SMALLEST_PIVOT = 1e-14  # relative to its diagonal
FEW = 12
ELEMENTS_PER_BLOCK = 128_000  # working arrays of one block stay in a core's cache


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
    iteration stops; ``one_class`` says so. A column that is a linear combination of the columns before it in
    the training set gets coefficient 0.

    Raises
    ------
    ValueError : shapes that do not agree, values that are not finite, labels other than 0 and 1, a fit without sites
    """
    covariates, labels, keep = (np.asarray(a) for a in (covariates, labels, keep))
    single = covariates.ndim == 2
    offset = np.zeros(labels.shape) if offset is None else np.asarray(offset, dtype=float)
    if single:
        covariates, labels, keep, offset = covariates[None], labels[None], keep[None], offset[None]
    _check(covariates, labels, keep, offset)
    keep = keep.astype(bool)
    surveys, fits, sites = keep.shape

    kept = keep.sum(axis=-1)
    presences = np.matmul(keep, labels[:, :, None].astype(float))[..., 0]
    one_class = (presences == 0) | (presences == kept)

    coefficients = np.zeros((surveys, fits, intercept + covariates.shape[2]))
    at_edge = np.zeros((surveys, fits), bool)
    at_limit = np.zeros((surveys, fits), bool)
    fits_per_block = max(1, min(fits, ELEMENTS_PER_BLOCK // sites))
    surveys_per_block = max(1, ELEMENTS_PER_BLOCK // (sites * fits_per_block))
    solvable = ~one_class if intercept and covariates.shape[2] else np.ones_like(one_class)
    for first in range(0, surveys, surveys_per_block):
        s = slice(first, first + surveys_per_block)
        for first_fit in range(0, fits, fits_per_block):
            f = slice(first_fit, first_fit + fits_per_block)
            coefficients[s, f], at_edge[s, f], at_limit[s, f] = _solve_block(
                covariates[s], labels[s], keep[s, f], offset[s], intercept, solvable[s, f], tolerance, max_iterations
            )
    if intercept and covariates.shape[2]:
        for k in np.flatnonzero(one_class.any(axis=1)):
            alone = one_class[k]
            level = fit_masked(
                covariates[k, :, :0], labels[k], keep[k, alone], offset[k], True, tolerance, max_iterations
            )
            coefficients[k, alone, :1] = level.coefficients
            at_edge[k, alone], at_limit[k, alone] = level.at_edge, level.at_limit
    result = (coefficients, at_edge, at_limit, one_class)
    return Fits(*(a[0] for a in result) if single else result)


def _check(covariates, labels, keep, offset):
    surveys, sites, _ = covariates.shape
    if labels.shape != (surveys, sites) or offset.shape != (surveys, sites):
        raise ValueError(f"labels and offset need shape {(surveys, sites)}, got {labels.shape} and {offset.shape}")
    if keep.ndim != 3 or keep.shape[::2] != (surveys, sites):
        raise ValueError(f"keep needs shape ({surveys}, fits, {sites}), got {keep.shape}")
    if not (np.isfinite(covariates).all() and np.isfinite(offset).all()):
        raise ValueError("covariates and offset must be finite")
    if not np.isin(labels, (0, 1)).all():
        raise ValueError("labels must be 0 (absence) or 1 (presence)")
    if not keep.any(axis=-1).all():
        raise ValueError("a fit leaves out every site")


def _solve_block(covariates, labels, keep, offset, intercept, solvable, tolerance, max_iterations):
    """IRLS for the fits of one block that are ``solvable``; the others keep zeros. Returns the arrays of `Fits`."""
    design, centre, scale = _standardised(covariates, intercept)
    sign = 2.0 * labels - 1.0
    kept = np.ascontiguousarray(keep.swapaxes(1, 2), dtype=float)  # (surveys, sites, fits)
    model = _Model.of(design, sign, offset)

    # R starts at mu = (y + 1/2) / 2 at every site: margin log 3, own probability 3/4, equal weights.
    response = np.log(3.0) + 4.0 / 3.0 - model.shift
    beta = _weighted_solution(model.information(kept), model.gradient(kept * response[:, :, None]))
    deviance = 2.0 * np.log(4.0 / 3.0) * kept.sum(axis=1)

    last = np.zeros((beta.shape[0], solvable.size))  # (columns, surveys * fits)
    at_limit = np.zeros(solvable.size, bool)
    place = np.arange(solvable.size).reshape(solvable.shape)
    running = solvable
    for iteration in range(1, max_iterations + 1):
        odds = model.odds_against(beta)
        odds *= kept
        own = odds + 1.0
        previous, deviance = deviance, _deviance(own)
        moving = np.abs(deviance - previous) >= tolerance * (np.abs(deviance) + 0.1)
        if iteration == max_iterations:
            at_limit[place[running & moving]] = True
            moving[:] = False
        ended = running & ~moving
        if ended.any():
            last[:, place[ended]] = beta[:, ended]
            running = running & moving
            if not running.any():
                break
        np.divide(1.0, own, out=own)  # fitted probability of the site's own label, 1 where left out
        odds *= own  # the residual, 0 where left out
        gradient = model.gradient(odds)
        odds *= own  # the weight
        beta += _weighted_solution(model.information(odds), gradient)

        survey, fit = np.nonzero(running)
        if survey.size <= running.size / FEW:  # go on with these alone, each fit with a copy of its survey's design
            place, deviance, running = (a[None, survey, fit] for a in (place, deviance, running))
            beta, kept = beta[:, None, survey, fit], np.ascontiguousarray(kept[survey, :, fit].T)[None]
            model = model.only(survey, fit)

    coefficients = np.moveaxis(last, 0, 1).reshape(*solvable.shape, -1)
    at_edge = _at_edge(design, offset, coefficients, keep)
    if intercept:
        coefficients[..., 1:] /= scale
        coefficients[..., 0] -= (coefficients[..., 1:] * centre).sum(axis=-1)
    else:
        coefficients /= scale
    return coefficients, at_edge, at_limit.reshape(solvable.shape)


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


@dataclass(frozen=True)
class _Model:
    """What the iteration needs of a design: signed (surveys, sites, columns), its transpose, the packed products of
    its columns (surveys, pairs of columns, sites), the signed offset and, to bound predictors without computing
    them, the largest absolute value of each column and of the offset."""

    signed: np.ndarray
    signed_t: np.ndarray
    products: np.ndarray
    shift: np.ndarray
    reach: np.ndarray
    reach_offset: np.ndarray

    @classmethod
    def of(cls, design, sign, offset):
        signed = design * sign[:, :, None]
        columns = design.swapaxes(1, 2)
        products = (columns[:, :, None] * columns[:, None]).reshape(len(design), -1, design.shape[1])
        return cls(
            signed,
            np.ascontiguousarray(signed.swapaxes(1, 2)),
            products,
            sign * offset,
            np.abs(design).max(axis=1),
            np.abs(offset).max(axis=1),
        )

    def only(self, survey, fit):
        return _SpreadModel(
            np.ascontiguousarray(self.signed[survey].transpose(2, 1, 0)),
            self.shift[survey].T,
            self.reach[survey].T,
            self.reach_offset[survey],
        )

    def odds_against(self, beta):
        """``exp(-margin)`` of every site in every fit, (surveys, sites, fits), held as R holds it at the extremes."""
        odds = self.signed @ -beta.swapaxes(0, 1)
        if self.shift.any():
            odds -= self.shift[:, :, None]
        bound = (self.reach * np.abs(beta).max(axis=2).T).sum(axis=1) + self.reach_offset
        return _bounded_exp(odds, bound)

    def information(self, weights):
        """Sums over the sites of weight times product of two columns, (columns, columns, surveys, fits)."""
        columns = self.signed.shape[2]
        return _matmul_first(self.products, weights).reshape(columns, columns, len(weights), -1)

    def gradient(self, residuals):
        """Sums over the sites of residual times signed column, (columns, surveys, fits)."""
        return _matmul_first(self.signed_t, residuals)


@dataclass(frozen=True)
class _SpreadModel:
    """The same for a few fits of many surveys: every fit with its own copy of the design, fits last.

    signed (columns, sites, fits), shift (sites, fits), reach (columns, fits), reach_offset (fits,)
    """

    signed: np.ndarray
    shift: np.ndarray
    reach: np.ndarray
    reach_offset: np.ndarray

    def only(self, survey, fit):
        return _SpreadModel(*(a[..., fit] for a in vars(self).values()))

    def odds_against(self, beta):
        log_odds = np.einsum("csf,cf->sf", self.signed, -beta[:, 0]) - self.shift
        bound = (self.reach * np.abs(beta[:, 0])).sum(axis=0) + self.reach_offset
        return _bounded_exp(log_odds[None], bound.max(keepdims=True))

    def information(self, weights):
        return np.einsum("isf,jsf->ijf", self.signed * weights, self.signed)[:, :, None]

    def gradient(self, residuals):
        return np.einsum("csf,sf->cf", self.signed, residuals[0])[:, None]


def _bounded_exp(log_odds, bound):
    with np.errstate(over="ignore"):
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


def _weighted_solution(information, gradient):
    """Solve the normal equations of every fit by elimination (Golub and Van Loan 2013, Matrix Computations, 4th ed.,
    section 4.1), written over the batch. The matrices are positive definite, so the diagonal serves as pivots.

    information : (columns, columns, surveys, fits); overwritten
    gradient : (columns, surveys, fits); overwritten with the result

    A pivot lost to rounding means a column that depends on those before it; its component is 0.
    """
    columns = range(gradient.shape[0])
    smallest = [SMALLEST_PIVOT * information[j, j] for j in columns]
    for j in columns:
        pivot, row, below = information[j, j], information[j, j + 1 :], information[j + 1 :, j]
        pivot[~(pivot > smallest[j])] = np.inf
        row /= pivot
        gradient[j] /= pivot
        information[j + 1 :, j + 1 :] -= below[:, None] * row
        gradient[j + 1 :] -= below * gradient[j]
    for j in reversed(columns):
        gradient[:j] -= information[:j, j] * gradient[j]
    return gradient


def _at_edge(design, offset, coefficients, keep):
    """(surveys, fits): is a training site fitted within 10 machine epsilons of 0 or 1?"""
    reach = np.abs(coefficients) @ np.abs(design).max(axis=1)[:, :, None]
    suspect = np.nonzero(reach[..., 0] + np.abs(offset).max(axis=1)[:, None] > LARGEST_PREDICTOR)
    predictor = np.einsum("fsc,fc->fs", design[suspect[0]], coefficients[suspect]) + offset[suspect[0]]
    distance = 1.0 / (1.0 + np.exp(np.minimum(np.abs(predictor), 700.0)))  # from the nearer of 0 and 1
    at_edge = np.zeros(keep.shape[:2], bool)
    at_edge[suspect] = ((distance < 10 * EPSILON) & keep[suspect]).any(axis=1)
    return at_edge
