"""Draw the bias of pooled leave-one-out against presences and against sites."""

from drawing import draw
from surveyauc.figures.collapse import plot_collapse

if __name__ == "__main__":
    draw(__doc__, plot_collapse, "map")
