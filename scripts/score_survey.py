"""Score a real survey of config/surveys.yaml: every estimator as CSV, and all that its page shows as JSON.

Everything that keeps a table from being scored is told in one line: the file, the column, the row.
"""

import argparse
import importlib.util
import json
import sys
from pathlib import Path

from surveyauc.reading import SurveyError
from surveyauc.report import csv_of, json_of, result_of


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--name", required=True)
    parser.add_argument("--package", help="installed package that ships the table; without it, file is a path")
    parser.add_argument("--file", required=True)
    parser.add_argument("--options", type=json.loads, required=True, help="JSON: how to read and to score it")
    parser.add_argument("--csv", required=True)
    parser.add_argument("--json", required=True)
    args = parser.parse_args()

    path = Path(args.file)
    if args.package:
        folder = Path(importlib.util.find_spec(args.package).submodule_search_locations[0])
        path = folder / path
        if "covariate_file" in args.options:
            args.options["covariate_file"] = folder / args.options["covariate_file"]
    try:
        result = result_of(path, name=args.name, **args.options)
    except SurveyError as error:
        sys.exit(f"{path}: {error}")
    for target, text in ((args.csv, csv_of(result)), (args.json, json_of(result))):
        Path(target).write_text(text, encoding="utf-8", newline="\n")
    print(f"{args.name}: {result['report']}")


if __name__ == "__main__":
    main()
