"""How far pooled leave-one-out lies below leave-pair-out on the species of several tables: by table, and by the size of
the smaller class."""

import argparse
import itertools
from pathlib import Path

import numpy as np
import pandas as pd

from surveyauc.tables import write_table


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", nargs="+", required=True, help="made by score_community.py, named TABLE.csv")
    parser.add_argument("--smaller-class", nargs="+", type=int, required=True, help="least of each group")
    parser.add_argument("--species-table", required=True, help="the tables one below the other")
    parser.add_argument("--table-summary", required=True)
    parser.add_argument("--size-summary", required=True)
    args = parser.parse_args()

    tables = {Path(path).stem: pd.read_csv(path) for path in args.tables}
    by_table = [{"table": name, "sites": int(table["n"].max())} | summary(table) for name, table in tables.items()]
    write_table(pd.DataFrame(by_table), args.table_summary)

    species = pd.concat(table.assign(table=name) for name, table in tables.items())
    write_table(species, args.species_table)
    groups = [{"group": "all", "smaller_from": np.nan, "smaller_to": np.nan} | summary(species)]
    for least, following in itertools.zip_longest(args.smaller_class, args.smaller_class[1:]):
        most = following - 1 if following else np.inf
        group = {"group": least, "smaller_from": least, "smaller_to": most if following else np.nan}
        groups.append(group | summary(species[species["smaller"].between(least, most)]))
    write_table(pd.DataFrame(groups), args.size_summary)


def summary(species):
    """Counts and the mean difference, pooled leave-one-out less leave-pair-out, of the species that have both.

    turned : pooled leave-one-out is below one half and leave-pair-out above it
    """
    scored = species.dropna(subset=["loo", "lpo"])
    difference = scored["loo"] - scored["lpo"]
    equal = difference.abs() < 1e-12  # both are shares of the same pairs
    return {
        "species": len(species),
        "scored": len(scored),
        "below": int((difference[~equal] < 0).sum()),
        "equal": int(equal.sum()),
        "above": int((difference[~equal] > 0).sum()),
        "loo_below_half": int((scored["loo"] < 0.5).sum()),
        "lpo_below_half": int((scored["lpo"] < 0.5).sum()),
        "turned": int(((scored["loo"] < 0.5) & (scored["lpo"] > 0.5)).sum()),
        "mean_difference": difference.mean(),
        "largest_difference": difference.min(),
    }


if __name__ == "__main__":
    main()
