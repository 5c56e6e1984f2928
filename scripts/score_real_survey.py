"""Score one real survey with the estimators of the study. Rows with a missing value are left out and counted.

Everything that keeps a table from being scored is told in one line: the file, the column, the row.
"""

import argparse
import importlib.util
import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd

from surveyauc.estimators import ESTIMATORS, score_surveys
from surveyauc.holdout import DRAWS
from surveyauc.streams import IndependentStream
from surveyauc.tables import write_table


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--name", required=True)
    parser.add_argument("--package", help="installed package that ships the table; without it, file is a path")
    parser.add_argument("--file", required=True)
    parser.add_argument("--separator", required=True, help="one character, or whitespace")
    parser.add_argument("--quote", required=True)
    parser.add_argument("--presence", required=True)
    parser.add_argument("--covariates", nargs="+", required=True)
    parser.add_argument("--estimators", nargs="+", required=True, choices=list(ESTIMATORS))
    parser.add_argument("--folds", type=int, required=True)
    parser.add_argument("--pairs-at-most", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--output", required=True)
    args = parser.parse_args()

    path = Path(args.file)
    if args.package:
        path = Path(importlib.util.find_spec(args.package).submodule_search_locations[0]) / path
    try:
        table = read(path, args.separator, args.quote)
        sites = numbers(table, [args.presence, *args.covariates]).dropna()
        labels = presence(sites[args.presence])
    except ValueError as error:
        sys.exit(f"{path}: {error}")
    covariates = sites[args.covariates].to_numpy(dtype=float)

    # The same table under another name is dealt into the same folds.
    stream = IndependentStream(args.seed, "real survey", 0)
    needed = {ESTIMATORS[code].draw for code in args.estimators}
    drawn = {
        name: draw(stream, labels, folds=args.folds, pairs_at_most=args.pairs_at_most)[None]
        for name, draw in DRAWS.items()
        if name in needed
    }
    scores = score_surveys(covariates[None], labels[None], drawn, args.estimators)
    rows = [
        {
            "survey": args.name,
            "estimator": code,
            "name": ESTIMATORS[code].name,
            "auc": float(scores[code][0]),
            "sites": len(labels),
            "presences": labels.sum(),
            "rows_left_out": len(table) - len(sites),
            "refits": scores["refits"][0],
            "refits_at_edge": scores["at_edge"][0],
        }
        for code in args.estimators
    ]
    write_table({column: [row[column] for row in rows] for column in rows[0]}, args.output)
    print(f"{args.name}: {len(labels)} sites, {labels.sum()} presences, {len(table) - len(sites)} rows left out")


def read(path, separator, quote):
    """The table as texts and numbers; ValueError when it cannot be read or a row has more values than the header."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", pd.errors.ParserWarning)
        try:
            return pd.read_csv(
                path,
                sep=r"\s+" if separator == "whitespace" else separator,
                quotechar=quote,
                index_col=False,
                skipinitialspace=True,
                encoding="utf-8-sig",
            )
        except pd.errors.ParserWarning:
            raise ValueError("rows have more values than the header has columns") from None
        except pd.errors.EmptyDataError:
            raise ValueError("the file is empty") from None
        except (OSError, ValueError) as error:  # of which pandas' parser error and Unicode errors are kinds
            raise ValueError(f"cannot be read ({' '.join(str(error).split())})") from None


def numbers(table, columns):
    """These columns as numbers, missing ones kept; ValueError naming the first column or row that is none."""
    for name in columns:
        if name not in table:
            raise ValueError(f"no column {name!r}; there are: {', '.join(repr(str(c)) for c in table.columns)}")
        values = pd.to_numeric(table[name], errors="coerce")
        bad = np.flatnonzero((values.isna() & table[name].notna()) | np.isinf(values))
        if bad.size:
            raise ValueError(
                f"row {bad[0] + 2}, column {name!r}: {str(table[name].iloc[bad[0]])!r} is not a finite number"
            )
        table = table.assign(**{name: values})
    return table[columns]


def presence(values):
    """0/1 labels; ValueError naming the first other value, or when a class has fewer than 2 sites."""
    bad = np.flatnonzero(~values.isin([0, 1]))
    if bad.size:
        row, value = values.index[bad[0]] + 2, values.iloc[bad[0]]
        raise ValueError(f"row {row}, column {values.name!r}: {value:g} is neither 1 (presence) nor 0 (absence)")
    presences = int(values.sum())
    if min(presences, len(values) - presences) < 2:
        raise ValueError(f"presences: {presences} among {len(values)} complete rows; 2 of each class are needed")
    return values.to_numpy(dtype=int)


if __name__ == "__main__":
    main()
