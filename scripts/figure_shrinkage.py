"""Draw the bias of the estimators against the ridge penalty."""

import pandas as pd

from arguments import figure_parser, name_value
from surveyauc.figures.shrinkage import plot_shrinkage
from surveyauc.theme import save


def main():
    parser = figure_parser(__doc__)
    parser.add_argument("--bias-table", required=True)
    parser.add_argument("--panels", nargs="+", type=name_value, required=True, help="CELL=LABEL, in order")
    args = parser.parse_args()

    bias = pd.read_csv(args.bias_table, dtype={"penalty": str}, keep_default_na=False, na_values=[""])
    save(plot_shrinkage(bias, dict(args.panels), *args.size), args.svg, args.png)


if __name__ == "__main__":
    main()
