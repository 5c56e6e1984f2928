"""Draw how AUC and F1 of a fixed rule come to their population values."""

import pandas as pd

from arguments import figure_parser
from surveyauc.figures.consistency import plot_consistency
from surveyauc.theme import save


def main():
    parser = figure_parser(__doc__)
    parser.add_argument("--consistency-table", required=True)
    args = parser.parse_args()

    save(plot_consistency(pd.read_csv(args.consistency_table), *args.size), args.svg, args.png)


if __name__ == "__main__":
    main()
