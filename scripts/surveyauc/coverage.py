"""The intervals whose coverage is measured, each made from one survey alone.

Adding one is adding an entry to `INTERVALS`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from surveyauc.holdout import every_pair
from surveyauc.intervals import auc_boot, auc_ci, auc_delong, fold_means_interval, pairs_interval, per_fold_interval
from surveyauc.inversion import inverted_interval, parametric_bootstrap_interval
from surveyauc.models import refits_of
from surveyauc.own_survey import held_out_scores, pair_scores
from surveyauc.ranks import beats
from surveyauc.streams import IndependentStream

NONE = {"lower_bound": np.nan, "upper_bound": np.nan}


@dataclass(frozen=True)
class Survey:
    """One survey and how to make intervals of it.

    covariates : (sites, covariates); labels : (sites,) 0/1; folds : (sites,) stratified fold numbers; seed, cell,
    number : of the random numbers, which each interval draws from a stream of its own; alpha : one less the level;
    resamples : of the bootstrap; strengths, draws : of test inversion; pair_draws, pair_at_most : of test inversion
    with leave-pair-out instead of resubstitution
    """

    covariates: np.ndarray
    labels: np.ndarray
    folds: np.ndarray
    seed: int
    cell: str
    number: int
    alpha: float
    resamples: int
    strengths: int
    draws: int
    pair_draws: int
    pair_at_most: int

    def stream(self, purpose):
        return IndependentStream(self.seed, f"{self.cell} {purpose}", self.number)

    @cached_property
    def refit(self):
        return refits_of(self.covariates, self.labels)

    @cached_property
    def full_scores(self):
        return self.refit(np.ones((1, len(self.labels)), bool))[:, 0]

    @cached_property
    def leave_one_out_scores(self):
        return held_out_scores(self.refit, np.arange(len(self.labels)))

    @cached_property
    def fold_scores(self):
        return held_out_scores(self.refit, self.folds)

    @cached_property
    def pairs(self):
        """(presences, absences), as `intervals.pairs_interval` takes them."""
        scores = pair_scores(self.refit, every_pair(self.labels), np.arange(len(self.labels)))
        return beats(*scores).reshape(-1, self.labels.sum()).T  # the presence runs fastest


def _delong(scores, survey):
    return auc_ci(auc_delong(scores, survey.labels), survey.alpha).iloc[0]


def _bootstrap(scores, survey):
    seed = [survey.seed, survey.number]  # the same resamples whatever the scores, so that they can be compared
    return auc_ci(auc_boot(scores, survey.labels, survey.resamples, seed, "ROC"), survey.alpha).iloc[0]


def _ledell(survey):
    try:
        return per_fold_interval(survey.fold_scores, survey.labels, survey.folds, survey.alpha)
    except ValueError:  # a fold without both classes
        return NONE


@dataclass(frozen=True)
class Interval:
    """name : as tables show it; around : the estimate that it is built on; family : as figures tell them apart; make :
    from a survey to ``lower_bound`` and ``upper_bound``, missing where there is none; refits : logistic regressions
    behind it, from what ``make`` returned and the survey; surveys : of which it is made, "all", or "some" or "few"
    where it takes simulations, or many
    """

    name: str
    around: str
    family: str
    make: Callable
    refits: Callable
    surveys: str = "all"


def _one(result, survey):
    return 1


def _every_site(result, survey):
    return len(survey.labels)


def _every_pair(result, survey):
    return survey.pairs.size


def _every_fold(result, survey):
    return int(survey.folds.max()) + 1


def _as_counted(result, survey):
    return result["refits"]


INTERVALS = {
    "resub_delong": Interval("DeLong", "resubstitution", "resubstitution", lambda s: _delong(s.full_scores, s), _one),
    "resub_boot": Interval(
        "bootstrap", "resubstitution", "resubstitution", lambda s: _bootstrap(s.full_scores, s), _one
    ),
    "loo_delong": Interval(
        "DeLong", "pooled leave-one-out", "pooled refits", lambda s: _delong(s.leave_one_out_scores, s), _every_site
    ),
    "loo_boot": Interval(
        "bootstrap",
        "pooled leave-one-out",
        "pooled refits",
        lambda s: _bootstrap(s.leave_one_out_scores, s),
        _every_site,
    ),
    "lpo_normal": Interval(
        "components, normal",
        "leave-pair-out",
        "pairs and per-fold",
        lambda s: pairs_interval(s.pairs, s.alpha),
        _every_pair,
    ),
    "lpo_t": Interval(
        "components, t",
        "leave-pair-out",
        "pairs and per-fold",
        lambda s: pairs_interval(s.pairs, s.alpha, quantile="t"),
        _every_pair,
    ),
    "lpo_logit_t": Interval(
        "components, logit, t",
        "leave-pair-out",
        "pairs and per-fold",
        lambda s: pairs_interval(s.pairs, s.alpha, "logit", "t"),
        _every_pair,
    ),
    "perfold_t": Interval(
        "t over folds",
        "per-fold mean",
        "pairs and per-fold",
        lambda s: fold_means_interval(s.fold_scores, s.labels, s.folds, s.alpha),
        _every_fold,
    ),
    "perfold_ledell": Interval("influence curve", "per-fold mean", "pairs and per-fold", _ledell, _every_fold),
    "parametric": Interval(
        "parametric bootstrap",
        "resubstitution",
        "simulated",
        lambda s: parametric_bootstrap_interval(s.covariates, s.labels, s.stream("parametric"), s.alpha, s.draws),
        _as_counted,
        "some",
    ),
    "lpo_inversion": Interval(
        "test inversion",
        "leave-pair-out",
        "simulated",
        lambda s: inverted_interval(
            s.covariates, s.labels, s.stream("pairs"), s.alpha, "lpo", s.pair_at_most, s.strengths, s.pair_draws
        ),
        _as_counted,
        "few",
    ),
    "resub_inversion": Interval(
        "test inversion",
        "resubstitution",
        "simulated",
        lambda s: inverted_interval(
            s.covariates, s.labels, s.stream("resubstitution"), s.alpha, strengths=s.strengths, draws=s.draws
        ),
        _as_counted,
        "some",
    ),
}


def intervals_of(survey, codes):
    """dict of (lower, upper, refits) by code; the bounds are missing where there is no interval."""
    made = {}
    for code in codes:
        interval = INTERVALS[code]
        result = interval.make(survey)
        made[code] = (result["lower_bound"], result["upper_bound"], interval.refits(result, survey))
    return made
