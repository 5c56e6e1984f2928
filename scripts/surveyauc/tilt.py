"""The tilt: how far leaving a site out moves that site's own linear predictor against its label."""

import numpy as np

from surveyauc.logistic import fit_masked


def tilt_of_survey(covariates, labels, absences):
    """Refit without each presence and without each of the chosen absences, one at a time.

    covariates : (sites, covariates); labels : (sites,) 0/1; absences : site numbers
    Returns a dict: ``n1``; ``pres``, the mean drop of a presence's own linear predictor; ``abs``, the mean rise of an
    absence's; ``spread``, the standard deviation of the full-fit predictor over sites; ``info``, the sum of the
    binomial weights ``p (1 - p)``.
    """
    presences = np.flatnonzero(labels == 1)
    left_out = np.concatenate([presences, absences])
    keep = np.ones((1 + len(left_out), len(labels)), bool)
    keep[1 + np.arange(len(left_out)), left_out] = False
    coefficients = fit_masked(covariates, labels, keep).coefficients
    design = np.column_stack([np.ones(len(labels)), covariates])
    full = design @ coefficients[0]
    drop = full[left_out] - (design[left_out] * coefficients[1:]).sum(axis=1)
    probability = 1.0 / (1.0 + np.exp(-full))
    return {
        "n1": len(presences),
        "pres": drop[: len(presences)].mean(),
        "abs": -drop[len(presences) :].mean(),
        "spread": full.std(ddof=1),
        "info": (probability * (1.0 - probability)).sum(),
    }
