"""Draw pooled leave-one-out against its rebalanced form on real tables."""

from drawing import draw
from surveyauc.figures.packaged import plot_packaged

if __name__ == "__main__":
    draw(__doc__, plot_packaged, "auc", "regression", number="strength")
