"""Draw how the training mean gives the held-out row away."""

import pandas as pd

from arguments import figure_parser
from surveyauc.figures.training_mean import plot_training_mean
from surveyauc.theme import save


def main():
    parser = figure_parser(__doc__)
    parser.add_argument("--score-table", required=True)
    parser.add_argument("--mean-table", required=True)
    args = parser.parse_args()

    save(
        plot_training_mean(pd.read_csv(args.score_table), pd.read_csv(args.mean_table), *args.size), args.svg, args.png
    )


if __name__ == "__main__":
    main()
