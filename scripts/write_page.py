"""Write the first page: one HTML file that needs nothing beside it, every number taken from the tables."""

import argparse
import base64
import re
from pathlib import Path

import pandas as pd
import yaml
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from arguments import name_value


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--template", required=True)
    parser.add_argument("--figures-list", required=True, help="captions and alternative texts")
    parser.add_argument("--figures", nargs="+", required=True, help="the figures, named FIGURE.svg")
    parser.add_argument("--data", nargs="+", type=name_value, required=True, help="FIGURE=TABLES that it is drawn from")
    parser.add_argument("--published-check", required=True)
    parser.add_argument("--independent-look", required=True)
    parser.add_argument("--claims", required=True)
    parser.add_argument("--bias-table", required=True)
    parser.add_argument("--tilt", nargs="*", default=[], help="tables of tilt, named CELL.csv")
    parser.add_argument("--surveys", nargs="*", default=[], help="scores of real surveys")
    parser.add_argument("--sources", nargs="*", type=name_value, default=[], help="NAME=SOURCE of each real survey")
    parser.add_argument("--sites", nargs="*", type=name_value, default=[], help="CELL=NUMBER of sites")
    parser.add_argument("--pairs-at-most", type=int, required=True)
    parser.add_argument("--look-tolerance", type=float, required=True)
    parser.add_argument("--look-tolerance-of-truth", type=float, required=True)
    parser.add_argument("--trial", action="store_true", help="say that this is a trial run with few surveys")
    parser.add_argument("--output", required=True)
    args = parser.parse_args()

    check = pd.read_csv(args.published_check, dtype={"printed": str, "reproduced": str}, keep_default_na=False)
    look = pd.read_csv(args.independent_look)
    numbers = {key: html_number(text) for key, text in zip(check["key"], check["reproduced"], strict=True)}
    environment = Environment(undefined=StrictUndefined, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {"signed": signed, "fixed": fixed, "number": html_number}
    template = environment.from_string(Path(args.template).read_text(encoding="utf-8"))

    figures = yaml.safe_load(Path(args.figures_list).read_text(encoding="utf-8"))
    for path in map(Path, args.figures):
        figure = figures[path.stem]
        figure["source"] = "data:image/svg+xml;base64," + base64.b64encode(path.read_bytes()).decode()
        for text in ("caption", "alternative_text"):
            figure[text] = environment.from_string(figure[text]).render(n=numbers)
    page = template.render(
        n=numbers,
        trial=args.trial,
        figures=figures,
        check=check.to_dict("records"),
        equal=int(check["equal"].sum()),
        look={
            "numbers": len(look),
            "surveys": len(look[["cell", "survey"]].drop_duplicates()),
            "apart": int(look["apart"].sum()),
            "tolerance": args.look_tolerance,
            "tolerance_of_truth": args.look_tolerance_of_truth,
        },
        claims=pd.read_csv(args.claims).to_dict("records"),
        bias=pd.read_csv(args.bias_table).to_dict("records"),
        tilt={Path(path).stem: pd.read_csv(path).mean().to_dict() for path in args.tilt},
        surveys=[pd.read_csv(path).to_dict("records") for path in args.surveys],
        data=dict(args.data),
        sources=dict(args.sources),
        sites=dict(args.sites),
        pairs_at_most=args.pairs_at_most,
    )
    Path(args.output).write_text(page, encoding="utf-8")


def signed(value, digits=3):
    """A number with its sign, a true minus, and this many decimals; a dash where there is none."""
    return "–" if pd.isna(value) else f"{value:+.{digits}f}".replace("-", "−")


def fixed(value, digits=3):
    return "–" if pd.isna(value) else f"{value:.{digits}f}".replace("-", "−")


def html_number(text):
    """A printed number as HTML: a true minus, and powers of ten as superscripts."""
    power = re.fullmatch(r"\$(.+) \\times 10\^\{-?(\d+)\}\$", text)
    if power:
        return Markup("{} × 10<sup>−{}</sup>").format(*power.groups())
    return text.replace("-", "−")


if __name__ == "__main__":
    main()
