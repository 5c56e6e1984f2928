"""Pack the study into one zip file to deposit: the sources at their commit, the results, checksums, and a README.

Refuses, with the reason, what is not committed, a trial run, and results that do not hold. The same commit gives the
same bytes.
"""

import argparse
import csv
import hashlib
import io
import os
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from string import Template


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", nargs="+", required=True, help="files to pack besides the sources")
    parser.add_argument("--published-check", required=True)
    parser.add_argument("--claims", required=True)
    parser.add_argument("--readme", required=True, help="template of the README")
    parser.add_argument("--trial", action="store_true", help="say that the build holds a few surveys only")
    parser.add_argument("--overridden", action="store_true", help="say that the command line changed the configuration")
    parser.add_argument("--survey-files", nargs="*", default=[], help="tables of real surveys, which must be committed")
    parser.add_argument("--folder", required=True, help="where the archive goes")
    args = parser.parse_args()

    reason = reason_to_refuse(args)
    if reason:
        sys.exit(f"no archive: {reason}")

    commit, seconds = git("log", "-1", "--format=%H %ct").split()
    when = datetime.fromtimestamp(int(seconds), UTC)
    with open("pyproject.toml", "rb") as file:
        version = tomllib.load(file)["project"]["version"]
    name = f"surveyauc-{version}"

    files = {f"project/{path}": content for path, content in committed_files().items()}
    files |= {f"project/{path}": (Path(path).read_bytes(), 0o644) for path in args.results}
    readme = Template(Path(args.readme).read_text(encoding="utf-8"))
    text = readme.substitute(version=version, commit=commit, date=f"{when:%Y-%m-%d %H:%M} UTC")
    files["README.md"] = (text.encode(), 0o644)
    sums = [f"{hashlib.sha256(content).hexdigest()}  {path}\n" for path, (content, _) in sorted(files.items())]
    files["MANIFEST.sha256"] = ("".join(sums).encode(), 0o644)

    target = Path(args.folder) / f"{name}.zip"
    target.parent.mkdir(parents=True, exist_ok=True)
    half_written = target.with_suffix(".part")
    half_written.write_bytes(zipped({f"{name}/{path}": file for path, file in files.items()}, when))
    os.replace(half_written, target)
    print(f"{target}: {len(files)} files, sha256 {hashlib.sha256(target.read_bytes()).hexdigest()}")


def reason_to_refuse(args):
    """Why this build must not be deposited, or None."""
    if subprocess.run(["git", "rev-parse"], capture_output=True).returncode:
        return "this folder is not a Git checkout, so there is no commit to name"
    changed = git("status", "--porcelain", "--untracked-files=all", "--", ".").splitlines()
    if changed:
        more = f" and {len(changed) - 5} more" if len(changed) > 5 else ""
        return f"not committed: {', '.join(line[3:] for line in changed[:5])}{more}; commit or remove them"
    if args.trial:
        return "a trial run holds a few surveys per cell; build at the published size first"
    if args.overridden:
        return "the command line changes the configuration; write that into config/ and commit it"
    outside = [path for path in args.survey_files if path not in committed_files()]
    if outside:
        return (
            f"tables of surveys that are not in the commit: {', '.join(outside)}; put them into this folder and commit"
        )
    wrong = [row["key"] for row in rows_of(args.published_check) if row["equal"] != "True" and not row["note"]]
    if wrong:
        return f"{args.published_check}: not as printed, and no note says why: {', '.join(wrong)}"
    untrue = [row["claim"] for row in rows_of(args.claims) if row["holds"] != "yes"]
    if untrue:
        return f"{args.claims}: claims not evaluated or not true: {', '.join(untrue)}"
    return None


def git(*words):
    run = subprocess.run(["git", *words], capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"no archive: git {words[0]}: {run.stderr.strip()}")
    return run.stdout.rstrip("\n")


@cache
def committed_files():
    """(content, mode) of every file of the commit, by path, with the line ends that the commit has."""
    command = ["git", "-c", "core.autocrlf=false", "archive", "--format=tar", "HEAD"]
    run = subprocess.run(command, capture_output=True)
    if run.returncode:
        sys.exit(f"no archive: {run.stderr.decode().strip()}")
    with tarfile.open(fileobj=io.BytesIO(run.stdout)) as tar:
        return {member.name: (tar.extractfile(member).read(), member.mode) for member in tar if member.isfile()}


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def zipped(files, when):
    """A zip of {path: (content, mode)}: sorted, all of one time, and not compressed, as compression differs from one
    zlib to the next."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for path, (content, mode) in sorted(files.items()):
            entry = zipfile.ZipInfo(path, when.timetuple()[:6])
            entry.create_system = 3  # Unix, so that the mode counts
            entry.external_attr = (0o755 if mode & 0o100 else 0o644) << 16
            archive.writestr(entry, content)
    return buffer.getvalue()


if __name__ == "__main__":
    main()
