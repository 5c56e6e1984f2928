"""What the refits of one survey say site by site and pair by pair, for intervals that need more than the estimate."""

import numpy as np

from surveyauc.holdout import SCHEMES, every_pair
from surveyauc.logistic import fit_masked
from surveyauc.ranks import tied


def held_out_scores(covariates, labels, scheme="nothing", drawn=None):
    """(sites,) linear predictor of every site in the refit that held it out, or in the full fit ("nothing").

    covariates : (sites, covariates); labels : (sites,) 0/1; scheme : a key of `holdout.SCHEMES` that scores every site
    once; drawn : what the scheme needs, as (sites,) fold numbers
    """
    left_out, scored = SCHEMES[scheme][1](labels[None], None if drawn is None else drawn[None])
    return (_predictors(covariates, labels, ~left_out[0]) * scored[0].T).sum(axis=1)


def pairs_in_order(covariates, labels):
    """(presences, absences) for every pair 1 where the refit without both scores the presence above the absence, 1/2
    where it ties them, else 0; the mean is leave-pair-out."""
    pairs = every_pair(labels)
    keep = np.ones((len(pairs), len(labels)), bool)
    each = np.arange(len(pairs))
    keep[each[:, None], pairs] = False
    predictors = _predictors(covariates, labels, keep)
    above, below = predictors[pairs[:, 0], each], predictors[pairs[:, 1], each]
    right = np.where(tied(above, below), 0.5, above > below)
    return right.reshape(-1, labels.sum()).T  # the presence runs fastest


def _predictors(covariates, labels, keep):
    """(sites, fits)"""
    coefficients = fit_masked(covariates, labels, keep).coefficients
    return covariates @ coefficients[:, 1:].T + coefficients[:, 0]
