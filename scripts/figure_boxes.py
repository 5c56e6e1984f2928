"""Draw box plots of the AUC of data sets with nothing to find, by balance."""

import pandas as pd

from arguments import figure_parser, name_value
from surveyauc.figures.boxes import plot_boxes
from surveyauc.theme import save


def main():
    parser = figure_parser(__doc__)
    parser.add_argument("--tables", nargs="+", required=True, help="AUCs of an experiment each")
    parser.add_argument("--panels", nargs="+", type=name_value, required=True, help="EXPERIMENT=LABEL, in order")
    args = parser.parse_args()

    tables = pd.concat(map(pd.read_csv, args.tables))
    save(plot_boxes(tables, dict(args.panels), *args.size), args.svg, args.png)


if __name__ == "__main__":
    main()
