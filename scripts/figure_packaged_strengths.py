"""Draw the AUC of real tables by strength of the penalty, under both forms of leave-one-out."""

import pandas as pd

from arguments import figure_parser
from surveyauc.figures.packaged_strengths import plot_packaged_strengths
from surveyauc.theme import save


def main():
    parser = figure_parser(__doc__)
    parser.add_argument("--auc-table", required=True)
    args = parser.parse_args()

    save(plot_packaged_strengths(pd.read_csv(args.auc_table), *args.size), args.svg, args.png)


if __name__ == "__main__":
    main()
