"""A chapter of the paper: Markdown whose first lines, between two rows of ---, say what it is made from."""

import re
from pathlib import Path

import yaml

FRONT = re.compile(r"---\n(.*?)^---\n", re.DOTALL | re.MULTILINE)


def read_chapter(path):
    """The front matter of a chapter as it stands there ({} without any), and its text with that blanked out, so that
    line numbers stay those of the file."""
    text = Path(path).read_text(encoding="utf-8")
    front = FRONT.match(text)
    if not front:
        return {}, text
    return yaml.safe_load(front[1]) or {}, "\n" * front[0].count("\n") + text[front.end() :]
