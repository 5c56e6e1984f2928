"""Draw the article's biases and those of the large study, one panel per cell."""

from drawing import draw
from surveyauc.figures.against_article import plot_against_article

if __name__ == "__main__":
    draw(__doc__, plot_against_article, "against", panels=True)
