"""Draw the bias of pooled leave-one-out against presences and against sites."""

import pandas as pd

from arguments import figure_parser
from surveyauc.figures.collapse import plot_collapse
from surveyauc.theme import save


def main():
    parser = figure_parser(__doc__)
    parser.add_argument("--map-table", required=True)
    args = parser.parse_args()

    save(plot_collapse(pd.read_csv(args.map_table), *args.size), args.svg, args.png)


if __name__ == "__main__":
    main()
