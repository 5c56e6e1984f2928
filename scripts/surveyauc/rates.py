"""What a linear rule does to the sites of a generating model: its rates in each class, exactly, by quadrature."""

import numpy as np
from scipy.special import expit, ndtr

from surveyauc.truth import COVARIATE_NODES, REACH, SCORE_NODES


def exact_rates(intercept, slope, coefficients, threshold=0.0):
    """What a linear rule does to sites of a generating model: (prevalence, sensitivity, false-positive rate), by
    quadrature.

    intercept, slope : sites are occupied with probability ``logistic(intercept + slope * z)``, z being the first of
    independent standard normal covariates; coefficients : (..., 1 + covariates), intercept first; threshold : (...) of
    the linear predictor, at or above which a site is called a presence. Rates are (...), the prevalence is a float.
    """
    coefficients = np.asarray(coefficients, dtype=float)
    scale = np.abs(coefficients).max(axis=-1, keepdims=True)
    scale = np.where(scale > 0, scale, 1.0)  # separated fits have slopes whose squares are too large
    level, slopes = coefficients[..., 0] / scale[..., 0], coefficients[..., 1:] / scale
    length = np.sqrt((slopes**2).sum(axis=-1))
    varies = length > 0
    correlation = np.clip(np.where(varies, slopes[..., 0] / np.where(varies, length, 1.0), 0.0), -1.0, 1.0)
    distance = np.asarray(threshold) / scale[..., 0] - level
    constant = np.where(distance <= 0, -REACH, REACH)
    begin = np.clip(np.where(varies, distance / np.where(varies, length, 1.0), constant), -REACH, REACH)
    prevalence = _occupied_above(intercept, slope, np.array(-REACH), np.array(1.0))
    found = _occupied_above(intercept, slope, begin, correlation)
    called = ndtr(-begin)
    return float(prevalence), found / prevalence, np.clip((called - found) / (1.0 - prevalence), 0.0, 1.0)


def _occupied_above(intercept, slope, begin, correlation):
    """(...) probability that a site is occupied and its score is above ``begin`` standard deviations."""
    nodes, weights = np.polynomial.legendre.leggauss(SCORE_NODES)
    half = (REACH - begin)[..., None] / 2.0
    scores = begin[..., None] + half * (nodes + 1.0)
    inner, inner_weights = np.polynomial.hermite_e.hermegauss(COVARIATE_NODES)
    spread = np.sqrt(1.0 - correlation**2)[..., None, None]
    if not spread.any():  # the score is the covariate itself, or its opposite
        inner, inner_weights = np.zeros(1), np.ones(1)
    covariate = correlation[..., None, None] * scores[..., None] + spread * inner
    occupied = expit(intercept + slope * covariate) @ (inner_weights / inner_weights.sum())
    density = np.exp(-0.5 * scores**2) / np.sqrt(2.0 * np.pi)
    return (half * weights * density * occupied).sum(axis=-1)
