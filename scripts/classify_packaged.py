"""Cross-validate classifiers on tables that installed packages ship: pooled leave-one-out against its rebalanced form,
over regularisation strengths, and DeLong's test of the two on the first subsample at one strength."""

import argparse
import json

import pandas as pd
from scipy.stats import combine_pvalues

from packaged import feature_sets, load, subsample
from surveyauc.intervals import auc_delong, auc_diff
from surveyauc.no_signal import leave_one_out_masks, logistic_scores
from surveyauc.ranks import auc
from surveyauc.streams import independent_generator
from surveyauc.tables import write_table


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=json.loads, required=True, help="JSON: what `packaged.load` takes, by name")
    parser.add_argument("--rows", type=int, required=True, help="of a subsample")
    parser.add_argument("--subsamples", type=int, required=True)
    parser.add_argument("--least-of-each-class", type=int, required=True)
    parser.add_argument(
        "--strengths", nargs="+", type=float, required=True, help="inverse penalties (scikit-learn's C)"
    )
    parser.add_argument("--strength", type=float, required=True, help="the one of them that is tested")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--auc-table", required=True)
    parser.add_argument("--test-table", required=True)
    args = parser.parse_args()

    rows, tests = [], []
    for name, table in args.tables.items():
        covariates, response = load(table)
        for number in range(args.subsamples):
            generator = independent_generator(args.seed, name, number)
            drawn, labels = subsample(generator, covariates, response, args.rows, args.least_of_each_class)
            masks = leave_one_out_masks(labels, generator)  # the same companions for every strength
            for features, design in feature_sets(drawn).items():
                for strength in args.strengths:
                    scores = {
                        scheme: logistic_scores(design, labels, *mask, strength, standardise=True)
                        for scheme, mask in masks.items()
                    }
                    place = {"table": name, "features": features, "subsample": number, "strength": strength}
                    rows += [place | {"scheme": key, "auc": auc(value, labels)} for key, value in scores.items()]
                    if number == 0 and strength == args.strength:
                        tests.append({"table": name, "features": features} | compared(scores, labels))
    write_table(pd.DataFrame(rows), args.auc_table)
    tests = pd.DataFrame(tests)
    for features, of in tests.groupby("features"):
        combined = combine_pvalues(of["p"].fillna(1.0), method="fisher").pvalue  # 1 where both orders are the same
        tests.loc[len(tests)] = {"table": "all, Fisher", "features": features, "p": combined}
    write_table(tests, args.test_table)


def compared(scores, labels):
    """The two AUCs of the same rows, and DeLong's paired test."""
    row = auc_diff(auc_delong({name: scores[name] for name in ("rebalanced", "leave_one_out")}, labels)).iloc[0]
    return {
        "rows": len(labels),
        "presences": int(labels.sum()),
        "leave_one_out": auc(scores["leave_one_out"], labels),
        "rebalanced": auc(scores["rebalanced"], labels),
        "difference": round(row["diffs"], 12),
        "p": row["p_values"],
    }


if __name__ == "__main__":
    main()
