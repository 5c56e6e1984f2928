"""Draw the bias of every estimator, one panel per cell."""

from drawing import draw
from surveyauc.figures.bias import plot_bias

if __name__ == "__main__":
    draw(__doc__, plot_bias, "bias", panels=True)
