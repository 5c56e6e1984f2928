"""Summaries over the surveys of a cell, each with its Monte Carlo standard error and the surveys it rests on
(Morris, White and Crowther 2019, Statistics in Medicine 38:2074-2102, table 6)."""

import numpy as np
import pandas as pd


def mean_and_error(values):
    """(mean, Monte Carlo standard error, count) of the values that are defined."""
    values = np.asarray(values, dtype=float)
    values = values[~np.isnan(values)]
    if values.size == 0:
        return np.nan, np.nan, 0
    error = values.std(ddof=1) / np.sqrt(values.size) if values.size > 1 else np.nan
    return values.mean(), error, values.size


def bias_table(scores, estimators, batch=None):
    """One row per estimator: how far it is from the truth, over the surveys of one cell.

    scores : DataFrame with ``truth`` and a column per estimator, one row per survey in the order drawn
    batch : how many consecutive surveys make a batch, whose lowest and highest mean bias are given; default all
    """
    rows = []
    batches = np.arange(len(scores)) // (batch or max(1, len(scores)))
    for name in estimators:
        difference = scores[name] - scores["truth"]
        bias, error, surveys = mean_and_error(difference)
        means = difference.groupby(batches).mean()
        rows.append(
            {
                "estimator": name,
                "surveys": surveys,
                "value": scores[name].mean(),
                "bias": bias,
                "mcse": error,
                "rmse": np.sqrt((difference**2).mean()),
                "lowest_batch": means.min(),
                "highest_batch": means.max(),
            }
        )
    return pd.DataFrame(rows)


def squared_error_difference(scores, first, second):
    """(mean, standard error, count) over surveys of the squared error of ``first`` minus that of ``second``."""
    return mean_and_error((scores[first] - scores["truth"]) ** 2 - (scores[second] - scores["truth"]) ** 2)


def share(counts):
    """(share, Monte Carlo standard error, count) of the surveys, among those defined, in which ``counts`` is not 0."""
    counts = np.asarray(counts, dtype=float)
    happened = counts[~np.isnan(counts)] != 0
    if happened.size == 0:
        return np.nan, np.nan, 0
    p = happened.mean()
    return p, np.sqrt(p * (1.0 - p) / happened.size), happened.size


def channel_table(scores):
    """How far off pooled leave-one-out is when the whole model is refitted and when the slope alone is, and what share
    of the bias then remains."""
    rows = bias_table(scores, ["loo", "slope_only"])
    rows.insert(0, "refit", ["full refit", "slope only"])
    rows["share_of_full"] = rows["bias"] / rows["bias"].iloc[0]
    return rows[["refit", "surveys", "bias", "mcse", "share_of_full"]]


def power_law(sites, bias, errors):
    """Weighted least squares of ``log |bias|`` on ``log sites``, each point weighted by its Monte Carlo error, which
    for the logarithm is ``error / |bias|`` (Bevington and Robinson 2003, Data Reduction and Error Analysis, ch. 6).

    sites, bias, errors : (points,), the bias of one sign. Returns a dict: ``exponent`` and its error, ``log_factor``
    (the logarithm of the bias at one site), ``chi_square`` of the residuals and its ``degrees`` of freedom.

    Raises ValueError when the signs differ or there are fewer than 3 points.
    """
    x, bias, errors = (np.asarray(a, dtype=float) for a in (np.log(sites), bias, errors))
    if len(x) < 3 or len(set(np.sign(bias))) != 1:
        raise ValueError("a power law needs 3 points or more, all of one sign")
    y, weight = np.log(np.abs(bias)), (bias / errors) ** 2
    centre = np.average(x, weights=weight)
    spread = (weight * (x - centre) ** 2).sum()
    exponent = (weight * (x - centre) * y).sum() / spread
    log_factor = np.average(y, weights=weight) - exponent * centre
    residuals = (y - log_factor - exponent * x) ** 2 * weight
    return {
        "exponent": exponent,
        "exponent_error": 1.0 / np.sqrt(spread),
        "log_factor": log_factor,
        "chi_square": residuals.sum(),
        "degrees": len(x) - 2,
    }
