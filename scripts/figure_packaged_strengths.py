"""Draw the AUC of real tables by strength of the penalty, under both forms of leave-one-out."""

from drawing import draw
from surveyauc.figures.packaged_strengths import plot_packaged_strengths

if __name__ == "__main__":
    draw(__doc__, plot_packaged_strengths, "auc")
