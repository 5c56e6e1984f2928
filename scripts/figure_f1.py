"""Draw the bias of F1 by cell, threshold and estimator."""

import pandas as pd

from arguments import figure_parser, name_value
from surveyauc.figures.f1 import plot_f1
from surveyauc.theme import save


def main():
    parser = figure_parser(__doc__)
    parser.add_argument("--f1-table", required=True)
    parser.add_argument("--panels", nargs="+", type=name_value, required=True, help="CELL=LABEL, from top to bottom")
    args = parser.parse_args()

    save(plot_f1(pd.read_csv(args.f1_table), dict(args.panels), *args.size), args.svg, args.png)


if __name__ == "__main__":
    main()
