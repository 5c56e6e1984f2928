"""Draw the coverage of every interval against its width."""

import pandas as pd

from arguments import figure_parser, name_value
from surveyauc.figures.coverage import plot_coverage
from surveyauc.theme import save


def main():
    parser = figure_parser(__doc__)
    parser.add_argument("--coverage-table", required=True)
    parser.add_argument("--panels", nargs="+", type=name_value, required=True, help="CELL=LABEL of each panel")
    parser.add_argument("--level", type=float, required=True, help="nominal level of the intervals")
    args = parser.parse_args()

    table = pd.read_csv(args.coverage_table)
    save(plot_coverage(table, dict(args.panels), args.level, *args.size), args.svg, args.png)


if __name__ == "__main__":
    main()
