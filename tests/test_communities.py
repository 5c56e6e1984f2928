"""Species of real communities: scored from a package that is made here, as the real one is not in the lock."""

import os
import re
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from conftest import ROOT, copy_tree, snakemake


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """A package with a table of species and one of the same sites in another order."""
    folder = tmp_path_factory.mktemp("site-packages")
    data = folder / "somefauna" / "data"
    data.mkdir(parents=True)
    (folder / "somefauna" / "__init__.py").write_text("raise ImportError('only the files are read')\n")
    generator = np.random.default_rng(5)
    sites = pd.DataFrame({"depth": generator.standard_normal(24), "shade": generator.standard_normal(24)})
    chance = 1 / (1 + np.exp(0.5 - 1.5 * sites["depth"]))
    species = {f"sp{k}": generator.poisson(3 * (generator.random(24) < chance)) for k in range(6)}
    species |= {"never": np.zeros(24, int), "twice": [4, 1] + [0] * 22, "always": np.ones(24, int)}
    pd.DataFrame(species).to_csv(data / "species.csv")
    sites.sample(frac=1, random_state=1).to_csv(data / "sites.csv")
    return folder


def run(package, script, *words):
    environment = os.environ | {"PYTHONPATH": str(package)}
    program = [sys.executable, ROOT / "scripts" / script, *map(str, words)]
    return subprocess.run(program, capture_output=True, text=True, env=environment)


def score(installed, output, **options):
    words = {"package": "somefauna", "species": "data/species.csv", "sites": "data/sites.csv", "presence-if": "> 0"}
    words |= {"least": 3, "output": output} | options
    pairs = [word for name, value in words.items() for word in (f"--{name}", value)]
    return run(installed, "score_community.py", *pairs, "--covariates", "depth", "shade")


@pytest.fixture(scope="module")
def scored(package, tmp_path_factory):
    path = tmp_path_factory.mktemp("scored") / "fauna.csv"
    made = score(package, path)
    assert made.returncode == 0, made.stderr
    return path


def test_both_numbers_are_those_of_loops(package, scored):
    data = package / "somefauna" / "data"
    counts, sites = pd.read_csv(data / "species.csv", index_col=0), pd.read_csv(data / "sites.csv", index_col=0)
    design = sites.loc[counts.index].to_numpy()
    table = pd.read_csv(scored).set_index("species")
    assert list(table.index) == list(counts)
    for name in [f"sp{k}" for k in range(6)]:
        y, each = (counts[name] > 0).astype(int).to_numpy(), np.arange(24)
        assert (table.at[name, "n"], table.at[name, "presences"]) == (24, y.sum())

        def without(*held_out, y=y, each=each):
            keep = ~np.isin(each, held_out)
            fit = LogisticRegression(C=np.inf, tol=1e-10, max_iter=10_000).fit(design[keep], y[keep])
            return fit.decision_function(design)

        pooled = [without(i)[i] for i in each]
        assert table.at[name, "loo"] == pytest.approx(roc_auc_score(y, pooled), abs=1e-12)
        pairs = [(i, j) for i in each[y == 1] for j in each[y == 0]]
        right = [without(i, j)[i] > without(i, j)[j] for i, j in pairs]
        assert table.at[name, "lpo"] == pytest.approx(np.mean(right), abs=1e-12)


def test_species_that_cannot_be_scored_say_why(scored):
    notes = pd.read_csv(scored, keep_default_na=False).set_index("species")["note"]
    assert notes["never"] == "column 'never': '> 0' holds at no site; an AUC needs both classes"
    assert notes["always"] == "column 'always': '> 0' holds at every site; an AUC needs both classes"
    assert notes["twice"] == "fewer than 3 in the smaller class"
    assert set(notes.drop(["never", "always", "twice"])) == {""}


def test_a_package_that_is_not_there_is_told_in_one_line(package, tmp_path):
    made = score(package, tmp_path / "fauna.csv", package="nofauna")
    assert made.returncode == 1
    assert made.stderr == "the package nofauna is not installed here: make communities installs it\n"
    made = score(package, tmp_path / "fauna.csv", sites="data/species.csv")
    assert made.returncode == 1
    assert len(made.stderr.splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_groups_and_counts_by_hand(tmp_path):
    """Two tables; one species turned, one equal, one above, one left out."""
    first = pd.DataFrame({"species": ["a", "b", "c"], "n": 20, "presences": [3, 5, 18], "smaller": [3, 5, 2]})
    first.assign(loo=[0.4, 0.7, np.nan], lpo=[0.6, 0.7, np.nan]).to_csv(tmp_path / "first.csv", index=False)
    second = pd.DataFrame({"species": ["d", "e"], "n": 30, "presences": [4, 9], "smaller": [4, 9]})
    second.assign(loo=[0.5, 0.9], lpo=[0.7, 0.8]).to_csv(tmp_path / "second.csv", index=False)
    outputs = {name: tmp_path / f"{name}_out.csv" for name in ("species-table", "table-summary", "size-summary")}
    words = [word for name, path in outputs.items() for word in (f"--{name}", path)]
    tables = ["--tables", tmp_path / "first.csv", tmp_path / "second.csv", "--smaller-class", 3, 5]
    made = run(tmp_path, "summarise_communities.py", *words, *tables)
    assert made.returncode == 0, made.stderr
    by_table = pd.read_csv(outputs["table-summary"]).set_index("table")
    assert by_table.loc["first", ["sites", "species", "scored", "below", "equal", "above", "turned"]].tolist() == [
        *(20, 3, 2, 1, 1, 0, 1)
    ]
    assert by_table.at["second", "mean_difference"] == pytest.approx(-0.05)
    groups = pd.read_csv(outputs["size-summary"]).set_index("group")
    assert groups.loc["all", ["scored", "below", "equal", "above"]].tolist() == [4, 2, 1, 1]
    assert groups.loc["3", ["scored", "mean_difference", "smaller_to"]].tolist() == pytest.approx([2, -0.2, 4])
    assert groups.loc["5", ["scored", "mean_difference", "largest_difference"]].tolist() == pytest.approx([2, 0.05, 0])
    assert pd.read_csv(outputs["species-table"])["table"].tolist() == ["first"] * 3 + ["second"] * 2


def test_the_study_is_a_target_of_its_own(tmp_path):
    folder = copy_tree(tmp_path / "project")
    assert re.search(r"^score_community +4$", snakemake(folder, "-n", "communities").stdout, re.MULTILINE)
    assert "score_community" not in snakemake(folder, "-n", "--configfile", "config/smoke.yaml").stdout
