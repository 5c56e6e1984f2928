"""Cross-validate data sets with nothing to find: the pooled AUC of each, by what is held out, strength and balance.

Without covariates the score of a row is minus the mean of its training labels.
"""

import argparse
import itertools

import numpy as np

from surveyauc.no_signal import SCHEMES, draw_classes, logistic_scores, masks_of, training_means
from surveyauc.ranks import auc
from surveyauc.streams import independent_generator
from surveyauc.tables import write_table


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--experiment", required=True)
    parser.add_argument("--engine", choices=["replay", "independent"], required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--scheme", choices=SCHEMES, required=True)
    parser.add_argument("--left-out", nargs="+", type=int, required=True, help="rows held out at a time")
    parser.add_argument("--rows", type=int, required=True, help="and the rest of it divided by the rows held out")
    parser.add_argument("--covariates", type=int, required=True)
    parser.add_argument("--strengths", nargs="*", type=float, default=[], help="inverse penalties (scikit-learn's C)")
    parser.add_argument(
        "--balances", type=int, required=True, help="shares of ones are the fractions with this divisor"
    )
    parser.add_argument("--repeats", type=int, required=True)
    parser.add_argument("--output", required=True)
    args = parser.parse_args()

    rows = []
    for setting, drawn in data_sets(args.experiment, vars(args), vars(args)):
        left_out, strength, balance, repeat = setting
        rows.append((args.experiment, left_out, strength or np.nan, round(balance, 12), repeat, read(*drawn, strength)))
    columns = ("experiment", "left_out", "strength", "balance", "repeat", "auc")
    write_table(dict(zip(columns, zip(*rows, strict=True), strict=True)), args.output)
    print(f"{args.experiment}: {len(rows)} data sets, mean AUC {np.mean([row[-1] for row in rows]):.4f}")


def data_sets(name, experiment, study):
    """Yield the setting of each data set, (rows held out at a time, strength, balance, repeat), and what is drawn for
    it: covariates, labels, training rows of each fit and the number of the fit that holds out each row.

    All come from one stream where it replays the source's, and otherwise each from its own.
    """
    replay = np.random.RandomState(experiment["seed"]) if experiment["engine"] == "replay" else None
    balances = np.linspace(0, 1, study["balances"] + 1)[1:-1]
    strengths = experiment["strengths"] or [None]
    settings = itertools.product(experiment["left_out"], strengths, balances, range(experiment["repeats"]))
    for number, setting in enumerate(settings):
        random = replay or independent_generator(experiment["seed"], name, number)
        left_out, _, balance, _ = setting
        rows = experiment["rows"] + experiment["rows"] % left_out
        covariates, labels = draw_classes(random, rows, balance, experiment["covariates"])
        yield setting, (covariates, labels, *masks_of(experiment["scheme"], left_out, labels, random))


def read(covariates, labels, keep, holder, strength):
    """The pooled AUC of one data set."""
    if strength is None:
        return auc(-training_means(labels, keep, holder), labels)
    return auc(logistic_scores(covariates, labels, keep, holder, strength), labels)


if __name__ == "__main__":
    main()
