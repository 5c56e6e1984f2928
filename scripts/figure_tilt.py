"""Draw the tilt on one survey."""

from drawing import draw
from surveyauc.figures.tilt import plot_tilt

if __name__ == "__main__":
    draw(__doc__, plot_tilt, "sites")
