"""Draw pooled leave-one-out against its rebalanced form on real tables."""

import pandas as pd

from arguments import figure_parser
from surveyauc.figures.packaged import plot_packaged
from surveyauc.theme import save


def main():
    parser = figure_parser(__doc__)
    parser.add_argument("--auc-table", required=True)
    parser.add_argument("--regression-table", required=True)
    parser.add_argument("--strength", type=float, required=True, help="the one shown (scikit-learn's C)")
    args = parser.parse_args()

    tables = pd.read_csv(args.auc_table), pd.read_csv(args.regression_table)
    save(plot_packaged(*tables, args.strength, *args.size), args.svg, args.png)


if __name__ == "__main__":
    main()
