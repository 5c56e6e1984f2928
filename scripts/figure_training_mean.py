"""Draw how the training mean gives the held-out row away."""

from drawing import draw
from surveyauc.figures.training_mean import plot_training_mean

if __name__ == "__main__":
    draw(__doc__, plot_training_mean, "score", "mean")
