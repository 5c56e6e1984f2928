"""The command `surveyauc`: a report page of one table of your own."""

import argparse
import os
import sys
from pathlib import Path

from surveyauc.reading import SurveyError
from surveyauc.report import csv_of, json_of, result_of

EPILOG = """\
Examples
  surveyauc report ponds.csv --presence newt --out ponds
      writes ponds/report.html, to open in a browser, with report.csv and report.json beside it
  surveyauc report ponds.csv --presence newt --covariates depth shade --site pond --out ponds
      uses two columns only, and the column that names the ponds
  surveyauc report counts.csv --presence newts --presence-if "> 0" --out counts
      counts: more than none is a presence
  surveyauc report table.csv --presence group --positive case --na-values -9999 --out table
      the word "case" means presence, and -9999 a missing value
"""


def main(words=None):
    parser = argparse.ArgumentParser(
        prog="surveyauc", description="The right cross-validated AUC of a small presence-absence survey."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="report")
    report = commands.add_parser(
        "report",
        help="write a report page of a table",
        description="Read a table with one row per site, score a model of presence and absence on it, and write a page "
        "that says which AUC to report, with an interval, and which to leave alone.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = report.add_argument
    add("file", metavar="FILE.csv", help="the table: a header, then one row per site")
    where = "column that says whether the species was there; several columns give one report with a row for each"
    add("--presence", required=True, nargs="+", metavar="COLUMN", help=where)
    add("--out", required=True, metavar="FOLDER", help="where the report goes; made if it is not there")
    add("--covariates", nargs="+", metavar="COLUMN", help="columns that the model uses (default: all others)")
    add("--site", metavar="COLUMN", help="column that names the sites (default: found by its name)")
    add("--group", metavar="COLUMN", help="column of blocks that are held out together, such as spatial blocks")
    add("--positive", metavar="LABEL", help="the label that means presence, such as 2 or case")
    add("--presence-if", metavar="RULE", help='rule for counts, such as "> 0"')
    add("--na-values", nargs="+", default=[], metavar="CODE", help="codes for missing values, such as -9999")
    add("--categorical", nargs="+", default=[], metavar="COLUMN", help="columns whose numbers are names of categories")
    kinds = "maximum likelihood (default), with a ridge penalty, or Firth's; the last two stay finite on separated data"
    add("--model", choices=["ml", "ridge", "firth"], default="ml", help=kinds)
    add("--penalty", type=float, default=1.0, help="of the ridge, on standardised covariates (default 1)")
    add("--separator", metavar="SIGN", help="between columns: one character, tab or whitespace (default: found)")
    add("--decimal", choices=[".", ","], help="sign in decimal numbers (default: found)")
    add("--encoding", help="of the file, such as utf-8 or cp1252 (default: found)")
    add("--seed", type=int, default=1, help="of the folds and of the simulations (default 1)")
    args = vars(parser.parse_args(words))
    args.pop("command")
    file, out = args.pop("file"), args.pop("out")
    try:
        result = result_of(file, **args)
    except SurveyError as error:
        sys.exit(f"{file}: {error}")
    page = write_report(result, Path(out))
    print(f"{page}: {result['report']}")


def write_report(result, folder):
    """Write ``report.html``, ``report.csv`` and ``report.json`` into a folder, each whole or not at all; returns the
    path of the page."""
    from surveyauc.page import page_of  # here, as drawing takes a second to import and a refusal needs none

    texts = {"report.html": page_of(result), "report.csv": csv_of(result), "report.json": json_of(result)}
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        half = folder / f".{name}.part"
        half.write_text(text, encoding="utf-8", newline="\n")
        os.replace(half, folder / name)
    return folder / "report.html"
