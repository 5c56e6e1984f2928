"""Choose the ridge penalty of simulated surveys by cross-validation, and measure what the choice costs: how far the
exact AUC of the chosen fit lies below the best one that the penalties offer."""

import argparse

import numpy as np
import pandas as pd

from surveyauc.estimators import ESTIMATORS, score_surveys
from surveyauc.penalised import fit_penalised
from surveyauc.summaries import mean_and_error
from surveyauc.tables import write_table
from surveyauc.truth import ExactTruth


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cell", required=True)
    parser.add_argument("--surveys", required=True, help="simulated surveys (.npz)")
    parser.add_argument("--likeness", type=float, required=True, help="of the other covariates to the one that works")
    parser.add_argument("--estimators", nargs="+", required=True, choices=list(ESTIMATORS))
    parser.add_argument("--penalties", nargs="+", type=float, required=True)
    parser.add_argument("--penalty-table", required=True, help="how often each penalty is chosen, and what it is worth")
    parser.add_argument("--loss-table", required=True, help="what the choice of each estimator costs")
    args = parser.parse_args()

    with np.load(args.surveys) as drawn:
        drawn = dict(drawn)
    mixed, labels = mix(drawn["covariates"], args.likeness), drawn["labels"]
    exact = ExactTruth.under(drawn["intercept"], drawn["slope"])

    def truth(coefficients):
        return exact.of(of_unmixed(coefficients, args.likeness))

    read = []
    for penalty in args.penalties:

        def fit(*survey, penalty=penalty):
            return fit_penalised(*survey, penalty=penalty)

        read.append(score_surveys(mixed, labels, drawn, args.estimators, truth, fit))
    truths = np.column_stack([scores["exact_truth"] for scores in read])  # (surveys, penalties)
    best, surveys = truths.max(axis=1), np.arange(len(labels))
    choices, losses = [], []
    for code in args.estimators:
        estimates = np.column_stack([scores[code] for scores in read])
        chosen = best_place(estimates, args.penalties)
        for k, penalty in enumerate(args.penalties):
            row = {"cell": args.cell, "estimator": code, "name": ESTIMATORS[code].name, "penalty": penalty}
            row |= {"share_chosen": (chosen == k).mean(), "estimate": estimates[:, k].mean()}
            loss, error, _ = mean_and_error(best - truths[:, k])  # of this penalty in all surveys
            choices.append(row | {"truth": truths[:, k].mean(), "loss": loss, "loss_mcse": error})
        loss, error, count = mean_and_error(best - truths[surveys, chosen])
        row = {"cell": args.cell, "estimator": code, "name": ESTIMATORS[code].name, "surveys": count}
        row |= {"loss": loss, "mcse": error, "best": best.mean(), "chosen": chosen}
        for name, turned in (("strongest", False), ("weakest", True)):
            places = best_place(estimates, args.penalties, weakest=turned)
            row[f"mean_log10_{name}"] = np.log10(np.array(args.penalties)[places]).mean()
        losses.append(row)
    of_pairs = next(row["chosen"] for row in losses if row["estimator"] == "lpo")
    for row in losses:  # on the same surveys
        more = truths[surveys, of_pairs] - truths[surveys, row.pop("chosen")]
        row["loss_over_lpo"], row["loss_over_lpo_mcse"], _ = mean_and_error(more)
    write_table(pd.DataFrame(choices), args.penalty_table)
    write_table(pd.DataFrame(losses), args.loss_table)


def mix(covariates, likeness):
    """The same covariates, all but the first with this correlation with the first."""
    first, others = covariates[..., :1], covariates[..., 1:]
    return np.concatenate([first, likeness * first + np.sqrt(1.0 - likeness**2) * others], axis=-1)


def of_unmixed(coefficients, likeness):
    """The coefficients (..., 1 + covariates) of the same score for the covariates before `mix`."""
    coefficients = np.array(coefficients, dtype=float)
    coefficients[..., 1] += likeness * coefficients[..., 2:].sum(axis=-1)
    coefficients[..., 2:] *= np.sqrt(1.0 - likeness**2)
    return coefficients


def best_place(estimates, penalties, weakest=False):
    """(surveys,) the place of the penalty with the highest estimate, of the strongest or weakest where several have it.

    estimates : (surveys, penalties)
    """
    order = np.argsort(penalties)[:: 1 if weakest else -1]
    return order[np.argmax(estimates[:, order], axis=1)]


if __name__ == "__main__":
    main()
