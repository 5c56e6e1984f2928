"""Which files of code a script runs, found by following its imports, so that each rule can name them as input.

Snakemake compares inputs by content, but does not follow imports."""

import ast
from functools import cache
from pathlib import Path

SCRIPTS = Path("scripts")


def code_of(script):
    """The script and every module below ``scripts/`` that it imports, directly or not; the script first."""
    found = set()
    _follow(SCRIPTS / script, found)
    return [str(SCRIPTS / script), *sorted(str(path) for path in found if path != SCRIPTS / script)]


def _follow(path, found):
    if path not in found:
        found.add(path)
        for imported in _imported_files(path):
            _follow(imported, found)


@cache
def _imported_files(path):
    names = set()
    package = path.parent.relative_to(SCRIPTS).parts
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join([*above, *([node.module] if node.module else [])])
            names.update({base, *(f"{base}.{alias.name}" for alias in node.names)})
    files = set()
    for name in names:
        parts = name.split(".")
        for depth in range(1, len(parts) + 1):  # importing a.b.c runs a, a.b and a.b.c
            module = SCRIPTS.joinpath(*parts[:depth])
            files.update(f for f in (module.with_suffix(".py"), module / "__init__.py") if f.is_file())
    return files
