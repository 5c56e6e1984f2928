"""Draw pooled leave-one-out less leave-pair-out for every species of several tables."""

from drawing import draw
from surveyauc.figures.communities import plot_communities

if __name__ == "__main__":
    draw(__doc__, plot_communities, "species")
