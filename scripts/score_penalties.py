"""Score the surveys of one cell with the ridge penalty from none (0) to strong: one row per penalty and survey."""

import argparse
from functools import partial

import numpy as np
import pandas as pd

from surveyauc.estimators import ESTIMATORS, score_surveys
from surveyauc.logistic import fit_masked
from surveyauc.penalised import fit_penalised
from surveyauc.tables import write_table
from surveyauc.truth import ExactTruth


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--surveys", required=True, help="simulated surveys (.npz)")
    parser.add_argument("--estimators", nargs="+", required=True, choices=list(ESTIMATORS))
    parser.add_argument("--penalties", nargs="+", type=float, required=True, help="0: maximum likelihood")
    parser.add_argument("--output", required=True)
    args = parser.parse_args()

    with np.load(args.surveys) as drawn:
        drawn = dict(drawn)
    exact = ExactTruth.under(drawn["intercept"], drawn["slope"])
    parts = []
    for penalty in args.penalties:
        fit = partial(fit_penalised, penalty=penalty) if penalty else fit_masked
        scores = score_surveys(drawn["covariates"], drawn["labels"], drawn, args.estimators, exact.of, fit)
        columns = {"truth": scores["exact_truth"], **{code: scores[code] for code in args.estimators}}
        parts.append(pd.DataFrame({"penalty": penalty} | columns | {name: scores[name] for name in ("n1", "n0")}))
    write_table(pd.concat(parts), args.output)


if __name__ == "__main__":
    main()
