"""How much of the bias of pooled leave-one-out remains when only the slope is refitted, cell by cell."""

import argparse
from pathlib import Path

import pandas as pd

from surveyauc.summaries import channel_table
from surveyauc.tables import write_table


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scores", nargs="+", required=True, help="one table per cell, named CELL.csv")
    parser.add_argument("--output", required=True)
    args = parser.parse_args()

    tables = {Path(path).stem: channel_table(pd.read_csv(path)) for path in args.scores}
    table = pd.concat(tables, names=["cell"]).reset_index("cell")
    write_table(table, args.output)


if __name__ == "__main__":
    main()
