"""Summarise the scores: bias of every estimator in every cell, and each cell's own figures."""

import argparse
from pathlib import Path

import pandas as pd

from surveyauc.estimators import ESTIMATORS
from surveyauc.summaries import bias_table, mean_and_error, share
from surveyauc.tables import write_table


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scores", nargs="+", required=True, help="one table per cell, named CELL.csv")
    parser.add_argument("--batch", type=int, required=True)
    parser.add_argument("--bias-table", required=True)
    parser.add_argument("--cell-table", required=True)
    args = parser.parse_args()

    scores = {Path(path).stem: pd.read_csv(path) for path in args.scores}
    biases = {
        cell: named(bias_table(table, [code for code in ESTIMATORS if table[code].notna().any()], args.batch))
        for cell, table in scores.items()
    }
    write_table(pd.concat(biases, names=["cell"]).reset_index("cell"), args.bias_table)
    write_table(pd.DataFrame([{"cell": cell} | cell_row(table) for cell, table in scores.items()]), args.cell_table)


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
