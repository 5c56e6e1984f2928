"""What the programs that draw share: tables in, one figure as SVG and as PNG out."""

import argparse

import pandas as pd

from arguments import name_value
from surveyauc.theme import save


def figure_parser(description):
    """A parser with what every figure takes: its size and where it goes."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--size", nargs=2, type=float, required=True, help="width and height in millimetres")
    parser.add_argument("--svg", required=True)
    parser.add_argument("--png", required=True)
    return parser


def draw(description, plot, *tables, panels=False, number=None):
    """The whole program of a figure: ``plot`` gets each of the ``tables``, read from the files that --NAME-table names
    (several as one), the label of each panel by cell if it has ``panels``, the ``number`` of that name if it needs one,
    and the size."""
    parser = figure_parser(description)
    for name in tables:
        parser.add_argument(f"--{name}-table", nargs="+", required=True)
    if panels:
        parser.add_argument("--panels", nargs="+", type=name_value, required=True, help="CELL=LABEL, in order")
    if number:
        parser.add_argument(f"--{number}", type=float, required=True)
    args = vars(parser.parse_args())

    shown = [pd.concat(map(pd.read_csv, args[f"{name}_table"])) for name in tables]
    if panels:
        shown.append(dict(args["panels"]))
    if number:
        shown.append(args[number])
    save(plot(*shown, *args["size"]), args["svg"], args["png"])
