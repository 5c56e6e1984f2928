"""The map of bias over presences, signal and prevalence; and whether curves at two prevalences fall together when drawn
against presences, or against sites."""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd

from arguments import name_value
from surveyauc.summaries import bias_table
from surveyauc.tables import write_table


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scores", nargs="+", required=True, help="scores of the cells of the map, named CELL.csv")
    parser.add_argument(
        "--cells", nargs="+", type=name_value, required=True, help="CELL=PRESENCES,SITES,SLOPE,PREVALENCE"
    )
    parser.add_argument("--map-table", required=True)
    parser.add_argument("--collapse-table", required=True)
    args = parser.parse_args()

    cells = {name: map(float, values.split(",")) for name, values in args.cells}
    parts = []
    for path in args.scores:
        presences, sites, slope, prevalence = cells[Path(path).stem]
        part = bias_table(pd.read_csv(path, usecols=["truth", "loo", "lpo"]), ["loo", "lpo"])[
            ["estimator", "surveys", "value", "bias", "mcse"]
        ]
        part.insert(0, "presences", int(presences))
        part.insert(1, "sites", int(sites))
        part.insert(2, "slope", slope)
        part.insert(3, "prevalence", prevalence)
        parts.append(part)
    table = pd.concat(parts)
    write_table(table, args.map_table)
    write_table(collapse(table[table["estimator"] == "loo"]), args.collapse_table)


def collapse(loo):
    """One row per slope: how far apart the curves of the two outermost prevalences are, as the root mean square of the
    differences in bias, at equal presences and at equal sites (the second curve interpolated over the logarithm of its
    sites), with what Monte Carlo error alone would give; and the mean difference at equal presences.
    """
    rows = []
    for slope, curves in loo.groupby("slope"):
        high, low = (
            curves[curves["prevalence"] == p].sort_values("presences")
            for p in (curves["prevalence"].max(), curves["prevalence"].min())
        )
        by_presences = high.merge(low, on="presences", suffixes=("", "_low"))
        difference = by_presences["bias"] - by_presences["bias_low"]
        error = np.hypot(by_presences["mcse"], by_presences["mcse_low"])
        within = high[high["sites"].between(low["sites"].min(), low["sites"].max())]
        x = np.log(low["sites"])
        there = np.interp(np.log(within["sites"]), x, low["bias"])
        error_there = np.hypot(within["mcse"], np.interp(np.log(within["sites"]), x, low["mcse"]))
        rows.append(
            {
                "slope": slope,
                "at_equal_presences": rms(difference),
                "noise_at_equal_presences": rms(error),
                "at_equal_sites": rms(within["bias"] - there),
                "noise_at_equal_sites": rms(error_there),
                "mean_difference": difference.mean(),
                "mean_difference_mcse": np.sqrt((error**2).sum()) / len(error),
            }
        )
    return pd.DataFrame(rows)


def rms(values):
    return float(np.sqrt(np.mean(np.square(values))))


if __name__ == "__main__":
    main()
