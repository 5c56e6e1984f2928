"""Draw R-squared of cross-validated regressions on noise."""

import pandas as pd

from arguments import figure_parser
from surveyauc.figures.noise_regression import plot_noise_regression
from surveyauc.theme import save


def main():
    parser = figure_parser(__doc__)
    parser.add_argument("--regression-table", required=True)
    args = parser.parse_args()

    save(plot_noise_regression(pd.read_csv(args.regression_table), *args.size), args.svg, args.png)


if __name__ == "__main__":
    main()
