"""Evaluate every claim that the paper makes in words and that rests on results, and list each with its numbers.

One that does not hold fails the build by name; in a trial run with few surveys none is evaluated.
"""

import argparse
import sys
from pathlib import Path

import numpy as np
import pandas as pd

from claims import CLAIMS, Tables
from surveyauc.tables import write_table

NOT_EVALUATED = "not evaluated"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bias-table", required=True)
    parser.add_argument("--channel-table", required=True)
    parser.add_argument("--example-sites", required=True)
    parser.add_argument("--published-check", required=True, help="the reproduced numbers")
    parser.add_argument("--coverage-table", required=True)
    parser.add_argument("--coverage-by-size", required=True)
    parser.add_argument("--f1-table", required=True)
    parser.add_argument("--consistency-table", required=True)
    parser.add_argument("--adjusted-table", required=True)
    parser.add_argument("--distributional-bias", required=True)
    parser.add_argument("--tilt", nargs="*", default=[], help="tables of tilt, named CELL.csv")
    parser.add_argument(
        "--large", nargs="*", default=[], help="tables of the large study, named TABLE.csv, if it was built"
    )
    parser.add_argument("--communities", nargs="*", default=[], help="the same of real species")
    parser.add_argument("--rebalanced", nargs="*", default=[], help="the same of the study of rebalancing")
    parser.add_argument("--evaluate", action="store_true", help="evaluate the claims, and fail when one does not hold")
    parser.add_argument("--output", required=True)
    args = parser.parse_args()

    tables = Tables(
        pd.read_csv(args.bias_table).set_index(["cell", "estimator"]).sort_index(),
        pd.DataFrame({Path(path).stem: pd.read_csv(path).mean() for path in args.tilt}).T,
        pd.read_csv(args.channel_table).set_index(["cell", "refit"])["share_of_full"],
        pd.read_csv(args.example_sites),
        pd.read_csv(args.published_check).set_index("key")["value"],
        pd.read_csv(args.coverage_table).set_index(["cell", "interval"]),
        pd.read_csv(args.coverage_by_size),
        pd.read_csv(args.f1_table).set_index(["cell", "threshold", "estimator"]),
        pd.read_csv(args.consistency_table).set_index(["criterion", "prevalence", "sites"]).sort_index(),
        pd.read_csv(args.adjusted_table).set_index("design"),
        pd.read_csv(args.distributional_bias).set_index(["figure", "quantity"])["value"],
        {Path(path).stem: pd.read_csv(path) for path in args.large},
        {Path(path).stem: pd.read_csv(path) for path in args.communities},
        {Path(path).stem: pd.read_csv(path) for path in args.rebalanced},
    )
    rows = []
    for name, (sentence, measure, _, study) in CLAIMS.items():
        if study and not getattr(tables, study):
            continue
        holds, number = evaluated(name, tables) if args.evaluate else (NOT_EVALUATED, "")
        rows.append({"claim": name, "sentence": sentence, "number": number, "measure": measure, "holds": holds})
    write_table(pd.DataFrame(rows), args.output)
    false = [row for row in rows if row["holds"] == "no"]
    if false:
        words = "; ".join(f"{row['claim']} ({row['number']:.4g}): {row['sentence']}" for row in false)
        sys.exit(f"claims that do not hold: {words}")
    print(f"{sum(row['holds'] == 'yes' for row in rows)} of {len(rows)} claims hold")


def evaluated(name, tables):
    """Whether the claim holds ("yes" or "no"), and its number."""
    predicate = CLAIMS[name][2]
    try:
        holds, number = predicate(tables)
    except KeyError as missing:
        sys.exit(f"claim {name} needs a cell or an estimator that this build does not have: {missing}")
    if np.isnan(number):
        sys.exit(f"claim {name} needs a cell or an estimator that this build does not have")
    return "yes" if holds else "no", float(number)


if __name__ == "__main__":
    main()
