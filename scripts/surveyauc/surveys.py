"""Surveys: the generating model, and drawing sites from it."""

from dataclasses import dataclass

import numpy as np

from surveyauc.streams import normal_quantile, root

QUANTILES = 4000  # of the working covariate, over which the expected prevalence is averaged
SEARCH = (-12.0, 5.0)  # where the intercept is looked for


@dataclass(frozen=True)
class GeneratingModel:
    """Occupancy is Bernoulli with probability ``logistic(intercept + slope * z)``, where z is the first of
    ``1 + noise_covariates`` independent standard normal covariates; the others do nothing.
    """

    intercept: float
    slope: float
    noise_covariates: int

    @classmethod
    def with_prevalence(cls, slope, prevalence, noise_covariates=0):
        """The model whose expected share of presences is ``prevalence``."""
        z = normal_quantile((np.arange(1, QUANTILES + 1) - 0.5) / QUANTILES)
        return cls(root(lambda a: logistic(a + slope * z).mean() - prevalence, *SEARCH), slope, noise_covariates)

    def draw_sites(self, stream, sites):
        """Covariates (sites, 1 + noise covariates), drawn column by column, and then occupancy (sites,) 0/1."""
        columns = 1 + self.noise_covariates
        covariates = stream.normal(sites * columns).reshape(columns, sites).T
        return covariates, stream.bernoulli(logistic(self.intercept + self.slope * covariates[:, 0]))

    def draw_survey(self, stream, sites, least_of_each_class):
        """Like `draw_sites`, drawn again as a whole until it holds enough presences and absences."""
        while True:
            covariates, labels = self.draw_sites(stream, sites)
            presences = int(labels.sum())
            if min(presences, sites - presences) >= least_of_each_class:
                return covariates, labels

    def draw_classes(self, stream, presences, absences):
        """A survey with exactly so many presences and absences: sites are drawn, as many at a time as the survey has,
        until there are enough of both, and the first of each class are kept."""
        kept = [np.empty((0, 1 + self.noise_covariates))] * 2
        while len(kept[1]) < presences or len(kept[0]) < absences:
            covariates, labels = self.draw_sites(stream, presences + absences)
            kept = [np.concatenate([kept[value], covariates[labels == value]]) for value in (0, 1)]
        labels = np.repeat(np.array([1, 0], dtype=np.int8), [presences, absences])
        return np.concatenate([kept[1][:presences], kept[0][:absences]]), labels


def logistic(x):
    """``1 / (1 + exp(-x))``."""
    return 1.0 / (1.0 + np.exp(-x))
