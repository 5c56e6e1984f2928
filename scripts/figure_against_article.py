"""Draw the article's biases and those of the large study, one panel per cell."""

import argparse

import pandas as pd

from arguments import name_value
from surveyauc.figures.against_article import plot_against_article
from surveyauc.theme import save


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--against-table", required=True)
    parser.add_argument(
        "--panels", nargs="+", type=name_value, required=True, help="CELL=LABEL for each panel, in order"
    )
    parser.add_argument("--size", nargs=2, type=float, required=True, help="width and height in millimetres")
    parser.add_argument("--svg", required=True)
    parser.add_argument("--png", required=True)
    args = parser.parse_args()

    save(plot_against_article(pd.read_csv(args.against_table), dict(args.panels), *args.size), args.svg, args.png)


if __name__ == "__main__":
    main()
