"""Cross-validate regressions with nothing to find: the mean of the others as a prediction, on one data set, and linear
regression on noise, on many."""

import argparse

import numpy as np

from surveyauc.no_signal import fit_linear, held_out_predictions, leave_one_out_masks, r_squared, training_means
from surveyauc.tables import write_table


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mean-rows", type=int, required=True)
    parser.add_argument("--mean-seed", type=int, required=True)
    parser.add_argument("--rows", type=int, required=True)
    parser.add_argument("--covariates", type=int, required=True)
    parser.add_argument("--data-sets", type=int, required=True, help="their seeds are 0, 1, 2, ...")
    parser.add_argument("--mean-table", required=True, help="response and training means of every row")
    parser.add_argument(
        "--regression-table",
        required=True,
        help="R-squared of every data set, and what the fit to all rows has on new ones",
    )
    args = parser.parse_args()

    response = np.random.RandomState(args.mean_seed).normal(size=args.mean_rows)
    predicted = {name: training_means(response, *masks) for name, masks in leave_one_out_masks(response).items()}
    write_table({"response": response} | predicted, args.mean_table)

    rows = []
    for seed in range(args.data_sets):
        random = np.random.RandomState(seed)
        covariates, response = random.normal(size=(args.rows, args.covariates)), random.normal(size=args.rows)
        slopes = fit_linear(covariates, response, np.ones((1, args.rows), bool))[0]
        # Of new responses with variance 1 the squared error is 1 and that of the fit, whose covariates have variance 1.
        row = {"seed": seed, "truth": -(slopes**2).sum()}
        for name, (keep, holder) in leave_one_out_masks(response).items():
            fits = fit_linear(covariates, response, keep)
            row[name] = r_squared(response, held_out_predictions(covariates, fits, holder))
        rows.append(row)
    write_table({name: [row[name] for row in rows] for name in rows[0]}, args.regression_table)


if __name__ == "__main__":
    main()
