"""Draw the bias of the estimators against the ridge penalty."""

from drawing import draw
from surveyauc.figures.shrinkage import plot_shrinkage

if __name__ == "__main__":
    draw(__doc__, plot_shrinkage, "bias", panels=True)
