"""What the tests share: the library on the path, expected values, and runs of the workflow in copies of the tree."""

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "workflow")]
for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(variable, "1")


def expected(name):
    """A table of values that R computed, from tests/expected."""
    return pd.read_csv(ROOT / "tests" / "expected" / name)


def copy_tree(folder):
    """The project as a fresh clone would hold it, in ``folder``."""
    shutil.copytree(
        ROOT,
        folder,
        ignore=lambda path, names: [
            name
            for name in names
            if name in {".git", ".venv", ".snakemake", "__pycache__", ".pytest_cache", ".ruff_cache"}
            or (Path(path) == ROOT / "results" and name != "README.md")
        ],
    )
    return folder


def snakemake(folder, *words, check=True, **options):
    """Run Snakemake in ``folder`` with the interpreter of the tests, its environment not activated."""
    environment = {key: value for key, value in os.environ.items() if key not in {"VIRTUAL_ENV", "PYTHONPATH"}}
    environment["PATH"] = "/usr/local/bin:/usr/bin:/bin"
    run = subprocess.run(
        [sys.executable, "-m", "snakemake", *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        **options,
    )
    if check:
        assert run.returncode == 0, run.stdout + run.stderr
    return run


@pytest.fixture(scope="session")
def published(tmp_path_factory):
    """The published study, built once on two cores for all test processes, in a folder whose name has a space and a
    quote. Tests read it; what they change they copy."""
    shared = tmp_path_factory.getbasetemp()
    shared = shared.parent if "PYTEST_XDIST_WORKER" in os.environ else shared
    folder, done = shared / "published" / "it's a build", shared / "published.done"
    with open(shared / "published.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            snakemake(copy_tree(folder), "--cores", "2")
            done.touch()
    return folder


@pytest.fixture
def generator():
    return np.random.default_rng(20240131)
