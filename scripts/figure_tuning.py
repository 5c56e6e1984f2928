"""Draw which ridge penalty cross-validation chooses."""

from drawing import draw
from surveyauc.figures.tuning import plot_tuning

if __name__ == "__main__":
    draw(__doc__, plot_tuning, "penalty", panels=True)
