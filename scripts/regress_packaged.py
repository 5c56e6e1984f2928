"""Cross-validate ridge regressions on tables that installed packages ship: R-squared of leave-one-out and of its
rebalanced form, on random subsamples; and Wilcoxon's test of the two over the tables."""

import argparse
import json

import pandas as pd
from scipy.stats import wilcoxon

from packaged import feature_sets, load, subsample
from surveyauc.no_signal import fit_linear, held_out_predictions, leave_one_out_masks, r_squared
from surveyauc.streams import independent_generator
from surveyauc.tables import write_table


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=json.loads, required=True, help="JSON: what `packaged.load` takes, by name")
    parser.add_argument("--rows", type=int, required=True, help="of a subsample")
    parser.add_argument("--subsamples", type=int, required=True)
    parser.add_argument("--penalty", type=float, required=True, help="on the slopes of standardised covariates")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--value-table", required=True)
    parser.add_argument("--test-table", required=True)
    args = parser.parse_args()

    rows = []
    for name, table in args.tables.items():
        covariates, response = load(table)
        for number in range(args.subsamples if len(response) > args.rows else 1):
            generator = independent_generator(args.seed, f"regression {name}", number)
            drawn, values = subsample(generator, covariates, response, args.rows, None)
            for features, design in feature_sets(drawn).items():
                for scheme, (keep, holder) in leave_one_out_masks(values).items():
                    fits = fit_linear(design, values, keep, args.penalty)
                    place = {"table": name, "features": features, "subsample": number, "scheme": scheme}
                    rows.append(place | {"r_squared": r_squared(values, held_out_predictions(design, fits, holder))})
    values = pd.DataFrame(rows)
    write_table(values, args.value_table)
    means = values.groupby(["features", "table", "scheme"])["r_squared"].mean().unstack("scheme")
    tests = []
    for features, of in means.groupby("features"):
        more = of["rebalanced"] - of["leave_one_out"]
        row = {"features": features, "tables": len(of), "higher": (more > 0).sum(), "median_difference": more.median()}
        tests.append(row | {"largest_difference": more.max(), "p": wilcoxon(more).pvalue})
    write_table(pd.DataFrame(tests), args.test_table)


if __name__ == "__main__":
    main()
