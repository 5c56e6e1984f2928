"""Draw R-squared of cross-validated regressions on noise."""

from drawing import draw
from surveyauc.figures.noise_regression import plot_noise_regression

if __name__ == "__main__":
    draw(__doc__, plot_noise_regression, "regression")
