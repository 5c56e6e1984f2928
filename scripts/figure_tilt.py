"""Draw the tilt on one survey."""

import pandas as pd

from arguments import figure_parser
from surveyauc.figures.tilt import plot_tilt
from surveyauc.theme import save


def main():
    parser = figure_parser(__doc__)
    parser.add_argument("--sites-table", required=True)
    args = parser.parse_args()

    save(plot_tilt(pd.read_csv(args.sites_table), *args.size), args.svg, args.png)


if __name__ == "__main__":
    main()
