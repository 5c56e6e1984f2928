"""Draw the tilt on one survey."""

import argparse

import pandas as pd

from surveyauc.figures.tilt import plot_tilt
from surveyauc.theme import save


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sites-table", required=True)
    parser.add_argument("--size", nargs=2, type=float, required=True, help="width and height in millimetres")
    parser.add_argument("--svg", required=True)
    parser.add_argument("--png", required=True)
    args = parser.parse_args()

    save(plot_tilt(pd.read_csv(args.sites_table), *args.size), args.svg, args.png)


if __name__ == "__main__":
    main()
