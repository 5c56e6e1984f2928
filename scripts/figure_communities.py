"""Draw pooled leave-one-out less leave-pair-out for every species of several tables."""

import pandas as pd

from arguments import figure_parser
from surveyauc.figures.communities import plot_communities
from surveyauc.theme import save


def main():
    parser = figure_parser(__doc__)
    parser.add_argument("--species-table", required=True, help="made by summarise_communities.py")
    args = parser.parse_args()

    save(plot_communities(pd.read_csv(args.species_table), *args.size), args.svg, args.png)


if __name__ == "__main__":
    main()
