"""Draw how the bias of pooled leave-one-out without signal falls with the number of sites."""

import argparse

import pandas as pd

from surveyauc.figures.decay import plot_decay
from surveyauc.theme import save


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points-table", required=True)
    parser.add_argument("--fit-table", required=True)
    parser.add_argument("--size", nargs=2, type=float, required=True, help="width and height in millimetres")
    parser.add_argument("--svg", required=True)
    parser.add_argument("--png", required=True)
    args = parser.parse_args()

    save(
        plot_decay(pd.read_csv(args.points_table), pd.read_csv(args.fit_table).iloc[0], *args.size), args.svg, args.png
    )


if __name__ == "__main__":
    main()
