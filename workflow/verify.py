"""Rebuild an archive in a folder of its own and compare: the same bytes, or which file differs and by how much."""

import argparse
import csv
import hashlib
import io
import math
import shutil
import subprocess
import sys
import tempfile
import zipfile
from itertools import zip_longest
from pathlib import Path

LOCK = "envs/requirements.lock"
ROUNDING = 1e-9  # relative; a larger difference is not one of arithmetic between processors


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("archive", help="the zip file")
    parser.add_argument("--cores", type=int, default=1)
    args = parser.parse_args()
    if args.cores < 1:
        parser.error(f"--cores: {args.cores} is not 1 or more")

    files = read_archive(args.archive)
    tampered = list(against_manifest(files))
    for line in tampered:
        print(f"not what its manifest says: {line}", file=sys.stderr)
    sources, results = split(files)
    if any(line.split(": ")[0].removeprefix("project/") not in results for line in tampered):
        sys.exit("the sources are not those that were archived, so nothing was rebuilt")
    if not results:
        sys.exit(f"{args.archive}: holds no results to compare")

    folder = Path(tempfile.mkdtemp(prefix="surveyauc-verify-"))
    print(f"rebuilding {args.archive} in {folder}", flush=True)
    try:
        for path, content in sources.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(content)
        rebuild(folder, [path for path in results if not path.startswith("results/paper/")], args.cores)
    except KeyboardInterrupt:
        shutil.rmtree(folder)
        sys.exit("interrupted")

    differences = {path: difference for path in results if (difference := compare(path, results[path], folder))}
    for path, (words, _) in differences.items():
        print(f"differs: {path}: {words}", file=sys.stderr)
    if differences or tampered:
        small = not tampered and all(largest <= ROUNDING for _, largest in differences.values())
        hint = "; so little comes from the arithmetic of another processor" if small else ""
        sys.exit(f"{len(differences)} of {len(results)} files differ from those rebuilt in {folder}{hint}")
    shutil.rmtree(folder)
    print(f"verified: all {len(results)} files have the same bytes")


def rebuild(folder, results, cores):
    """Build these results, and then all: the paper has the chapters whose results are there."""
    build = [python_for(folder), "workflow/build.py", "--cores", str(cores), "--"]
    for targets in (results, ["all"]):
        if targets and subprocess.run([*build, *targets], cwd=folder).returncode:
            sys.exit(f"the rebuild failed; it is in {folder}")


def read_archive(path):
    """Content of every file by its path below the one folder that the archive holds."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = [name for name in archive.namelist() if not name.endswith("/")]
            files = {name.partition("/")[2]: archive.read(name) for name in names}
    except FileNotFoundError:
        sys.exit(f"{path}: there is no such file; make one with: snakemake archive")
    except (OSError, zipfile.BadZipFile) as error:
        sys.exit(f"{path}: cannot be read as a zip file ({error})")
    outside = [name for name in names if name.startswith("/") or ".." in name.split("/") or "\\" in name]
    if outside or len(files) < len(names):
        sys.exit(f"{path}: not to be unpacked: {outside[0] if outside else 'some files'} would fall on others")
    if "MANIFEST.sha256" not in files or f"project/{LOCK}" not in files:
        sys.exit(f"{path}: not an archive of this project, which holds MANIFEST.sha256 and project/{LOCK}")
    return files


def against_manifest(files):
    """Paths that differ from the manifest, with how."""
    lines = files["MANIFEST.sha256"].decode(errors="replace").splitlines()
    listed = {path: digest for digest, _, path in (line.partition("  ") for line in lines)}
    for path in sorted({*listed, *files} - {"MANIFEST.sha256"}):
        if path not in files:
            yield f"{path}: missing"
        elif path not in listed:
            yield f"{path}: not listed"
        elif hashlib.sha256(files[path]).hexdigest() != listed[path]:
            yield f"{path}: another checksum"


def split(files):
    """The sources and the results of the project, each by path below it."""
    project = {name.removeprefix("project/"): content for name, content in files.items() if name.startswith("project/")}
    made = {name for name in project if name.startswith("results/") and name != "results/README.md"}
    return {n: c for n, c in project.items() if n not in made}, {n: c for n, c in project.items() if n in made}


def python_for(folder):
    """This interpreter where its packages are those of the archive, or one set up from the archive's lock."""
    here = Path(__file__).resolve().parents[1]
    if (here / LOCK).read_bytes() == (folder / LOCK).read_bytes():
        return sys.executable
    if subprocess.run(["sh", "envs/set_up.sh"], cwd=folder).returncode:
        sys.exit(f"the environment of the archive could not be set up in {folder}")
    return str(folder / ".venv" / "bin" / "python")


def compare(path, archived, folder):
    """None for the same bytes, or (in words what differs, the largest relative difference of its numbers)."""
    rebuilt = folder / path
    if not rebuilt.exists():
        return "not made by the rebuild", math.inf
    rebuilt = rebuilt.read_bytes()
    if archived == rebuilt:
        return None
    if path.endswith(".csv"):
        return compare_tables(archived, rebuilt)
    pairs = enumerate(zip_longest(archived, rebuilt))
    places = [place for place, (a, b) in pairs if a != b]
    return f"{len(places)} of {max(len(archived), len(rebuilt))} bytes, the first at {places[0]}", math.inf


def compare_tables(archived, rebuilt):
    try:
        old, new = (list(csv.reader(io.StringIO(content.decode()))) for content in (archived, rebuilt))
    except (UnicodeDecodeError, csv.Error) as error:
        return f"cannot be read as a table ({error})", math.inf
    if [len(row) for row in old] != [len(row) for row in new]:
        return f"{len(old)} rows in the archive, {len(new)} rebuilt, or of other lengths", math.inf
    header = new[0] if new else []
    different = [
        (distance(a, b), f"row {line}, column {column}: {a!r} in the archive, {b!r} rebuilt")
        for line, (old_row, new_row) in enumerate(zip(old, new, strict=True), start=1)
        for column, a, b in zip(header, old_row, new_row, strict=True)
        if a != b
    ]
    if not different:
        return "the same values, written in other bytes", math.inf
    largest, where = max(different)
    by = f", by at most {largest:.2g} of their size" if math.isfinite(largest) else ""
    return f"{len(different)} values{by}; {where}", largest


def distance(a, b):
    """Relative difference of two numbers; infinite where one is not a number."""
    try:
        a, b = float(a), float(b)
    except ValueError:
        return math.inf
    difference = abs(a - b) / max(abs(a), abs(b), 1e-300)
    return math.inf if math.isnan(difference) else difference


if __name__ == "__main__":
    main()
