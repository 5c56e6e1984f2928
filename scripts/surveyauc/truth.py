"""The truth that a survey's estimators try to reach: the AUC of its full fit on new sites of the same model."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.polynomial import chebyshev

from surveyauc.ranks import auc

REACH = 9.0  # standard deviations of a score beyond which nothing counts (the density there is 1e-18)
SCORE_NODES = 160  # Chebyshev nodes over the score
COVARIATE_NODES = 60  # Gauss-Hermite nodes over the working covariate, given the score
CORRELATION_NODES = 64  # Chebyshev nodes over the correlation


def truth_on_fresh_sites(coefficients, fresh_covariates, fresh_labels):
    """Conditional AUC of fitted models on sites that they have not seen.

    coefficients : (surveys, 1 + covariates), intercept first; fresh_covariates : (surveys, sites, covariates);
    fresh_labels : (surveys, sites) 0/1. Returns (surveys,).
    """
    scores = (fresh_covariates @ coefficients[:, 1:, None])[..., 0] + coefficients[:, :1]
    return auc(scores, fresh_labels)


@dataclass(frozen=True)
class ExactTruth:
    """Conditional AUC of any linear score under a generating model, by quadrature instead of fresh sites.

    A linear score of independent standard normal covariates is normal, so all that matters of it is its correlation
    with the covariate that works. Given the score s, in its own standard deviations, the covariate is normal with mean
    ``correlation * s``; averaging the probability of occupancy over it gives the share of presences among sites of that
    score, and with it the densities of the score among presences and among absences. The AUC is the probability that
    one drawn from the first exceeds one drawn from the second (Hanley and McNeil 1982, Radiology 143:29-36).

    series : Chebyshev coefficients of the AUC as a function of the correlation
    """

    series: np.ndarray

    @classmethod
    def under(cls, intercept, slope):
        """For sites that are occupied with probability ``logistic(intercept + slope * z)``."""
        correlations = chebyshev.chebpts1(CORRELATION_NODES)
        return cls(_series(np.array([_auc_at(intercept, slope, r) for r in correlations])))

    def of(self, coefficients):
        """The AUC of fitted models.

        coefficients : (..., 1 + covariates), intercept first, the covariate that works next. Returns (...), one half
        where all slopes are 0.
        """
        slopes = np.asarray(coefficients, dtype=float)[..., 1:]
        scale = np.abs(slopes).max(axis=-1, keepdims=True)
        slopes = slopes / np.where(scale > 0, scale, 1.0)  # separated fits have slopes whose squares are too large
        length = np.sqrt((slopes**2).sum(axis=-1))
        with np.errstate(invalid="ignore"):
            correlation = np.clip(slopes[..., 0] / length, -1.0, 1.0)
        return np.where(length > 0, chebyshev.chebval(np.where(length > 0, correlation, 0.0), self.series), 0.5)


def _auc_at(intercept, slope, correlation):
    """The AUC of a score with this correlation with the working covariate."""
    x = chebyshev.chebpts1(SCORE_NODES)
    scores = REACH * x
    nodes, weights = np.polynomial.hermite_e.hermegauss(COVARIATE_NODES)
    covariate = correlation * scores[:, None] + np.sqrt(1.0 - correlation**2) * nodes
    probability = 1.0 / (1.0 + np.exp(-intercept - slope * covariate))
    occupied = (probability * weights).sum(axis=1) / weights.sum()
    density = np.exp(-0.5 * scores**2)
    presences, absences = _series(density * occupied), _series(density * (1.0 - occupied))
    absences_below = chebyshev.chebval(x, chebyshev.chebint(absences, lbnd=-1))
    in_order = _series(density * occupied * absences_below)
    return _integral(in_order) / (_integral(presences) * _integral(absences))


def _series(values):
    """Chebyshev coefficients of the polynomial through ``values`` at the nodes of `chebpts1`."""
    series = (_polynomials(len(values)) * values[:, None]).sum(axis=0) * 2.0 / len(values)
    series[0] /= 2.0
    return series


@cache
def _polynomials(nodes):
    return chebyshev.chebvander(chebyshev.chebpts1(nodes), nodes - 1)


def _integral(series):
    """Over [-1, 1]."""
    return chebyshev.chebval(1.0, chebyshev.chebint(series, lbnd=-1))
