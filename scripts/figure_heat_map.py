"""Draw heat maps of the mean AUC of data sets with nothing to find."""

from drawing import draw
from surveyauc.figures.heat_map import plot_heat_map

if __name__ == "__main__":
    draw(__doc__, plot_heat_map, "auc", panels=True)
