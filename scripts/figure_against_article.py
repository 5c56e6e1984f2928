"""Draw the article's biases and those of the large study, one panel per cell."""

import pandas as pd

from arguments import figure_parser, name_value
from surveyauc.figures.against_article import plot_against_article
from surveyauc.theme import save


def main():
    parser = figure_parser(__doc__)
    parser.add_argument("--against-table", required=True)
    parser.add_argument(
        "--panels", nargs="+", type=name_value, required=True, help="CELL=LABEL for each panel, in order"
    )
    args = parser.parse_args()

    save(plot_against_article(pd.read_csv(args.against_table), dict(args.panels), *args.size), args.svg, args.png)


if __name__ == "__main__":
    main()
