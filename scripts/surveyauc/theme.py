"""How figures look: one colour and one shape per family of estimators, told apart also without colour vision and in
grey (contrast with white at least 3 to 1), and one plain theme."""

import matplotlib
import plotnine as p9

FAMILY_COLOURS = {
    "resubstitution": "#767676",
    "pooled refits": "#c1440e",
    "pairs and per-fold": "#1f6fb4",
    "slope only": "#c17d12",
    "simulated": "#6a3d9a",
}
FAMILY_SHAPES = {"resubstitution": "s", "pooled refits": "o", "pairs and per-fold": "^", "slope only": "D"}
CLASS_COLOURS = {"occupied": "#6a3d9a", "empty": "#1b7f79"}
INK = "#222222"
FAINT = "#e4e4e4"
MM_PER_INCH = 25.4


def plain(width, height):
    """The theme of all figures, at this size in millimetres."""
    return p9.theme_minimal(base_size=8, base_family="DejaVu Sans") + p9.theme(
        figure_size=(width / MM_PER_INCH, height / MM_PER_INCH),
        text=p9.element_text(colour=INK),
        axis_text=p9.element_text(colour=INK, size=7.5),
        strip_text=p9.element_text(colour=INK, size=8, weight="bold", ha="left", x=0),
        panel_grid_minor=p9.element_blank(),
        panel_grid_major=p9.element_line(colour=FAINT, size=0.4),
        panel_spacing=0.03,
        legend_position="bottom",
        legend_title=p9.element_blank(),
        legend_text=p9.element_text(size=7.5),
        legend_key=p9.element_blank(),
        plot_background=p9.element_rect(fill="white", colour="white"),
    )


def save(plot, svg, png, resolution=300):
    """Draw ``plot`` and write it as SVG and PNG, the same bytes every time."""
    matplotlib.rcParams["svg.hashsalt"] = "surveyauc"
    figure = plot.draw()  # a composed plot's own save() drops the metadata
    figure.savefig(svg, metadata={"Date": None})
    figure.savefig(png, dpi=resolution)
