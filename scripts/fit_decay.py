"""How the bias of pooled leave-one-out without signal falls with the number of sites: a straight line through its
logarithm against the logarithm of the sites."""

import argparse

import pandas as pd

from arguments import name_value
from surveyauc.summaries import power_law
from surveyauc.tables import write_table


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bias-table", required=True)
    parser.add_argument(
        "--sites", nargs="+", type=name_value, required=True, help="CELL=SITES of the cells without signal"
    )
    parser.add_argument("--points", required=True, help="table of the points")
    parser.add_argument("--fit", required=True, help="table of the line")
    args = parser.parse_args()

    sites = {cell: int(number) for cell, number in args.sites}
    bias = pd.read_csv(args.bias_table)
    bias = bias[(bias["estimator"] == "loo") & bias["cell"].isin(sites)]
    points = bias.assign(sites=bias["cell"].map(sites)).sort_values("sites")[
        ["cell", "sites", "surveys", "bias", "mcse"]
    ]
    write_table(points, args.points)
    write_table(pd.DataFrame([power_law(points["sites"], points["bias"], points["mcse"])]), args.fit)


if __name__ == "__main__":
    main()
