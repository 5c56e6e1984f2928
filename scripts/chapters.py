"""A chapter of the paper: Markdown whose first lines, between two rows of ---, say what it is made from."""

import re
from pathlib import Path

import yaml

FRONT = re.compile(r"---\n(.*?)^---\n", re.DOTALL | re.MULTILINE)


def read_chapter(path, loader=yaml.SafeLoader):
    """The front matter of a chapter as it stands there ({} without any), and its text with that blanked out, so that
    line numbers stay those of the file.

    Raises ValueError when lines that look like front matter are none, yaml.YAMLError when they are not YAML.
    """
    text = Path(path).read_text(encoding="utf-8-sig")
    front = FRONT.match(text)
    if not front and text.lstrip().startswith("---"):
        raise ValueError("begin in the first line with --- and end with a line ---")
    if not front:
        return {}, text
    # The first --- is left in, as it is YAML too and keeps the line numbers.
    return yaml.load("---\n" + front[1], loader) or {}, "\n" * front[0].count("\n") + text[front.end() :]
