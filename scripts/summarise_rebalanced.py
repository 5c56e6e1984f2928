"""Bias, error and cost in refits of every estimator, by cell and ridge penalty. Beside them, on the same surveys and so
with less Monte Carlo error: how far it reads above leave-pair-out, how much more its squared error is, and how much
higher its bias is than without a penalty.
"""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd

from arguments import name_value
from surveyauc.estimators import ESTIMATORS
from surveyauc.summaries import bias_table, mean_and_error, squared_error_difference
from surveyauc.tables import write_table


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scores", nargs="+", required=True, help="tables of scores, named CELL.csv")
    parser.add_argument("--penalised", nargs="*", default=[], help="the same with a column of penalties, 0 for none")
    parser.add_argument("--sites", nargs="+", type=name_value, required=True, help="CELL=NUMBER")
    parser.add_argument("--folds", type=int, required=True)
    parser.add_argument("--pairs-at-most", type=int, required=True)
    parser.add_argument("--output", required=True)
    args = parser.parse_args()

    sites = dict(args.sites)
    scored = {(Path(path).stem, "none"): pd.read_csv(path) for path in args.scores}
    for path in args.penalised:
        of = pd.read_csv(path).groupby("penalty")
        scored |= {(Path(path).stem, f"{penalty:g}"): scores for penalty, scores in of}
    tables = []
    for (cell, penalty), scores in scored.items():
        codes = [code for code in ESTIMATORS if code in scores and scores[code].notna().any()]
        table = bias_table(scores, codes).drop(columns=["lowest_batch", "highest_batch"])
        table.insert(0, "cell", cell)
        table.insert(1, "penalty", penalty)
        table.insert(3, "name", [ESTIMATORS[code].name for code in codes])
        table.insert(4, "family", [ESTIMATORS[code].family for code in codes])
        table["refits"] = [refits(code, scores, int(sites[cell]), args) for code in codes]
        unpenalised = scored.get((cell, "0"), scores).reset_index(drop=True)
        scores = scores.reset_index(drop=True)
        for name, differences in {
            "above_lpo": [mean_and_error(scores[code] - scores["lpo"]) for code in codes],
            "squared_error_over_lpo": [squared_error_difference(scores, code, "lpo") for code in codes],
            "change": [mean_and_error(errors(scores, code) - errors(unpenalised, code)) for code in codes]
            if penalty != "none"
            else [(np.nan, np.nan, 0)] * len(codes),
        }.items():
            table[name], table[f"{name}_mcse"], _ = zip(*differences, strict=True)
        tables.append(table)
    write_table(pd.concat(tables), args.output)


def errors(scores, code):
    return scores[code] - scores["truth"]


def refits(code, scores, sites, args):
    """Mean number of models that an estimator fits to a survey, beside the one to all sites."""
    return {
        "nothing": 0,
        "one site": sites,
        "one site, one dropped": sites,
        "random folds": args.folds,
        "stratified folds": args.folds,
        "every pair": (scores["n1"] * scores["n0"]).mean(),
        "every two sites": sites * (sites - 1) / 2,
        "pair": (scores["n1"] * scores["n0"]).clip(upper=args.pairs_at_most).mean(),
    }[ESTIMATORS[code].scheme]


if __name__ == "__main__":
    main()
