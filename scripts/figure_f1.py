"""Draw the bias of F1 by cell, threshold and estimator."""

from drawing import draw
from surveyauc.figures.f1 import plot_f1

if __name__ == "__main__":
    draw(__doc__, plot_f1, "f1", panels=True)
