"""Draw box plots of the AUC of data sets with nothing to find, by balance."""

from drawing import draw
from surveyauc.figures.boxes import plot_boxes

if __name__ == "__main__":
    draw(__doc__, plot_boxes, "auc", panels=True)
