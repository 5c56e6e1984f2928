"""Score one real survey with the estimators of the study. Rows with a missing value are left out and counted."""

import argparse
from importlib.resources import files

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

    path = files(args.package).joinpath(args.file) if args.package else args.file
    separator = r"\s+" if args.separator == "whitespace" else args.separator
    table = pd.read_csv(path, sep=separator, quotechar=args.quote)
    columns = [args.presence, *args.covariates]
    for name in columns:
        if name not in table:
            raise SystemExit(f"{path}: no column {name!r}; there are: {', '.join(map(str, table.columns))}")
        if not pd.api.types.is_numeric_dtype(table[name]):
            raise SystemExit(f"{path}: column {name!r} holds values that are not numbers")
    sites = table[columns].dropna()
    if not sites[args.presence].isin([0, 1]).all():
        raise SystemExit(f"{path}: column {args.presence!r} holds values other than 0 and 1")
    covariates = sites[args.covariates].to_numpy(dtype=float)
    labels = sites[args.presence].to_numpy(dtype=int)
    if min(labels.sum(), (1 - labels).sum()) < 2:
        raise SystemExit(
            f"{path}: {labels.sum()} presences among {len(labels)} sites; at least 2 of each class are needed"
        )

    stream = IndependentStream(args.seed, args.name, 0)
    needed = {ESTIMATORS[name].draw for name in args.estimators}
    drawn = {
        name: draw(stream, labels, folds=args.folds, pairs_at_most=args.pairs_at_most)[None]
        for name, draw in DRAWS.items()
        if name in needed
    }
    scores = score_surveys(covariates[None], labels[None], drawn, args.estimators)
    rows = [
        {
            "survey": args.name,
            "estimator": name,
            "name": ESTIMATORS[name].name,
            "auc": scores[name][0],
            "sites": len(labels),
            "presences": labels.sum(),
            "rows_left_out": len(table) - len(sites),
            "refits_at_edge": scores["at_edge"][0],
        }
        for name in args.estimators
    ]
    write_table({column: [row[column] for row in rows] for column in rows[0]}, args.output)
    print(f"{args.name}: {len(labels)} sites, {labels.sum()} presences, {len(table) - len(sites)} rows left out")
    print({name: round(float(np.asarray(scores[name])[0]), 4) for name in args.estimators})


if __name__ == "__main__":
    main()
