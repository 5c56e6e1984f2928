"""Write the manuscript: the chapters in order, as one Markdown file, every result in it taken from the tables.

A result that is missing or has another name stops the build with the place in the chapter and its name.
"""

import argparse
import csv
import difflib
import inspect
import json
import re
import statistics
import sys
import traceback
from pathlib import Path

import yaml
from jinja2 import Environment, FunctionLoader, StrictUndefined, TemplateSyntaxError, UndefinedError

from arguments import name_value
from chapters import read_chapter


class MissingResult(Exception):
    """A result, figure, table or claim that a chapter names and that is not there."""


class Named(dict):
    """A dict that knows what it is a list of, for the error when a name is not in it."""

    def __init__(self, content, what):
        super().__init__(content)
        self.what = what

    def __missing__(self, name):
        close = difflib.get_close_matches(str(name), map(str, self), n=1)
        raise MissingResult(f"{self.what} has no {name!r}" + (f" (did you mean {close[0]}?)" if close else ""))


class Table(list):
    """The rows of a CSV file, each a dict of texts by column."""

    def __init__(self, path):
        with open(path, newline="", encoding="utf-8") as file:
            super().__init__(Named(row, path) for row in csv.DictReader(file))
        self.path = path

    def row(self, **where):
        """The one row in which these columns have these values."""
        found = [row for row in self if all(row[name] == value for name, value in where.items())]
        if len(found) != 1:
            words = ", ".join(f"{name} = {value}" for name, value in where.items())
            raise MissingResult(f"{self.path} has {len(found) or 'no'} rows with {words}; one is needed")
        return found[0]

    def total(self, column):
        return f"{sum(float(row[column]) for row in self):,.0f}"

    def mean(self, column):
        return statistics.fmean(float(row[column]) for row in self)

    def largest(self, column):
        """Of the absolute values."""
        return max(abs(float(row[column])) for row in self if row[column] != "")

    def mcse(self, column):
        """Monte Carlo standard error of the mean."""
        return statistics.stdev(float(row[column]) for row in self) / len(self) ** 0.5


class Numbering:
    """Figures and tables, numbered in the order in which they appear. A reference may point forwards, so the
    manuscript is written twice and takes its references from the order of the first time."""

    def __init__(self, first=None):
        self.order = {"figure": [], "table": []}
        self.first = first

    def place(self, kind, name):
        if name in self.order[kind]:
            raise MissingResult(f"{kind} {name!r} stands in the paper twice")
        self.order[kind].append(name)
        return f"**{kind.title()} {len(self.order[kind])}.**"

    def see(self, kind, name):
        if self.first is None:
            return ""
        if name not in self.first.order[kind]:
            raise MissingResult(f"the paper has no {kind} {name!r}")
        return f"[{kind.title()} {self.first.order[kind].index(name) + 1}](#{kind}-{name})"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chapters", nargs="+", required=True, help="Markdown files in the order of the paper")
    parser.add_argument("--results", nargs="*", default=[], help="tables that the chapters name")
    parser.add_argument("--published-check", required=True, help="the reproduced numbers, `n` in the chapters")
    parser.add_argument("--claims", required=True)
    parser.add_argument("--figures-list", required=True, help="captions and alternative texts")
    parser.add_argument("--data", nargs="*", type=name_value, default=[], help="FIGURE=TABLES that it is drawn from")
    parser.add_argument("--lock", required=True, help="requirements with the versions of packages")
    parser.add_argument("--settings", required=True, help="JSON file of all settings")
    parser.add_argument("--output", required=True)
    args = parser.parse_args()

    chapters = {path: read_chapter(path) for path in args.chapters}
    environment = Environment(
        loader=FunctionLoader(lambda path: (chapters[path][1], path, None)),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=shown,
        comment_start_string="{!",  # {# begins a name in Markdown
        comment_end_string="!}",
    )
    environment.filters |= {
        "fixed": fixed,
        "signed": signed,
        "printed": printed,
        "scientific": scientific,
        "literal": literal,
    }
    check = Table(args.published_check)
    environment.globals |= {
        "n": Named({row["key"]: printed(row["reproduced"]) for row in check if row["value"]}, args.published_check),
        "settings": named(json.loads(Path(args.settings).read_text(encoding="utf-8")), "settings"),
        "version": Named(locked_versions(args.lock), args.lock).__getitem__,
    }
    claims = [row["claim"] for row in Table(args.claims)]
    figures = Named(yaml.safe_load(Path(args.figures_list).read_text(encoding="utf-8")), args.figures_list)

    numbering = None
    for _ in range(2):
        numbering = Numbering(numbering)
        texts = []
        for path, (front, _) in chapters.items():
            patterns = front.get("results", {})
            functions = functions_of(
                environment,
                numbering,
                claims,
                {name: figures[name] for name in front.get("figures", [])},
                dict(args.data),
                {*patterns.values(), *args.results},
            )
            try:
                tables = {name: read_results(pattern, args.results) for name, pattern in patterns.items()}
                texts.append(environment.get_template(path).render(tables | functions).strip())
            except (MissingResult, UndefinedError, TemplateSyntaxError) as error:
                sys.exit(f"{path}{line_of(error, path)}: {error}")
            except Exception as error:  # whatever a template can do wrong, such as calling a function without arguments
                sys.exit(f"{path}{line_of(error, path)}: {type(error).__name__}: {error}")
    Path(args.output).write_text("\n\n".join(texts) + "\n", encoding="utf-8")


