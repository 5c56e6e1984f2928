"""Draw how AUC and F1 of a fixed rule come to their population values."""

from drawing import draw
from surveyauc.figures.consistency import plot_consistency

if __name__ == "__main__":
    draw(__doc__, plot_consistency, "consistency")
