"""Draw the coverage of every interval against its width."""

from drawing import draw
from surveyauc.figures.coverage import plot_coverage

if __name__ == "__main__":
    draw(__doc__, plot_coverage, "coverage", panels=True, number="level")
