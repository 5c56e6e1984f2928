"""The command `surveyauc`: a report page of one table of your own."""

import argparse
import os
import sys
from pathlib import Path

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
  surveyauc report species.csv --presence "*" --presence-if "> 0" --covariate-file sites.csv --covariates ph --out all
      every species of one table, with covariates of another
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
    where = (
        "column that says whether the species was there; several columns, or a pattern for them such as 'sp_*', give "
        "one report with a row for each"
    )
    add("--presence", required=True, nargs="+", metavar="COLUMN", help=where)
    add("--out", required=True, metavar="FOLDER", help="where the report goes; made if it is not there")
    add("--covariates", nargs="+", metavar="COLUMN", help="columns that the model uses (default: all others)")
    another = "a second table, with the covariates of the same sites, where they are in a file of their own"
    add("--covariate-file", metavar="FILE.csv", help=another)
    second = "columns of a second model, fitted to the same sites: the paired difference of the two"
    add("--compare-with", nargs="+", metavar="COLUMN", help=second)
    add("--site", metavar="COLUMN", help="column that names the sites (default: found by its name)")
    add("--group", metavar="COLUMN", help="column of blocks that are held out together, such as spatial blocks")
    add("--positive", metavar="LABEL", help="the label that means presence, such as 2 or case")
    add("--presence-if", metavar="RULE", help='rule for counts, such as "> 0"')
    add("--na-values", nargs="+", default=[], metavar="CODE", help="codes for missing values, such as -9999")
    add("--categorical", nargs="+", default=[], metavar="COLUMN", help="columns whose numbers are names of categories")
    kinds = "maximum likelihood (default), with a ridge penalty, or Firth's; the last two stay finite on separated data"
    add("--model", choices=["ml", "ridge", "firth"], default="ml", help=kinds)
    add("--penalty", type=float, metavar="NUMBER", help="of the ridge, on standardised covariates (default 1)")
    of_f1 = "share of presences, such as 0.1, that F1 is adjusted to (default: that of the table)"
    add("--target-prevalence", type=float, metavar="SHARE", help=of_f1)
    add("--separator", metavar="SIGN", help="between columns: one character, tab or whitespace (default: found)")
    add("--decimal", choices=[".", ","], metavar="SIGN", help="sign in decimal numbers (default: found)")
    add("--encoding", help="of the file, such as utf-8 or cp1252 (default: found)")
    add("--seed", type=int, default=1, help="of the folds and of the simulations (default 1)")
    args = vars(parser.parse_args(words))
    # The refits are many small products: a thread of its own for each costs several times what it saves. NumPy looks
    # when it is imported.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from surveyauc.reading import SurveyError
    from surveyauc.report import result_of

    args.pop("command")
    file, out = args.pop("file"), Path(args.pop("out"))
    in_the_way = next((path for path in (out, *out.parents) if path.exists() and not path.is_dir()), None)
    if in_the_way:
        sys.exit(f"{out}: {in_the_way} is a file, so that no report can be written into it")
    if args["penalty"] is None:
        args["penalty"] = 1.0
    elif args["model"] != "ridge":
        sys.exit(f"--penalty is of the model ridge, and the model is {args['model']}: say --model ridge, or no penalty")
    try:
        result = result_of(file, **args)
        page = write_report(result, out)
    except SurveyError as error:
        sys.exit(f"{file}: {error}")
    except KeyboardInterrupt:
        sys.exit("interrupted: no report was written")
    except OSError as error:
        sys.exit(f"{out}: the report cannot be written ({error.strerror})")
    for warning in result.get("warnings", []):
        print(f"warning: {warning}", file=sys.stderr)
    print(f"{page}: {result['report']}")


def write_report(result, folder):
    """Write ``report.html``, ``report.csv`` and ``report.json`` into a folder, each whole or not at all; returns the
    path of the page."""
    from surveyauc.page import page_of  # not sooner: drawing takes a second to import, and a refusal needs none
    from surveyauc.report import csv_of, json_of

    texts = {"report.html": page_of(result), "report.csv": csv_of(result), "report.json": json_of(result)}
    folder.mkdir(parents=True, exist_ok=True)
    halves = {name: folder / f".{name}.part" for name in texts}
    try:
        for name, text in texts.items():
            halves[name].write_text(text, encoding="utf-8", newline="\n")
        for name, half in halves.items():
            os.replace(half, folder / name)
    finally:
        for half in halves.values():
            half.unlink(missing_ok=True)
    return folder / "report.html"
