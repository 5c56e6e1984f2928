"""Draw the bias against the number of sites, and beside it the two channels of the tilt."""

import pandas as pd

from arguments import name_value
from drawing import figure_parser
from surveyauc.figures.sites_and_channels import plot_sites_and_channels
from surveyauc.theme import save


def main():
    parser = figure_parser(__doc__)
    parser.add_argument("--bias-table", required=True)
    parser.add_argument("--channel-table", required=True)
    parser.add_argument("--sites", nargs="+", type=name_value, required=True, help="CELL=NUMBER of sites")
    parser.add_argument(
        "--size-panels", nargs="+", type=name_value, required=True, help="LABEL=CELL,CELL,... of each left panel"
    )
    parser.add_argument(
        "--channel-panels", nargs="+", type=name_value, required=True, help="CELL=LABEL for each pair of bars"
    )
    args = parser.parse_args()

    plot = plot_sites_and_channels(
        pd.read_csv(args.bias_table),
        {cell: int(number) for cell, number in args.sites},
        pd.read_csv(args.channel_table),
        {label: cells.split(",") for label, cells in args.size_panels},
        dict(args.channel_panels),
        *args.size,
    )
    save(plot, args.svg, args.png)


if __name__ == "__main__":
    main()
