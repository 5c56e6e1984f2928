"""Run the workflow, also after an interruption, and say how many published numbers came out.

A killed run leaves Snakemake's lock and may leave jobs that still write. Here one lock of our own tells the two apart:
every job inherits its descriptor (as standard input), so while it is held something of an earlier run is alive; once
it is free, Snakemake's lock is a leftover and is removed.
"""

import csv
import fcntl
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

CHECK, PAPER = Path("results/tables/published_check.csv"), Path("results/paper/paper.html")
SOURCES = {"bias": "paper on distributional bias"}  # where the name alone does not tell
COMMUNITIES = Path("results/communities/by_table.csv")


def main():
    os.chdir(Path(__file__).resolve().parents[1])
    Path(".snakemake").mkdir(exist_ok=True)
    snakemake = [sys.executable, "-m", "snakemake"]
    with open(".snakemake/build.lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            sys.exit("another build runs in this folder, or jobs of one that was killed still do: wait for them to end")
        if any(Path(".snakemake/locks").glob("*")):
            print("an earlier run was interrupted: removing its lock, keeping what it finished", file=sys.stderr)
            subprocess.run([*snakemake, "--unlock"], check=True, stdin=lock, capture_output=True)
        build = subprocess.Popen([*snakemake, *sys.argv[1:]], stdin=lock, stderr=subprocess.PIPE, text=True)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches Snakemake, which ends its jobs and cleans up
        said, told = follow(build.stderr)
        code = build.wait()
    if code and not told:
        print(*said[-10:], sep="", end="", file=sys.stderr)
    if code == 0 and CHECK.exists():
        print(f"{verdict()}; the paper is {PAPER}")
        if not COMMUNITIES.exists():
            print(
                "without its chapter on real species, whose tables are in a package that is not in the lock: for that "
                "chapter, make communities and then make paper"
            )
    sys.exit(code)


def follow(lines):
    """Print how far the build is, and what the log of a job that fails says. Returns all lines, and whether a log was
    among them."""
    said, told, frame = [], False, 0
    for line in lines:
        said.append(line)
        if line.startswith("Logfile "):
            frame = 2  # Snakemake puts a line of = before what the log says, and one after it
        elif frame and line.startswith("====="):
            frame -= 1
        elif frame == 1 or re.match(r"\d+ of \d+ steps", line):
            print(line, end="", file=sys.stderr, flush=True)
            told |= frame == 1
    return said, told


def verdict():
    with open(CHECK, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    parts = []
    for source in dict.fromkeys(row["source"] for row in rows):
        equal = [row["equal"] == "True" for row in rows if row["source"] == source]
        parts.append(f"{sum(equal)} of {len(equal)} published numbers of the {SOURCES.get(source, source)}")
    notes = sum(bool(row["note"]) for row in rows)
    listed = f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else parts[0]
    return f"{listed} reproduced" + (f" ({notes} of them with a note; see {CHECK})" if notes else "")


if __name__ == "__main__":
    main()
