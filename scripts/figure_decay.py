"""Draw how the bias of pooled leave-one-out without signal falls with the number of sites."""

import pandas as pd

from arguments import figure_parser
from surveyauc.figures.decay import plot_decay
from surveyauc.theme import save


def main():
    parser = figure_parser(__doc__)
    parser.add_argument("--points-table", required=True)
    parser.add_argument("--fit-table", required=True)
    args = parser.parse_args()

    save(
        plot_decay(pd.read_csv(args.points_table), pd.read_csv(args.fit_table).iloc[0], *args.size), args.svg, args.png
    )


if __name__ == "__main__":
    main()
