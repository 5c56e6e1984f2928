"""Score the surveys of one cell: every estimator and the truth, one row per survey in the order drawn.

The truth is the one on fresh sites where those were drawn, as in the article, and otherwise the exact one.
"""

import argparse

import numpy as np

from surveyauc.estimators import ESTIMATORS, score_surveys
from surveyauc.tables import write_table
from surveyauc.truth import ExactTruth, truth_on_fresh_sites

COLUMNS = [
    "truth",
    *ESTIMATORS,
    *("exact_truth", "truth_of_pairs"),
    *("edge_full", "edge_loo", "fold_na", "n1", "n0"),
    *("rand5_undecided", "refits", "at_edge", "at_limit", "one_class"),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--surveys", required=True, help="simulated surveys (.npz)")
    parser.add_argument("--estimators", nargs="+", required=True, choices=list(ESTIMATORS))
    parser.add_argument("--output", required=True)
    args = parser.parse_args()

    with np.load(args.surveys) as drawn:
        drawn = dict(drawn)
    exact = ExactTruth.under(drawn["intercept"], drawn["slope"])
    scores = score_surveys(drawn["covariates"], drawn["labels"], drawn, args.estimators, exact.of)
    coefficients = scores.pop("coefficients")
    if "fresh_labels" in drawn:
        scores["truth"] = truth_on_fresh_sites(coefficients, drawn["fresh_covariates"], drawn["fresh_labels"])
    else:
        scores["truth"] = scores["exact_truth"]
    undefined = np.full(len(scores["truth"]), np.nan)
    write_table({name: scores.get(name, undefined) for name in COLUMNS}, args.output)
    for flag in ("at_edge", "at_limit", "one_class"):
        print(f"{flag}: {scores[flag].sum()} of {scores['refits'].sum()} refits")


if __name__ == "__main__":
    main()
