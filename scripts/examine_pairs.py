"""Is leave-pair-out biased at all, for the fair reason that it trains on two sites fewer; and what does reading a
sample of the pairs add to its spread?"""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd

from surveyauc.summaries import mean_and_error
from surveyauc.tables import write_table


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scores", nargs="+", required=True, help="scores of the large study, named CELL.csv")
    parser.add_argument("--output", required=True)
    args = parser.parse_args()
    columns = ["truth", "lpo", "lpo_all", "truth_of_pairs"]
    write_table(pd.DataFrame([row(Path(p).stem, pd.read_csv(p, usecols=columns)) for p in args.scores]), args.output)


def row(cell, scores):
    """Means over the surveys of a cell, each with its Monte Carlo standard error.

    bias : leave-pair-out less the truth of the full fit; fair : the mean truth of the models that it fits less the
    truth of the full fit; unfair : what remains, leave-pair-out less the truth of its own models; sampling :
    leave-pair-out less the same over every pair; added_variance : what the sample adds to the variance around the
    truth, as a share of that over every pair (both empty where not every pair was read).
    """
    values = {"cell": cell}
    for name, difference in (
        ("bias", scores["lpo"] - scores["truth"]),
        ("fair", scores["truth_of_pairs"] - scores["truth"]),
        ("unfair", scores["lpo"] - scores["truth_of_pairs"]),
        ("sampling", scores["lpo"] - scores["lpo_all"]),
    ):
        values[name], values[f"{name}_mcse"], count = mean_and_error(difference)
        values["surveys"] = values.get("surveys", count)
    every, sampled = (scores[name] - scores["truth"] for name in ("lpo_all", "lpo"))
    values["rmse_sampled"] = np.sqrt((sampled**2).mean())
    values["rmse_every"] = np.sqrt((every**2).mean())
    values["added_variance"] = sampled.var() / every.var() - 1.0 if every.notna().any() else np.nan
    return values


if __name__ == "__main__":
    main()
