"""The truth that a survey's estimators try to reach: the AUC of its full fit on fresh sites of the same model."""

from surveyauc.ranks import auc


def truth_on_fresh_sites(coefficients, fresh_covariates, fresh_labels):
    """Conditional AUC of fitted models on sites that they have not seen.

    coefficients : (surveys, 1 + covariates), intercept first; fresh_covariates : (surveys, sites, covariates);
    fresh_labels : (surveys, sites) 0/1. Returns (surveys,).
    """
    scores = (fresh_covariates @ coefficients[:, 1:, None])[..., 0] + coefficients[:, :1]
    return auc(scores, fresh_labels)
