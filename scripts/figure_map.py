"""Draw the map of bias over presences, signal and prevalence."""

from drawing import draw
from surveyauc.figures.map import plot_map

if __name__ == "__main__":
    draw(__doc__, plot_map, "map")
