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

    replay = np.random.RandomState(args.seed) if args.engine == "replay" else None
    balances = np.linspace(0, 1, args.balances + 1)[1:-1]
    settings = itertools.product(args.left_out, args.strengths or [None], balances, range(args.repeats))
    rows = []
    for number, (left_out, strength, balance, repeat) in enumerate(settings):
        random = replay or independent_generator(args.seed, args.experiment, number)
        value = read(random, args, left_out, strength, balance)
        rows.append((args.experiment, left_out, strength or np.nan, round(balance, 12), repeat, value))
    columns = ("experiment", "left_out", "strength", "balance", "repeat", "auc")
    write_table(dict(zip(columns, zip(*rows, strict=True), strict=True)), args.output)
    print(f"{args.experiment}: {len(rows)} data sets, mean AUC {np.mean([row[-1] for row in rows]):.4f}")


def read(random, args, left_out, strength, balance):
    """The pooled AUC of one data set."""
    size = args.rows + args.rows % left_out
    covariates, labels = draw_classes(random, size, balance, args.covariates)
    keep, holder = masks_of(args.scheme, left_out, labels, random)
    if strength is None:
        return auc(-training_means(labels, keep, holder), labels)
    return auc(logistic_scores(covariates, labels, keep, holder, strength), labels)


if __name__ == "__main__":
    main()
