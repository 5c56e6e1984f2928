"""Write the page of a real survey from what was scored."""

import argparse
import json
from pathlib import Path

from surveyauc.page import page_of


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", required=True, help="made by score_survey.py")
    parser.add_argument("--output", required=True)
    args = parser.parse_args()

    result = json.loads(Path(args.json).read_text(encoding="utf-8"))
    Path(args.output).write_text(page_of(result), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
