"""Draw the bias of pooled leave-one-out against presences and against sites."""

import argparse

import pandas as pd

from surveyauc.figures.collapse import plot_collapse
from surveyauc.theme import save


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--map-table", required=True)
    parser.add_argument("--size", nargs=2, type=float, required=True, help="width and height in millimetres")
    parser.add_argument("--svg", required=True)
    parser.add_argument("--png", required=True)
    args = parser.parse_args()

    save(plot_collapse(pd.read_csv(args.map_table), *args.size), args.svg, args.png)


if __name__ == "__main__":
    main()
