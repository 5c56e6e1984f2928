"""How far off F1 is in cross-validation: at fixed thresholds and at one chosen on the same survey, by the way in which
folds are put together, against the F1 of the full fit in the population.
"""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.special import logit

from arguments import name_value
from surveyauc.f_measure import best_threshold, confusion, f1, f1_at_prevalence, fold_f1
from surveyauc.holdout import SCHEMES, stacked, stratified_folds
from surveyauc.logistic import fit_masked
from surveyauc.rates import exact_rates
from surveyauc.streams import IndependentStream
from surveyauc.summaries import mean_and_error
from surveyauc.surveys import GeneratingModel
from surveyauc.tables import write_table

FEW = "few_presences"
NAMES = {
    "resub": "resubstitution",
    "loo": "pooled leave-one-out",
    "pooled5": "pooled 5-fold",
    "mean5": "mean over 5 folds",
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--surveys", nargs="+", required=True, help="simulated surveys of each cell, named CELL.npz")
    parser.add_argument("--prevalences", nargs="+", type=name_value, required=True, help="CELL=PREVALENCE")
    parser.add_argument("--threshold-cells", nargs="+", required=True, help="where a threshold is chosen too")
    parser.add_argument("--few-presences", nargs="+", type=name_value, required=True, help="what is drawn in addition")
    parser.add_argument("--folds", type=int, required=True)
    parser.add_argument("--least-of-each-class", type=int, required=True)
    parser.add_argument("--empty", type=float, required=True, help="F1 without presences and without any called one")
    parser.add_argument("--output", required=True)
    args = parser.parse_args()

    prevalences = {cell: float(share) for cell, share in args.prevalences}
    drawn = {Path(path).stem: dict(np.load(path)) for path in args.surveys}
    few = {name: float(value) for name, value in args.few_presences}
    prevalences[FEW], drawn[FEW] = few["prevalence"], draw_few(few, args.folds, args.least_of_each_class)
    rows = []
    for cell, surveys in drawn.items():
        choose = cell in args.threshold_cells
        for row in score(surveys, prevalences[cell], choose, args.empty):
            rows.append({"cell": cell, "prevalence": prevalences[cell], "empty": args.empty} | row)
    write_table(pd.DataFrame(rows), args.output)


def draw_few(few, folds, least):
    """Surveys with few presences, each on a stream of its own."""
    model = GeneratingModel.with_prevalence(few["slope"], few["prevalence"])
    streams = [IndependentStream(int(few["seed"]), FEW, number) for number in range(int(few["surveys"]))]
    sites = [model.draw_survey(stream, int(few["sites"]), least) for stream in streams]
    covariates, labels = (np.stack(part) for part in zip(*sites, strict=True))
    dealt = stacked([stratified_folds(stream, y, folds) for stream, y in zip(streams, labels, strict=True)])
    return {"covariates": covariates, "labels": labels, "stratified_folds": dealt} | {
        "intercept": model.intercept,
        "slope": model.slope,
    }


def score(surveys, prevalence, choose, empty):
    """Rows of one cell: for each threshold and estimator its mean, bias and Monte Carlo error, and how often F1 was
    empty."""
    labels, folds = surveys["labels"], surveys["stratified_folds"]
    masks = [SCHEMES[scheme][1](labels, folds)[0] for scheme in ("nothing", "one site", "stratified folds")]
    keep = ~np.concatenate(masks, axis=1)
    fits = fit_masked(surveys["covariates"], labels, keep)
    predictors = surveys["covariates"] @ fits.coefficients[..., 1:].swapaxes(1, 2)
    predictors = (predictors + fits.coefficients[..., 0][:, None]).swapaxes(1, 2)  # (surveys, fits, sites)
    of_site = 1 + np.arange(labels.shape[1])  # the refit that held out each site
    of_fold = 1 + labels.shape[1] + folds

    thresholds = {"one half": 0.0, "prevalence": logit(prevalence)}
    thresholds = {name: np.full(predictors.shape[:2], value) for name, value in thresholds.items()}
    if choose:  # by each refit from its own training sites
        thresholds["chosen"] = best_threshold(predictors, labels[:, None], among=keep)
        once = thresholds["chosen"][:, :1]  # by the full fit, and kept in every fold: not honest, and often done
        thresholds["chosen once"] = np.broadcast_to(once, predictors.shape[:2])
    rows = []
    for name, threshold in thresholds.items():
        population, sensitivity, false_rate = exact_rates(
            surveys["intercept"], surveys["slope"], fits.coefficients[:, 0], threshold[:, 0]
        )
        truth = f1_at_prevalence(sensitivity, false_rate, population)
        found = estimates(predictors, threshold, labels, of_site, of_fold, folds, empty)
        for code, (values, was_empty) in found.items():
            bias, error, count = mean_and_error(values - truth)
            row = {"threshold": name, "estimator": code, "name": NAMES[code], "surveys": count}
            row |= {"value": values.mean(), "truth": truth.mean(), "bias": bias, "mcse": error}
            rows.append(row | {"share_empty": was_empty.mean()})
    return rows


def estimates(predictors, threshold, labels, of_site, of_fold, folds, empty):
    """(surveys,) F1 by estimator, and whether it, or for the mean of folds one of them, was empty."""
    survey, sites = np.arange(len(labels))[:, None], np.arange(labels.shape[1])
    held_out = {"resub": np.zeros(labels.shape, int), "loo": np.broadcast_to(of_site, labels.shape), "pooled5": of_fold}
    margins = {
        code: predictors[survey, refit, sites] - threshold[survey, refit] for code, refit in held_out.items()
    }  # at or above 0: called a presence
    found = {}
    for code in ("resub", "loo"):
        pooled = f1(*confusion(margins[code], labels, 0.0)[:3], empty=empty)
        found[code] = pooled.value, pooled.was_empty
    pooled, mean, empty_folds = fold_f1(margins["pooled5"], labels, folds, 0.0, empty)
    return found | {"pooled5": (pooled.value, pooled.was_empty), "mean5": (mean, empty_folds > 0)}


if __name__ == "__main__":
    main()