def functions_of(environment, numbering, claims, figures, data, results):
    """What a chapter can call besides its own tables; every answer is Markdown."""

    def link(path):
        if path.startswith("results/") and path not in results:
            raise MissingResult(f"{path} is not among the results of this chapter")
        target = re.sub(r"[^/]*{.*", "", path)  # the folder, where a pattern stands for several files
        return f"[`{target}`](../../{target})"

    def figure(name):
        if name not in figures:
            raise MissingResult(f"{name!r} is not among the figures of this chapter")
        try:
            texts = [environment.from_string(figures[name][text]).render() for text in ("caption", "alternative_text")]
        except TemplateSyntaxError as error:
            raise MissingResult(f"figure {name}: {error}") from None
        caption, alternative = (" ".join(text.split()) for text in texts)
        sources = ", ".join(map(link, data[name].split(", ")))
        alternative = re.sub(r'(["\\])', r"\\\1", alternative)
        return (
            f"![{numbering.place('figure', name)} {caption} Data: {sources}.](../figures/{name}.svg)"
            f'{{#figure-{name} alt="{alternative}"}}'
        )

    def table(name, caption, source=None):
        """The caption, to stand below the rows and after a colon."""
        source = f" Data: {link(source)}." if source else ""
        return f"{numbering.place('table', name)} {caption}{source} {{#table-{name}}}"

    def claim(name):
        """A mark that leads to the tested claim."""
        if name not in claims:
            raise MissingResult(f"no claim {name!r} in the table of claims")
        return rf"\[[C{claims.index(name) + 1}](#claim-{name})\]"

    return {"figure": figure, "table": table, "see": numbering.see, "claim": claim, "data": link}


def read_results(pattern, paths):
    """The table of this path, or one table for each path that fits a pattern such as results/tilt/{tilt}.csv."""
    if "{" not in pattern:
        return Table(pattern)
    fits = re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<name>[^/]+)", re.escape(pattern)))
    return Named({match["name"]: Table(path) for path in paths if (match := fits.fullmatch(path))}, pattern)


def named(content, what):
    """Nested dicts in which a missing name is an error that says where."""
    if not isinstance(content, dict):
        return content
    return Named({key: named(value, f"{what}.{key}") for key, value in content.items()}, what)


def locked_versions(lock):
    return dict(re.findall(r"^([a-z0-9-]+)==([^ ;\\]+)", Path(lock).read_text(encoding="utf-8"), re.MULTILINE))


def line_of(error, path):
    """line NUMBER of the template in which this error arose."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    number = lines[-1] if lines else getattr(error, "lineno", None)
    return f" line {number}" if number else ""


def shown(value):
    """What {{ ... }} prints."""
    if inspect.isroutine(value):
        raise MissingResult(f"{value.__name__} is a function here, not a result")
    return f"{value:g}" if isinstance(value, float) else value


def literal(text):
    """A text from the configuration, whose characters mean nothing in Markdown."""
    return re.sub(r"""([\\`*_{}\[\]<>()#+.!|~^$@"'-])""", r"\\\1", text)


def fixed(text, digits=3):
    """A number with this many decimals and a true minus; a dash where there is none."""
    return printed(f"{round(float(text), digits) + 0.0:.{digits}f}") if text != "" else "–"  # no −0


def signed(text, digits=3):
    return printed(f"{round(float(text), digits) + 0.0:+.{digits}f}") if text != "" else "–"


def scientific(value):
    mantissa, exponent = f"{value:.0e}".split("e")
    times = "" if mantissa == "1" else rf"{mantissa} \times "
    return f"${times}10^{{{int(exponent)}}}$"


def printed(text):
    """A number as it is printed, with a true minus; powers of ten stay mathematics."""
    return text if text.startswith("$") else text.replace("-", "−")


if __name__ == "__main__":
    main()
