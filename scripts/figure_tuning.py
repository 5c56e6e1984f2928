"""Draw which ridge penalty cross-validation chooses."""

import pandas as pd

from arguments import figure_parser, name_value
from surveyauc.figures.tuning import plot_tuning
from surveyauc.theme import save


def main():
    parser = figure_parser(__doc__)
    parser.add_argument("--tables", nargs="+", required=True, help="choices of a cell each")
    parser.add_argument("--panels", nargs="+", type=name_value, required=True, help="CELL=LABEL, in order")
    args = parser.parse_args()

    tables = pd.concat(map(pd.read_csv, args.tables))
    save(plot_tuning(tables, dict(args.panels), *args.size), args.svg, args.png)


if __name__ == "__main__":
    main()
