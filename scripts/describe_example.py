"""The one survey that shows the tilt: every site's linear predictor with it and without it, and the intercept-only
model, whose pooled leave-one-out AUC is exactly 0."""

import argparse

import numpy as np

from surveyauc.holdout import SCHEMES
from surveyauc.logistic import fit_masked
from surveyauc.ranks import auc
from surveyauc.tables import write_table
from surveyauc.truth import truth_on_fresh_sites


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--surveys", required=True, help="simulated surveys (.npz), of which the first is taken")
    parser.add_argument("--slope", type=float, required=True, help="slope of the generating model")
    parser.add_argument("--sites-table", required=True)
    parser.add_argument("--summary-table", required=True)
    args = parser.parse_args()

    with np.load(args.surveys) as drawn:
        covariates, labels = drawn["covariates"][0], drawn["labels"][0]
        fresh_covariates, fresh_labels, intercept = drawn["fresh_covariates"], drawn["fresh_labels"], drawn["intercept"]
    everything = np.ones((1, len(labels)), bool)
    without_one = ~SCHEMES["one site"][1](labels[None], None)[0][0]
    coefficients = fit_masked(covariates, labels, np.concatenate([everything, without_one])).coefficients
    full = coefficients[:1]
    sites = {
        "x": covariates[:, 0],
        "y": labels,
        "eta_full": full[0, 0] + covariates @ full[0, 1:],
        "eta_loo": coefficients[1:, 0] + (covariates * coefficients[1:, 1:]).sum(axis=1),
        "loo_intercept_only": fit_masked(covariates[:, :0], labels, without_one).coefficients[:, 0],
    }
    summary = {
        "a": [float(intercept)],
        "b": [args.slope],
        "cf_full_intercept": full[:, 0],
        "cf_full_slope": full[:, 1],
        "truth": truth_on_fresh_sites(full, fresh_covariates[:1], fresh_labels[:1]),
        "auc_resub": [auc(sites["eta_full"], labels)],
        "auc_loo": [auc(sites["eta_loo"], labels)],
    }
    write_table(sites, args.sites_table)
    write_table(summary, args.summary_table)


if __name__ == "__main__":
    main()
