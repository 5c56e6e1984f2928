"""Set the article's biases beside those of the large study, and tell how much of the article's error came from
measuring the truth on fresh sites."""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd

from surveyauc.estimators import ESTIMATORS
from surveyauc.summaries import mean_and_error
from surveyauc.tables import write_table


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--article", required=True, help="bias table of the article's surveys")
    parser.add_argument("--large", required=True, help="bias table of the large study")
    parser.add_argument("--scores", nargs="+", required=True, help="scores of the article's surveys, named CELL.csv")
    parser.add_argument("--against-table", required=True)
    parser.add_argument("--truth-table", required=True)
    args = parser.parse_args()

    write_table(against(pd.read_csv(args.article), pd.read_csv(args.large)), args.against_table)
    scores = {Path(path).stem: pd.read_csv(path) for path in args.scores}
    write_table(
        pd.DataFrame([row for cell, table in scores.items() for row in truth_rows(cell, table)]), args.truth_table
    )


def against(article, large):
    """One row per cell and estimator that both have; the difference in standard errors of the difference."""
    keys = ["cell", "estimator", "name", "family"]
    columns = ["surveys", "bias", "mcse", "rmse"]
    table = large[[*keys, *columns]].merge(
        article[["cell", "estimator", *columns]], on=["cell", "estimator"], how="inner"
    )
    table = table.rename(columns=lambda name: name.replace("_x", "").replace("_y", "_article"))
    table["difference"] = table["bias_article"] - table["bias"]
    table["z"] = table["difference"] / np.hypot(table["mcse"], table["mcse_article"])
    return table


def truth_rows(cell, scores):
    """Of each estimator the bias and its Monte Carlo standard error against the truth on fresh sites and against the
    exact one; and the variance of the first truth around the second, as a share of that of the estimate around it."""
    noise = (scores["truth"] - scores["exact_truth"]).var()
    for code in ESTIMATORS:
        if scores[code].notna().any():
            bias, error, surveys = mean_and_error(scores[code] - scores["truth"])
            exact_bias, exact_error, _ = mean_and_error(scores[code] - scores["exact_truth"])
            yield {
                "cell": cell,
                "estimator": code,
                "surveys": surveys,
                "bias": bias,
                "mcse": error,
                "bias_exact": exact_bias,
                "mcse_exact": exact_error,
                "share_of_variance": noise / (scores[code] - scores["truth"]).var(),
            }


if __name__ == "__main__":
    main()
