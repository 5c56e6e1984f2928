"""Count in every chunk of surveys how often each interval covers the truth, by the size of the smaller class: small
enough to be stored, and enough for every table of coverage."""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd

from surveyauc.tables import write_table


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", nargs="+", required=True, help="intervals by survey, named CELL/CHUNK.csv")
    parser.add_argument("--smaller-class", nargs="+", type=int, required=True, help="least of each group")
    parser.add_argument("--output", required=True)
    args = parser.parse_args()

    rows = []
    for path in map(Path, args.chunks):
        table = pd.read_csv(path)
        groups = np.searchsorted(args.smaller_class, table["smaller"], side="right") - 1
        for group in sorted(set(groups)):
            where = {"cell": path.parent.name, "chunk": int(path.stem), "smaller": args.smaller_class[group]}
            rows.append(where | sums(table[groups == group]))
    write_table(pd.DataFrame(rows), args.output)


def sums(table):
    """Of some surveys: their number; for every interval of how many it was ``made``, how often it was ``given`` (one
    that does not exist is not) and ``covered`` the truth, and the sums of its ``width`` and of the ``refits`` that it
    took; and of the recommended interval how often it held the estimate by leave-pair-out."""
    result = {"surveys": len(table)}
    codes = [name.removesuffix("_lower") for name in table if name.endswith("_lower")]
    for code in codes:
        lower, upper, refits = (table[f"{code}_{part}"] for part in ("lower", "upper", "refits"))
        result[f"{code}_made"] = int(refits.notna().sum())
        result[f"{code}_given"] = int(lower.notna().sum())
        result[f"{code}_covered"] = int(((lower <= table["truth"]) & (table["truth"] <= upper)).sum())
        result[f"{code}_width"] = f"{(upper - lower).sum():.4f}"
        result[f"{code}_refits"] = int(refits.sum())
    lower, upper = table["resub_inversion_lower"], table["resub_inversion_upper"]
    return result | {"holds_lpo": int(((lower <= table["lpo"]) & (table["lpo"] <= upper)).sum())}


if __name__ == "__main__":
    main()
