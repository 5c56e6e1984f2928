"""Tables as the project writes them."""

import csv
import math


def write_table(columns, path):
    """Write columns as CSV: numbers with 17 significant digits, so that reading gives them back; undefined ones empty.

    columns : a dict of equally long sequences, or a DataFrame
    """
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(zip(*(map(_text, columns[name]) for name in columns), strict=True))


def _text(value):
    if isinstance(value, float):
        return "" if math.isnan(value) else f"{value:.17g}"
    return value
