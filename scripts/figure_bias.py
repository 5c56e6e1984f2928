"""Draw the bias of every estimator, one panel per cell."""

import argparse

import pandas as pd

from arguments import name_value
from surveyauc.figures.bias import plot_bias
from surveyauc.theme import save


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bias-table", required=True)
    parser.add_argument(
        "--panels", nargs="+", type=name_value, required=True, help="CELL=LABEL for each panel, in order"
    )
    parser.add_argument("--size", nargs=2, type=float, required=True, help="width and height in millimetres")
    parser.add_argument("--svg", required=True)
    parser.add_argument("--png", required=True)
    args = parser.parse_args()

    save(plot_bias(pd.read_csv(args.bias_table), dict(args.panels), *args.size), args.svg, args.png)


if __name__ == "__main__":
    main()
