"""Summarise the scores: bias of every estimator in every cell, and each cell's own figures."""

import argparse
from pathlib import Path

import pandas as pd

from surveyauc.estimators import ESTIMATORS
from surveyauc.summaries import bias_table, mean_and_error, share
from surveyauc.tables import write_table

COUNTS = ["edge_full", "n1", "refits", "at_edge", "at_limit", "one_class"]  # never blank


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scores", nargs="+", required=True, help="one table per cell, named CELL.csv")
    parser.add_argument("--batch", type=int, required=True)
    parser.add_argument("--bias-table", required=True)
    parser.add_argument("--cell-table", required=True)
    args = parser.parse_args()

    summaries = [summary(path, args.batch) for path in args.scores]
    write_table(pd.concat([biases for biases, _ in summaries]), args.bias_table)
    write_table(pd.DataFrame([row for _, row in summaries]), args.cell_table)


def summary(path, batch):
    """The rows of a cell in both tables. Only one cell is held in memory: it may have a million surveys."""
    columns = ["truth", *ESTIMATORS, "edge_loo", "fold_na", *COUNTS]
    scores, cell = pd.read_csv(path, usecols=columns, dtype=dict.fromkeys(COUNTS, "int32")), Path(path).stem
    biases = named(bias_table(scores, [code for code in ESTIMATORS if scores[code].notna().any()], batch))
    biases.insert(0, "cell", cell)
    return biases, {"cell": cell} | cell_row(scores)


def named(table):
    """With the name and the family of each estimator, so that what shows them needs this table only."""
    chosen = [ESTIMATORS[code] for code in table["estimator"]]
    table.insert(1, "name", [estimator.name for estimator in chosen])
    table.insert(2, "family", [estimator.family for estimator in chosen])
    return table


def cell_row(scores):
    """What the surveys of a cell are like, whatever the estimator."""
    row = {"surveys": len(scores)}
    for name, column in (("truth", "truth"), ("presences", "n1")):
        row[name], row[f"{name}_mcse"], _ = mean_and_error(scores[column])
    row["edge_full"], row["edge_full_mcse"], _ = share(scores["edge_full"])
    row["edge_loo"], row["edge_loo_mcse"], _ = mean_and_error(scores["edge_loo"])
    row["fold_na"], row["fold_na_mcse"], _ = share(scores["fold_na"])
    return row | {flag: scores[flag].sum() for flag in ("refits", "at_edge", "at_limit", "one_class")}


if __name__ == "__main__":
    main()
