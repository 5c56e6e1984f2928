"""Draw how the bias of pooled leave-one-out without signal falls with the number of sites."""

from drawing import draw
from surveyauc.figures.decay import plot_decay

if __name__ == "__main__":
    draw(__doc__, plot_decay, "points", "fit")
