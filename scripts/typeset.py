"""Typeset the manuscript: one HTML file that needs nothing beside it, or a PDF, the same bytes every time."""

import argparse
import re
import subprocess
import sys
from pathlib import Path

import pypandoc


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--manuscript", required=True, help="Markdown, with paths as seen from its folder")
    parser.add_argument("--style", required=True, help="folder with templates, style, filter, metadata and references")
    parser.add_argument("--output", required=True, help="FILE.html or FILE.pdf")
    args = parser.parse_args()

    style, folder, output = Path(args.style), Path(args.manuscript).parent, Path(args.output)
    options = [
        args.manuscript,
        "--from=markdown",
        "--standalone",
        "--citeproc",
        f"--bibliography={style / 'references.bib'}",
        f"--metadata-file={style / 'metadata.yaml'}",
        f"--lua-filter={style / 'accessible.lua'}",
        "--columns=100000",  # so that no table gets its widths from the length of its lines
        "--fail-if-warnings",
    ]
    if output.suffix == ".html":
        options += [
            "--to=html5",
            f"--template={style / 'paper.html'}",
            f"--resource-path={folder}:{style}",
            "--embed-resources",
            "--mathml",
            "--shift-heading-level-by=1",  # the title is the one heading of level 1
            "--number-sections",
            "--toc",
            "--toc-depth=3",
        ]
        page = pandoc(options)
        check_names(args.manuscript, lambda name: f'id="{name}"'.encode() in page)
        output.write_bytes(page)
    else:
        import typst

        source = pandoc([*options, "--to=typst", f"--template={style / 'paper.typ'}"])
        check_names(args.manuscript, lambda name: f"<{name}>\n".encode() in source)
        try:
            # Only fonts that come with the package and no time of day, or the bytes would change.
            pdf = typst.compile(source, root=folder.parent, ignore_system_fonts=True, timestamp=0)
        except typst.TypstError as error:
            sys.exit(f"typst: {error}")
        output.write_bytes(pdf)


def check_names(manuscript, there):
    """Every figure and table that the manuscript names must have become one."""
    names = re.findall(r"{#((?:figure|table)-[\w-]+)", Path(manuscript).read_text(encoding="utf-8"))
    lost = [name for name in names if not there(name)]
    if lost:
        sys.exit(
            f"{manuscript}: {', '.join(lost)}: its caption or its alternative text is not Markdown that holds together"
        )


def pandoc(options):
    run = subprocess.run([pypandoc.get_pandoc_path(), *map(str, options)], capture_output=True)
    if run.returncode:
        sys.exit(f"pandoc: {run.stderr.decode().strip()}")
    return run.stdout


if __name__ == "__main__":
    main()
