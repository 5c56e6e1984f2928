"""An interval for the AUC of a fitted model on new sites that keeps its level also where there is little signal.

The usual intervals take the spread of an estimate from the one survey. With little signal that fails, because another
survey would have turned the fit round, and the estimate with it. Here the survey itself is simulated: its covariates
and its number of presences stay, its labels are drawn anew from models that look in the direction of its fit with more
or less strength. Each simulated survey is fitted and scored like the real one, and its truth is known, so that both the
error of the estimate (estimate less truth) and the truths that a fit can have are seen at every strength. The interval
holds every truth that is compatible with the observed estimate at some plausible strength: test inversion over a
confidence set of a nuisance parameter (Berger and Boos 1994, Journal of the American Statistical Association
89:1012-1016).

What is left out of the errors (``alpha``), of the truths (a fifth of it) and of the strengths adds up to a little more
than ``alpha``, and the direction of the fit is taken as given. That the interval keeps its level is therefore a
measurement (`config/coverage.yaml`), not a theorem.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from surveyauc.estimators import score_surveys
from surveyauc.holdout import pairs, stacked
from surveyauc.logistic import fit_masked
from surveyauc.ranks import expected_auc

STRONGEST = 24.0  # logits per standard deviation of the score: labels follow the score without error
FIRST_STRENGTHS, FIRST_SHARE = 9, 4  # of the first look, which finds the plausible strengths by fewer draws
PLAUSIBLE = 3.0  # standard deviations that the observed estimate may lie from its mean
STEPS = 400  # between the first and the last of the strengths simulated
NONE_COMPATIBLE = "no truth is compatible with the estimate; these are the nearest"
UNLIKELY_TRUTHS = 0.2  # times alpha: share of the truths at one strength that are left out


@dataclass(frozen=True)
class Simulated:
    """strengths : (strengths,) logits per standard deviation of the score; estimate, truth : (strengths, draws);
    refits : logistic regressions behind them"""

    strengths: np.ndarray
    estimate: np.ndarray
    truth: np.ndarray
    refits: int


def inverted_interval(
    covariates,
    labels,
    stream,
    alpha=0.05,
    estimator="resub",
    pairs_at_most=None,
    strengths=8,
    draws=400,
    fit=fit_masked,
):
    """Test inversion around an estimator.

    Parameters
    ----------
    covariates : (sites, covariates); labels : (sites,) 0/1
    stream : `streams.IndependentStream`
    alpha : one less the level
    estimator : "resub" (one refit a draw), or "lpo" (a refit for each of at most ``pairs_at_most`` pairs, or for all)
    strengths, draws : plausible strengths that are simulated, and surveys for each
    fit : the solver, as `models.solver_of` gives it

    Returns
    -------
    dict of ``auc`` (the estimate), ``lower_bound``, ``upper_bound``, ``note`` and ``refits``. The interval is for the
    AUC of the fitted model on new sites with covariates like these, not for the estimate, and need not hold it.

    Raises
    ------
    ValueError : one class only, a full fit without any slope, an alpha outside (0, 1)
    """
    _check_alpha(alpha)
    simulation = Simulation.of(covariates, labels, stream, estimator, pairs_at_most, fit)
    return inverted(simulation, first_look(simulation, draws), alpha, strengths, draws)


def first_look(simulation, draws=400):
    """`Simulated` surveys at all strengths, fewer than ``draws`` of each: which strengths are plausible."""
    return simulation.at(_evenly(0.0, STRONGEST, FIRST_STRENGTHS), max(2, draws // FIRST_SHARE))


def inverted(simulation, first, alpha=0.05, strengths=8, draws=400):
    """What `inverted_interval` returns, of a `Simulation` and its `first_look`."""
    lowest, highest = plausible_range(simulation.observed, first)
    second = simulation.at(_evenly(lowest, highest, strengths), draws)
    lower, upper, found = compatible_truths(simulation.observed, second, alpha)
    lower, upper = np.clip([lower, upper], 0.0, 1.0)
    note = "" if found else NONE_COMPATIBLE
    result = {"auc": simulation.observed, "lower_bound": lower, "upper_bound": upper, "note": note}
    return result | {"refits": simulation.refits + first.refits + second.refits}


def inverted_difference(simulation, first, one, other, alpha=0.05, strengths=8, draws=400):
    """Test inversion around the difference of two models' resubstitution AUC on one survey.

    simulation : `Simulation` of the survey with the columns of both models, as a survey that is simulated from one of
    them cannot have the other for the better; first : its `first_look`; one, other : (sites, columns) of each model.
    Other arguments as `inverted_interval`.

    Returns dict of ``auc_diff`` (one less other), ``lower_bound``, ``upper_bound``, ``refits`` and ``note``. The
    interval is for the difference of the AUCs that the two fitted models have on new sites, paired: both fit each
    simulated survey.
    """
    lowest, highest = plausible_range(simulation.observed, first)
    models = [np.asarray(model, dtype=float) for model in (one, other)]
    drawn = simulation.differences(_evenly(lowest, highest, strengths), draws, models)
    aucs = [_scored(x, simulation.labels[None], None, "resub", None, simulation.fit)["resub"][0] for x in models]
    lower, upper, some = compatible_truths(aucs[0] - aucs[1], drawn, alpha)
    lower, upper = np.clip([lower, upper], -1.0, 1.0)
    refits = simulation.refits + first.refits + drawn.refits + 2
    result = {"auc_diff": float(aucs[0] - aucs[1]), "lower_bound": lower, "upper_bound": upper, "refits": refits}
    return result | {"note": "" if some else NONE_COMPATIBLE}


def parametric_bootstrap_interval(covariates, labels, stream, alpha=0.05, draws=400):
    """The interval of the error of resubstitution in surveys drawn from the full fit, as if that were the truth (Efron
    and Tibshirani 1993, An Introduction to the Bootstrap, section 6.5). Arguments and errors as `inverted_interval`;
    missing where all draws have one error, as in a separated survey."""
    simulation = Simulation.of(covariates, labels, stream)
    drawn = simulation.at(np.array([min(simulation.fitted_strength, STRONGEST)]), draws)
    result = {"auc": simulation.observed, "refits": simulation.refits + drawn.refits}
    if np.ptp(drawn.estimate - drawn.truth) < 1e-12:
        return result | {"lower_bound": np.nan, "upper_bound": np.nan, "note": "the draws do not vary, so no interval"}
    least_error, largest_error = _quantiles(drawn.estimate - drawn.truth, alpha)[:, 0]
    lower, upper = np.clip([simulation.observed - largest_error, simulation.observed - least_error], 0.0, 1.0)
    return result | {"lower_bound": lower, "upper_bound": upper, "note": ""}


def strength_of_mean(simulation, simulated):
    """The strength at which the estimate is on average what was observed, by the `first_look`: the fit's own, shrunken
    by what fits to such surveys exaggerate. 0 where the observed value is below all means."""
    mean = _between(simulated.strengths)(simulated.estimate.mean(axis=1))
    return _evenly(0.0, STRONGEST, STEPS)[np.abs(mean - simulation.observed).argmin()]


def plausible_range(observed, simulated):
    """(lowest, highest) strength at which the observed estimate is within `PLAUSIBLE` standard deviations of its mean,
    mean and deviation interpolated between the strengths simulated; where it is so at none, the nearest."""
    at = _between(simulated.strengths)
    mean, spread = at(simulated.estimate.mean(axis=1)), at(simulated.estimate.std(axis=1, ddof=1))
    distance = np.abs(observed - mean) - PLAUSIBLE * spread
    plausible = np.flatnonzero(distance <= max(0.0, distance.min()))
    ends = _evenly(simulated.strengths[0], simulated.strengths[-1], STEPS)[plausible[[0, -1]]]
    return tuple(ends)


def compatible_truths(observed, simulated, alpha):
    """(lower, upper, whether there are any) of the truths ``t`` which at one of the strengths or another are themselves
    likely and give a likely error ``observed - t``: between the quantiles that leave out ``UNLIKELY_TRUTHS * alpha`` of
    the truths and ``alpha`` of the errors, interpolated between the strengths simulated. Where there are none, the
    values that are nearest to being so. Raises ValueError for an alpha outside (0, 1)."""
    _check_alpha(alpha)
    at = _between(simulated.strengths)
    errors = simulated.estimate - simulated.truth
    least_error, largest_error = (at(q) for q in _quantiles(errors, alpha))
    lowest_truth, highest_truth = (at(q) for q in _quantiles(simulated.truth, UNLIKELY_TRUTHS * alpha))
    lower = np.maximum(observed - largest_error, lowest_truth)
    upper = np.minimum(observed - least_error, highest_truth)
    gap = lower - upper
    some = gap <= max(0.0, gap.min())
    ends = np.concatenate([lower[some], upper[some]])
    return ends.min(), ends.max(), bool(gap.min() <= 0.0)


def _quantiles(values, outside):
    """The central quantiles of each row that leave out this share."""
    return np.quantile(values, [outside / 2.0, 1.0 - outside / 2.0], axis=1)


def _between(strengths):
    """A function that interpolates values at these strengths, at `STEPS` between the first and the last."""
    x = np.log1p(strengths)
    fine = np.linspace(x[0], x[-1], STEPS)
    return lambda values: np.interp(fine, x, values)


def _check_alpha(alpha):
    if not 0 < alpha < 1:
        raise ValueError(f"alpha is {alpha}; it must lie between 0 and 1")


@dataclass(frozen=True)
class Simulation:
    """A survey that can be simulated.

    covariates : (sites, covariates); labels : (sites,), whose number of presences every draw keeps; score : (sites,)
    predictor of the full fit, standardised; fitted_strength : its standard deviation before; observed : the estimate;
    refits : logistic regressions behind that; stream, estimator, pairs_at_most, fit : as in `inverted_interval`
    """

    covariates: np.ndarray
    labels: np.ndarray
    score: np.ndarray
    fitted_strength: float
    observed: float
    refits: int
    stream: object
    estimator: str
    pairs_at_most: int | None
    fit: Callable

    @classmethod
    def of(cls, covariates, labels, stream, estimator="resub", pairs_at_most=None, fit=fit_masked):
        covariates, labels = np.asarray(covariates, dtype=float), np.asarray(labels).astype(int)
        if labels.min() == labels.max():
            raise ValueError(f"all {len(labels)} labels are {labels.max()}; an AUC takes both classes")
        scored = _scored(covariates, labels[None], stream, estimator, pairs_at_most, fit)
        predictor = covariates @ scored["coefficients"][0, 1:]
        spread = predictor.std()
        if not spread > 0:
            raise ValueError("the fit has no slope, so that it points in no direction")
        score = (predictor - predictor.mean()) / spread
        observed, refits = float(scored[estimator][0]), int(scored["refits"].sum())
        return cls(covariates, labels, score, spread, observed, refits, stream, estimator, pairs_at_most, fit)

    @property
    def presences(self):
        return int(self.labels.sum())

    def at(self, strengths, draws):
        """`Simulated` surveys at each of these strengths."""
        return self._simulated(strengths, draws, [self.covariates], self.estimator, lambda values: values[0])

    def differences(self, strengths, draws, models):
        """`Simulated` differences of two models, (sites, columns) each, by resubstitution on the same surveys."""
        return self._simulated(strengths, draws, models, "resub", lambda values: values[0] - values[1])

    def _simulated(self, strengths, draws, models, estimator, read):
        estimates, truths, refits = [], [], 0
        for strength in strengths:
            probability = occupancy(strength * self.score, self.presences)
            labels = draw_with_presences(self.stream, probability, self.presences, draws)
            scored = [_scored(x, labels, self.stream, estimator, self.pairs_at_most, self.fit) for x in models]
            # New sites are like these, as far as these show what sites are like: each draw weighs them anew (the
            # Bayesian bootstrap; Rubin 1981, Annals of Statistics 9:130-134).
            weights = -np.log(1.0 - self.stream.uniform(labels.shape))
            predictors = [one["coefficients"][:, 1:] @ x.T for one, x in zip(scored, models, strict=True)]
            estimates.append(read([one[estimator] for one in scored]))
            truths.append(read([expected_auc(values, probability, weights) for values in predictors]))
            refits += sum(int(one["refits"].sum()) for one in scored)
        return Simulated(np.asarray(strengths), np.array(estimates), np.array(truths), refits)


def _scored(covariates, labels, stream, estimator, pairs_at_most, fit):
    """`score_surveys` of the same sites with several (draws, sites) labels."""
    drawn = {}
    if estimator == "lpo":
        limit = pairs_at_most or labels.shape[1] ** 2
        drawn["pairs"] = stacked([pairs(stream, y, limit) for y in labels])
    same_sites = np.broadcast_to(covariates, (len(labels), *covariates.shape))
    return score_surveys(same_sites, labels, drawn, [estimator], fit=fit)


def occupancy(log_odds, presences):
    """(sites,) probabilities ``logistic(a + log_odds)`` that sum to ``presences``, by bisection over ``a``."""
    reach = np.abs(log_odds).max() + 50.0
    low, high = -reach, reach
    for _ in range(100):
        middle = (low + high) / 2.0
        probability = 1.0 / (1.0 + np.exp(-np.clip(middle + log_odds, -700.0, 700.0)))
        low, high = (middle, high) if probability.sum() < presences else (low, middle)
    return probability


def draw_with_presences(stream, probability, presences, draws):
    """(draws, sites) 0/1 labels with these probabilities, given their sum: drawn again until it is right."""
    kept, missing = [], draws
    while missing > 0:
        labels = (stream.uniform((4 * draws, len(probability))) < probability).astype(np.int8)
        kept.append(labels[labels.sum(axis=1) == presences][:missing])
        missing -= len(kept[-1])
    return np.concatenate(kept)


def _evenly(lowest, highest, number):
    """Strengths between these, evenly on the scale of ``log(1 + strength)``."""
    return np.expm1(np.linspace(np.log1p(lowest), np.log1p(highest), number))
