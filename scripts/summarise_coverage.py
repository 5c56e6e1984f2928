"""Coverage and width of every interval, in every cell and by the size of the smaller class, from the sums of chunks."""

import argparse
import itertools

import numpy as np
import pandas as pd

from surveyauc.coverage import INTERVALS
from surveyauc.tables import write_table


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sums", required=True, help="made by sum_coverage.py")
    parser.add_argument("--cells", nargs="+", required=True)
    parser.add_argument("--slopes", nargs="+", type=float, required=True, help="of every cell")
    parser.add_argument("--smaller-class", nargs="+", type=int, required=True, help="least of each group")
    parser.add_argument("--cell-table", required=True)
    parser.add_argument("--size-table", required=True)
    args = parser.parse_args()

    sums = pd.read_csv(args.sums)
    cells = [
        {"cell": cell} | summary(sums[sums["cell"] == cell], code)
        for cell, code in itertools.product(args.cells, INTERVALS)
    ]
    write_table(pd.DataFrame(cells), args.cell_table)
    slopes = dict(zip(args.cells, args.slopes, strict=True))
    signal = sums["cell"].map({cell: "some" if slope else "none" for cell, slope in slopes.items()})
    to = dict(zip(args.smaller_class, [least - 1 for least in args.smaller_class[1:]] + [np.nan], strict=True))
    sizes = [
        {"signal": is_there, "smaller_from": least, "smaller_to": to[least]} | summary(part, code)
        for (is_there, least), part in sums.groupby([signal, "smaller"], sort=True)
        for code in INTERVALS
    ]
    write_table(pd.DataFrame(sizes), args.size_table)


def summary(sums, code):
    """One interval over some rows of the sums.

    coverage : the share of all surveys, of which it was ``made``, in which it covers the truth, with its Monte Carlo
    standard error; one that does not exist covers nothing, and ``none`` is the share of these; width : mean width of
    those ``given``, with its error from batches, the chunks; refits : mean number of logistic regressions behind one;
    holds_lpo : of the recommended interval, how often leave-pair-out lies inside.
    """
    column = {part: sums[f"{code}_{part}"] for part in ("made", "given", "covered", "width", "refits")}
    made, given = int(column["made"].sum()), int(column["given"].sum())
    coverage = column["covered"].sum() / made if made else np.nan
    batches = pd.DataFrame(column).groupby(sums["chunk"]).sum()
    widths = (batches["width"] / batches["given"])[batches["given"] > 0]
    return {
        "interval": code,
        "around": INTERVALS[code].around,
        "name": INTERVALS[code].name,
        "family": INTERVALS[code].family,
        "made": made,
        "none": 1.0 - given / made if made else np.nan,
        "coverage": coverage,
        "mcse": np.sqrt(coverage * (1.0 - coverage) / made) if made else np.nan,
        "width": column["width"].sum() / given if given else np.nan,
        "width_mcse": widths.std(ddof=1) / np.sqrt(len(widths)) if len(widths) > 1 else np.nan,
        "refits": column["refits"].sum() / made if made else np.nan,
        "holds_lpo": sums["holds_lpo"].sum() / given if code == "resub_inversion" and given else np.nan,
    }


if __name__ == "__main__":
    main()
