"""The large study: the same survey whatever the chunks, the cores and the number of surveys; and its chapter."""

import shutil

import numpy as np
import pandas as pd
import pytest

from conftest import copy_tree, snakemake

SMALL_MAP = {
    "presences: [3, 5, 8, 12, 20, 35, 60]": "presences: [3, 5]",
    "slopes: [0, 0.5, 1, 1.5, 2]": "slopes: [0, 1]",
}
SMOKE = ("--cores", "2", "--configfile", "config/smoke.yaml")


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """The project with a small map."""
    folder = copy_tree(tmp_path_factory.mktemp("large") / "project")
    path = folder / "config" / "large.yaml"
    text = path.read_text()
    for old, new in SMALL_MAP.items():
        assert old in text
        text = text.replace(old, new)
    path.write_text(text)
    return folder


@pytest.fixture(scope="module")
def trial(tree):
    """A trial run of the large study, and the paper after it."""
    snakemake(tree, *SMOKE, "--", "large")
    snakemake(tree, *SMOKE)
    return tree / "results"


def scores_of(tree, folder, cells, chunk, cores, surveys=14):
    """Scores of these cells, drawn in chunks of this size on so many cores, as bytes."""
    shutil.copytree(tree, folder, ignore=shutil.ignore_patterns("results", ".snakemake"))
    path = folder / "config" / "large.yaml"
    path.write_text(path.read_text().replace("chunk: 2500", f"chunk: {chunk}"))
    targets = [f"results/large/scores/{cell}.csv" for cell in cells]
    snakemake(folder, "--cores", str(cores), "--config", f"surveys_at_most={surveys}", "--", *targets)
    made = len(list((folder / "results" / "large" / "chunks" / cells[0]).glob("*.csv")))
    return made, {cell: (folder / "results" / "large" / "scores" / f"{cell}.csv").read_bytes() for cell in cells}


def test_chunks_and_cores_change_no_byte(tree, tmp_path):
    cells = ["small_working", "multi_n30", "map_0p1_1_5"]
    one, whole = scores_of(tree, tmp_path / "one", cells, chunk=2500, cores=1)
    seven, pieces = scores_of(tree, tmp_path / "seven", cells, chunk=2, cores=2)
    three, uneven = scores_of(tree, tmp_path / "three", cells, chunk=5, cores=2)
    assert (one, seven, three) == (1, 7, 3)
    assert whole == pieces == uneven
    assert len(whole["small_working"].splitlines()) == 15


def test_more_surveys_keep_the_first_ones(tree, tmp_path):
    _, few = scores_of(tree, tmp_path / "few", ["small_null"], chunk=4, cores=2, surveys=6)
    _, more = scores_of(tree, tmp_path / "more", ["small_null"], chunk=4, cores=2, surveys=9)
    assert more["small_null"].startswith(few["small_null"])


def test_it_is_not_part_of_the_default_build(tree, tmp_path):
    folder = shutil.copytree(tree, tmp_path / "copy", ignore=shutil.ignore_patterns("results", ".snakemake"))
    plan = snakemake(folder, "-n").stdout
    assert "rule score" in plan
    assert "rule draw_and_score" not in plan


def test_its_truth_is_exact(trial):
    scores = pd.read_csv(trial / "large" / "scores" / "small_working.csv")
    assert (scores["truth"] == scores["exact_truth"]).all()
    # With one covariate the truth of a fit is that of its sign.
    assert set(scores["truth"].round(4)) <= {0.7589, 0.2411}
    many = pd.read_csv(trial / "large" / "scores" / "multi_n30.csv")
    assert many["truth"].nunique() == len(many)


def test_the_article_was_measured_near_the_exact_truth(published):
    for cell, sites in (("small_working", 4000), ("multi_n60", 4000), ("n1500_working", 4000)):
        scores = pd.read_csv(published / "results" / "scores" / f"{cell}.csv")
        difference = scores["truth"] - scores["exact_truth"]
        presences = 0.3 * sites
        largest_error = np.sqrt(0.25 / presences)  # of an AUC with so many presences and more absences
        assert 0.2 * largest_error < difference.std() < largest_error
        assert abs(difference.mean()) < 4 * difference.std() / np.sqrt(len(difference))


def test_every_table_has_its_rows(trial):
    rows = {path.stem: len(pd.read_csv(path)) for path in (trial / "large").glob("*.csv")}
    assert rows == {
        "bias": 76,
        "cells": 13,
        "against_article": 69,
        "truth_error": 69,
        "pairs": 10,
        "decay": 6,
        "decay_fit": 1,
        "map": 16,
        "collapse": 2,
    }


def test_the_map_has_fixed_numbers_of_both_classes(trial):
    for cell, presences, absences in (("map_0p3_0_3", 3, 7), ("map_0p1_1_5", 5, 45)):
        scores = pd.read_csv(trial / "large" / "scores" / f"{cell}.csv")
        assert set(scores["n1"]) == {presences}
        assert set(scores["n0"]) == {absences}


def test_its_chapter_is_in_the_paper(trial):
    text = (trial / "paper" / "paper.md").read_text()
    assert "# The study at a hundred times its size" in text
    for name in ("against_article", "map", "collapse", "decay"):
        assert f"(../figures/{name}.svg)" in text
    claims = pd.read_csv(trial / "tables" / "claims.csv").set_index("claim")["holds"]
    assert claims["no_published_bias_is_off"] == "not evaluated"
    assert (trial / "paper" / "paper.pdf").exists()
