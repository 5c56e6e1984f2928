"""The workflow itself, on a trial run: what runs, what runs again after which edit, and what is left after a kill."""

import contextlib
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest

from conftest import ROOT, copy_tree, snakemake

SMOKE = ("--configfile", "config/smoke.yaml")
BUILD = ("--cores", "2", *SMOKE)
NOTHING = "Nothing to be done"


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A trial run, built once; tests that change it work on a `copy`."""
    folder = copy_tree(tmp_path_factory.mktemp("trial") / "project")
    snakemake(folder, *BUILD)
    return folder


@pytest.fixture
def copy(built, tmp_path):
    return shutil.copytree(built, tmp_path / "copy", copy_function=shutil.copy2)


def dry_run(folder, *words):
    """Rules that would run, and of each whether it runs because a file of code changed."""
    output = snakemake(folder, "-n", *SMOKE, *words).stdout
    rules, changed = {}, {}
    for block in re.split(r"\n(?=(?:local)?rule )", output):
        match = re.match(r"(?:local)?rule (\w+):", block)
        if match:
            rules[match[1]] = rules.get(match[1], 0) + 1
            if re.search(r"reason: Updated input files: [^;]*\.py", block):
                changed[match[1]] = changed.get(match[1], 0) + 1
    return rules, changed


def digests(folder):
    results = folder / "results"
    return {
        str(path.relative_to(results)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(results.rglob("*"))
        if path.is_file() and path.relative_to(results).parts[0] not in ("logs", "benchmarks")
    }


def test_a_second_run_does_nothing(built):
    assert NOTHING in snakemake(built, *BUILD).stderr


def test_every_rule_leaves_a_log_and_a_benchmark(built):
    results = built / "results"
    logs = {path.relative_to(results / "logs").with_suffix("") for path in (results / "logs").rglob("*.log")}
    times = {
        path.relative_to(results / "benchmarks").with_suffix("") for path in (results / "benchmarks").rglob("*.tsv")
    }
    assert logs == times
    assert len(logs) == 58


def test_touching_every_file_does_nothing(copy):
    files = sorted(path for path in copy.rglob("*") if path.is_file() and ".snakemake" not in path.parts)
    for later, path in enumerate(reversed(files)):  # so that many a result is older than what it was made from
        os.utime(path, (time.time() + later, time.time() + later))
    assert NOTHING in snakemake(copy, *BUILD).stderr


# Each file of code, and how many jobs of which rules run it.
SCORES, SIMULATIONS, TILTS = {"score": 12}, {"simulate": 7}, {"measure_tilt": 3}  # the first cell of each stream
SMALL = {"describe_example": 1, "score_survey": 1}
OWN = {"score_survey": 1}
F1, FIXED = {"measure_f1": 1}, {"show_consistency": 1}
NOISE, NOISE_REGRESSION = {"cross_validate_no_signal": 2}, {"regress_no_signal": 1}  # the replayed experiments
REPLAYED = NOISE | NOISE_REGRESSION | {"summarise_replayed": 1}
INTERVALS = {"summarise_coverage": 1}  # it knows them by name, and so their code
RUNS = {
    "surveyauc/streams.py": SIMULATIONS | INTERVALS | OWN | F1 | FIXED | NOISE | {"replay_vignette": 1},
    "surveyauc/surveys.py": SIMULATIONS | F1 | FIXED,
    "surveyauc/ranks.py": SCORES
    | SMALL
    | INTERVALS
    | F1
    | FIXED
    | NOISE
    | {"summarise": 1, "check_published": 1, "look_independently": 1, "replay_vignette": 1},
    "surveyauc/precision_recall.py": INTERVALS | OWN | {"replay_vignette": 1},
    "surveyauc/intervals.py": INTERVALS | OWN | {"replay_vignette": 1},
    "surveyauc/inversion.py": INTERVALS | OWN,
    "surveyauc/coverage.py": INTERVALS,
    **{f"surveyauc/{name}.py": OWN for name in ("own_table", "assessment", "expected", "report")},
    **{f"surveyauc/{name}.py": OWN | INTERVALS for name in ("reading", "models", "own_survey")},
    "surveyauc/penalised.py": OWN | INTERVALS | REPLAYED,
    **{f"surveyauc/{name}.py": REPLAYED for name in ("no_signal", "splitters")},
    **{f"surveyauc/{name}.py": {} for name in ("__main__", "command", "page", "figures/survey")},
    "surveyauc/logistic.py": SCORES | SMALL | TILTS | INTERVALS | F1 | REPLAYED | {"summarise": 1},
    "surveyauc/holdout.py": SIMULATIONS | SCORES | SMALL | INTERVALS | F1 | {"summarise": 1},
    "surveyauc/f_measure.py": OWN | F1 | FIXED,
    "surveyauc/rates.py": F1 | FIXED,
    "surveyauc/estimators.py": SCORES | INTERVALS | OWN | {"summarise": 1},
    "surveyauc/truth.py": SCORES | F1 | FIXED | {"describe_example": 1},
    "surveyauc/tilt.py": TILTS,
    "surveyauc/summaries.py": F1
    | {"summarise": 1, "decompose_channels": 1, "check_published": 1, "summarise_replayed": 1},
    "surveyauc/tables.py": SCORES
    | TILTS
    | INTERVALS
    | F1
    | FIXED
    | REPLAYED
    | {"check_claims": 1, "summarise": 1, "decompose_channels": 1, "check_published": 1, "look_independently": 1}
    | {"replay_vignette": 1, "describe_example": 1},
    **{f"surveyauc/figures/{name}.py": {} for name in ("against_article", "map", "collapse", "decay", "communities")},
    **{f"surveyauc/figures/{name}.py": {} for name in ("heat_map", "training_mean", "noise_regression", "packaged")},
    **{f"surveyauc/figures/{name}.py": {} for name in ("packaged_strengths", "shrinkage", "tuning")},
    "surveyauc/theme.py": {"render_figure": 8},
    "surveyauc/figures/tilt.py": {"render_figure": 1},
    "surveyauc/figures/bias.py": {"render_figure": 2},
    "surveyauc/figures/sites_and_channels.py": {"render_figure": 1},
    **{f"surveyauc/figures/{name}.py": {"render_figure": 1} for name in ("coverage", "f1", "consistency", "boxes")},
    "surveyauc/figures/__init__.py": {"render_figure": 8},
    "arguments.py": F1 | FIXED | {"summarise_replayed": 1, "render_figure": 8, "write_manuscript": 1},
    "drawing.py": {"render_figure": 8},
    "figure_bias.py": {"render_figure": 2},
    "chapters.py": {"write_manuscript": 1},
    "write_manuscript.py": {"write_manuscript": 1},
    "typeset.py": {"typeset": 2},
    "check_claims.py": {"check_claims": 1},
    "claims/criteria.py": {"check_claims": 1},
    "simulate.py": SIMULATIONS,
}


@pytest.mark.parametrize("file", RUNS)
def test_an_edit_runs_what_uses_the_file_again(built, file):
    path = built / "scripts" / file
    before = path.read_bytes()
    try:
        path.write_bytes(before + b"\n# edited\n")
        rules, changed = dry_run(built)
    finally:
        path.write_bytes(before)
    assert set(rules) == ({*RUNS[file], *downstream(RUNS[file]), "all"} if RUNS[file] else set())
    # Snakemake names one reason a job: jobs behind others that run again name those instead of the edit.
    behind = downstream(RUNS[file])
    direct = {rule: count for rule, count in changed.items() if rule not in behind}
    assert direct == {rule: count for rule, count in RUNS[file].items() if rule not in behind}
    assert all(changed[rule] <= RUNS[file][rule] for rule in changed)
    assert all(rules[rule] >= count for rule, count in RUNS[file].items())


def downstream(rules):
    """Rules that take what these rules make, directly or not."""
    after = {
        "simulate": ["score", "measure_tilt", "describe_example", "look_independently", "measure_f1"],
        "score": ["summarise", "decompose_channels", "look_independently", "check_published"],
        "measure_tilt": ["check_published", "check_claims", "write_manuscript"],
        "describe_example": ["check_published", "check_claims", "render_figure", "write_manuscript"],
        "summarise": ["check_published", "check_claims", "render_figure", "write_manuscript"],
        "decompose_channels": ["check_claims", "render_figure", "write_manuscript"],
        "summarise_coverage": ["check_claims", "render_figure", "write_manuscript"],
        "measure_f1": ["check_claims", "render_figure", "write_manuscript"],
        "show_consistency": ["check_claims", "render_figure", "write_manuscript"],
        "replay_vignette": ["check_published", "write_manuscript"],
        "cross_validate_no_signal": ["summarise_replayed", "render_figure", "write_manuscript"],
        "regress_no_signal": ["summarise_replayed"],
        "summarise_replayed": ["check_published", "check_claims", "write_manuscript"],
        "check_published": ["check_claims", "write_manuscript"],
        "check_claims": ["write_manuscript"],
        "score_survey": ["write_manuscript"],
        "look_independently": ["write_manuscript"],
        "render_figure": ["typeset"],
        "write_manuscript": ["typeset"],
        "typeset": [],
    }
    found, waiting = set(), list(rules)
    while waiting:
        for rule in after[waiting.pop()]:
            if rule not in found:
                found.add(rule)
                waiting.append(rule)
    return found


def test_every_module_of_the_library_is_in_the_table():
    modules = {str(path.relative_to(ROOT / "scripts")) for path in (ROOT / "scripts" / "surveyauc").rglob("*.py")}
    assert modules - {"surveyauc/__init__.py"} <= set(RUNS)


def test_an_edit_that_changes_no_result_stops_there(copy):
    path = copy / "scripts" / "surveyauc" / "surveys.py"
    path.write_bytes(path.read_bytes() + b"\n# edited\n")
    before = digests(copy)
    run = snakemake(copy, *BUILD)
    assert digests(copy) == before
    assert NOTHING in snakemake(copy, *BUILD).stderr
    assert "rule simulate" in run.stderr


def test_a_change_of_colour_changes_the_figure_and_the_paper_only(copy):
    path = copy / "scripts" / "surveyauc" / "figures" / "tilt.py"
    path.write_text(path.read_text().replace('fill="white"', 'fill="yellow"'))
    before = digests(copy)
    snakemake(copy, *BUILD)
    after = digests(copy)
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {"figures/tilt.svg", "figures/tilt.png", "paper/paper.html", "paper/paper.pdf"}


def test_a_caption_changes_the_paper(copy):
    path = copy / "config" / "figures.yaml"
    path.write_text(path.read_text().replace("Each row is a pond", "A row is a pond"))
    rules, _ = dry_run(copy)
    assert set(rules) <= {"render_figure", "write_manuscript", "typeset", "all"}
    assert "write_manuscript" in rules


def test_a_result_of_another_name_stops_the_build(copy):
    chapter = copy / "workflow" / "paper" / "chapters" / "50_bias.md"
    before = digests(copy)
    chapter.write_text(chapter.read_text().replace('estimator="resub").bias', 'estimator="resub").bais'))
    run = snakemake(copy, *BUILD, check=False)
    assert run.returncode != 0
    says = (
        r"^workflow/paper/chapters/50_bias.md line \d+: results/tables/bias.csv has no 'bais' \(did you mean bias\?\)$"
    )
    assert re.search(says, run.stdout + run.stderr, re.MULTILINE)
    assert not (copy / "results" / "paper" / "paper.md").exists()
    assert {name: digest for name, digest in before.items() if name != "paper/paper.md"} == digests(copy)


def test_the_front_door_shows_what_stopped_the_build(copy):
    chapter = copy / "workflow" / "paper" / "chapters" / "50_bias.md"
    chapter.write_text(chapter.read_text().replace('estimator="resub").bias', 'estimator="resub").bais'))
    command = [sys.executable, "workflow/build.py", *BUILD]
    run = subprocess.run(command, cwd=copy, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert run.returncode != 0
    lines = [line for line in run.stderr.splitlines() if "steps" not in line]
    assert len(lines) == 1
    assert lines[0].endswith("results/tables/bias.csv has no 'bais' (did you mean bias?)")


def test_texts_of_a_survey_are_shown_as_they_are(copy):
    rows = [f"{k % 3 == 0:d},{(k * 7) % 11},{k},{k % 5}" for k in range(24)]
    (copy / "mine.csv").write_text("seen,*cover*,a\\b|{x},NO3^-^\n" + "\n".join(rows) + "\n")
    with open(copy / "config" / "surveys.yaml", "a") as file:
        file.write("mine:\n  file: mine.csv\n  presence: seen\n  covariates: ['*cover*', 'a\\b|{x}', 'NO3^-^']\n")
        file.write("  source: 'C:\\newts <b>2020</b> by @jdoe, $5 & [more](x)'\n")
    snakemake(copy, *BUILD)
    page = (copy / "results" / "paper" / "paper.html").read_text()
    text = " ".join(page.split())
    assert "(C:\\newts &lt;b&gt;2020&lt;/b&gt; by @jdoe, $5 &amp; [more](x))" in text
    assert "3 covariates: *cover*, a\\b|{x}, NO3^-^." in text


def test_a_cell_that_the_article_needs_is_named(copy):
    cells = copy / "config" / "cells.csv"
    cells.write_text("".join(line for line in cells.open() if not line.startswith("n1500")))
    words = ["--configfile", "config/smoke.yaml", "--config", "check_published=True"]
    run = snakemake(copy, "--cores", "2", *words, check=False)
    assert run.returncode != 0
    assert "published numbers: there is no n1500_working, which they need" in run.stdout + run.stderr


def test_a_result_that_no_rule_makes_stops_the_build(copy):
    chapter = copy / "workflow" / "paper" / "chapters" / "50_bias.md"
    chapter.write_text(chapter.read_text().replace("results/tables/bias.csv", "results/tables/biases.csv"))
    run = snakemake(copy, *BUILD, check=False)
    assert run.returncode != 0
    assert "results/tables/biases.csv" in run.stderr


def test_a_chapter_appears_when_its_results_are_there(copy):
    chapter = copy / "workflow" / "paper" / "chapters" / "66_more.md"
    chapter.write_text(
        "---\nonly_if_built: true\nresults:\n  more: results/more/more.csv\n---\n"
        "# More {#more}\n\nIt is {{ more.row(name='it').value | fixed }}.\n"
    )
    before = digests(copy)
    assert NOTHING in snakemake(copy, *BUILD).stderr
    (copy / "results" / "more").mkdir()
    (copy / "results" / "more" / "more.csv").write_text("name,value\nit,0.12345\n")
    rules, _ = dry_run(copy)
    assert set(rules) == {"write_manuscript", "typeset", "all"}
    snakemake(copy, *BUILD)
    assert "It is 0.123." in (copy / "results" / "paper" / "paper.html").read_text()
    shutil.rmtree(copy / "results" / "more")
    snakemake(copy, *BUILD)
    assert digests(copy) == before


def test_the_report_has_every_figure_and_table(built, tmp_path):
    snakemake(built, *SMOKE, "--report", str(tmp_path / "report.html"))
    report = (tmp_path / "report.html").read_text()
    figures = [path.name for path in (built / "results" / "figures").glob("*.svg")]
    tables = [path.name for path in (built / "results" / "tables").glob("*.csv")]
    tilt = [path.name for path in (built / "results" / "tilt").glob("*.csv")]
    assert len(figures) == 8
    assert len(tables) == 15
    for name in [*figures, *tables, *tilt, "report.csv", "paper.html", "paper.pdf"]:
        assert f'"name": "{name}"' in report or f"filename={name}" in report, name
    for category in ("Figures", "Tables", "Tilt", "Real surveys", "Paper"):
        assert f'"{category}"' in report
    for caption in ("Each row is a pond", "Every estimator in every cell", "One row per survey of this cell"):
        assert caption in report


def test_adding_a_row_adds_a_cell(copy):
    cells = copy / "config" / "cells.csv"
    rows = cells.read_text() + "small_flat,small,small,30,-1e-05,0.3,0,200,resub loo lpo\n"
    cells.write_text(rows + "independent_one,small,own,40,1.1,0.3,1,200,loo rand5 perfold\n")
    config = copy / "config" / "config.yaml"
    config.write_text(config.read_text().replace("streams:\n", "streams:\n  own: {engine: independent, seed: 11}\n"))
    rules, _ = dry_run(copy)
    assert (rules["simulate"], rules["score"]) == (2, 2)
    assert "measure_tilt" not in rules
    before = digests(copy)
    snakemake(copy, *BUILD)
    after = digests(copy)
    assert {
        name for name in before if name.startswith(("scores", "simulated")) and before[name] != after[name]
    } == set()
    bias = pd.read_csv(copy / "results" / "tables" / "bias.csv")
    assert set(bias.loc[bias["cell"] == "small_flat", "estimator"]) == {"resub", "loo", "lpo"}
    assert set(bias.loc[bias["cell"] == "independent_one", "estimator"]) == {"loo", "rand5", "perfold"}


def test_a_trial_run_evaluates_no_claim(built):
    claims = pd.read_csv(built / "results" / "tables" / "claims.csv")
    assert set(claims["holds"]) == {"not evaluated"}
    assert claims["number"].isna().all()


def test_more_surveys_keep_those_of_the_independent_engine(copy):
    cells, config = copy / "config" / "cells.csv", copy / "config" / "config.yaml"
    config.write_text(config.read_text().replace("streams:\n", "streams:\n  own: {seed: 11}\n"))
    header = cells.read_text()
    scores = []
    for surveys in (4, 7):
        cells.write_text(header + f"own_cell,small,own,30,1.1,0.3,0,{surveys},loo lpo\n")
        snakemake(copy, "--cores", "2", "--config", "surveys_at_most=7", "--", "results/scores/own_cell.csv")
        scores.append(pd.read_csv(copy / "results" / "scores" / "own_cell.csv"))
    pd.testing.assert_frame_equal(scores[0], scores[1].iloc[:4])


def test_a_changed_design_draws_again(copy):
    config = copy / "config" / "config.yaml"
    config.write_text(config.read_text().replace("tilt_absences: 30", "tilt_absences: 20"))
    rules, _ = dry_run(copy)
    assert rules["simulate"] == 3
    assert rules["measure_tilt"] == 3
    assert "score" not in rules


def test_a_bad_configuration_stops_before_the_first_job(copy):
    cells = copy / "config" / "cells.csv"
    cells.write_text(
        cells.read_text().replace("small_weak,small,small,30,0.55,0.3", "small_weak,small,small,30,0.55,3")
    )
    before = digests(copy)
    run = snakemake(copy, *BUILD, check=False)
    assert run.returncode != 0
    assert run.stderr.splitlines()[-1].startswith("config/cells.csv row 4 (small_weak), prevalence: ")
    assert "Traceback" not in run.stderr
    assert digests(copy) == before


def test_a_job_that_fails_names_the_reason_and_leaves_nothing_half_written(copy):
    (copy / "mine.csv").write_text("seen,depth\n1,0.5\n0,x\n1,2\n0,3\n")
    with open(copy / "config" / "surveys.yaml", "a") as file:
        file.write("mine: {file: mine.csv, presence: seen, covariates: [depth]}\n")
    run = snakemake(copy, *BUILD, check=False)
    assert run.returncode != 0
    assert "mine.csv: depth: 3 numbers and 1 text ('x' at row 3): correct them" in run.stdout + run.stderr
    assert "Traceback" not in run.stdout + run.stderr
    assert not (copy / "results" / "surveys" / "mine" / "report.csv").exists()


def test_a_survey_whose_file_is_missing_does_not_pass_for_up_to_date(copy):
    with open(copy / "config" / "surveys.yaml", "a") as file:
        file.write("mine: {file: nowhere.csv, presence: seen, covariates: [depth]}\n")
    run = snakemake(copy, *BUILD, check=False)
    assert run.returncode != 0
    assert run.stderr.splitlines()[-1] == "config/surveys.yaml: mine.file: there is no file nowhere.csv"


def test_a_deleted_table_is_made_again(copy):
    path = copy / "results" / "tables" / "bias.csv"
    before = path.read_bytes()
    path.unlink()
    snakemake(copy, *BUILD)
    assert path.read_bytes() == before


def test_a_table_of_ones_own_is_scored(copy):
    rows = [f"{k % 3 == 0:d},{(k * 7) % 11},{k}" for k in range(24)]
    (copy / "mine.csv").write_text("seen,depth,ph\n" + "\n".join([*rows, "1,,3"]) + "\n")
    with open(copy / "config" / "surveys.yaml", "a") as file:
        file.write("mine: {file: mine.csv, presence: seen, covariates: [depth, ph]}\n")
    snakemake(copy, *BUILD)
    scores = pd.read_csv(copy / "results" / "surveys" / "mine" / "report.csv")
    assert set(scores["n"]) == {24}
    assert set(scores["rows_left_out"]) == {1}
    assert "mine" in (copy / "results" / "paper" / "paper.html").read_text()
    page = copy / "results" / "surveys" / "mine" / "report.html"
    assert not page.exists()
    snakemake(copy, *BUILD, "--", str(page.relative_to(copy)))
    assert f"Report {scores.set_index('code').at['lpo', 'auc']:.3f}" in page.read_text()
    assert NOTHING in snakemake(copy, *BUILD, "--", str(page.relative_to(copy))).stderr


def test_many_species_of_ones_own_are_scored(copy):
    (copy / "wide.csv").write_bytes((ROOT / "tests" / "messy" / "32_wide_species.csv").read_bytes())
    with open(copy / "config" / "surveys.yaml", "a") as file:
        file.write("wide: {file: wide.csv, presence: [sp_common, sp_rare2, sp_never]}\n")
    snakemake(copy, *BUILD, "--", "results/surveys/wide/report.html", "all")
    scores = pd.read_csv(copy / "results" / "surveys" / "wide" / "report.csv").set_index("species")
    assert list(scores["lpo"].notna()) == [True, True, False]
    text = (copy / "results" / "paper" / "paper.md").read_text()
    assert "The table `wide` has 3 species" in text


def processes_in(folder):
    """Process numbers of jobs whose working folder this is."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if os.readlink(entry / "cwd") == str(folder):
                found.append(int(entry.name))
        except OSError:
            continue
    return found


@pytest.mark.skipif(not Path("/proc/self/cwd").exists(), reason="needs /proc")
def test_a_killed_run_goes_on_to_the_same_bytes(built, tmp_path):
    folder = copy_tree(tmp_path / "killed")
    command = [sys.executable, "workflow/build.py", *BUILD]
    run = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    end = time.time() + 60
    while len(list((folder / "results").glob("scores/*.csv"))) < 3 and time.time() < end:
        time.sleep(0.02)
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    while processes := processes_in(folder):  # jobs that left the process group, until the last is gone
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        time.sleep(0.05)
    assert list((folder / ".snakemake" / "locks").glob("*"))
    assert not (folder / "results" / "paper" / "paper.html").exists()

    second = subprocess.run(command, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert second.returncode == 0, second.stderr
    assert "an earlier run was interrupted" in second.stderr
    assert re.search(
        r"\d+ of 131 published numbers of the article, 86 of 86 published numbers of the vignette and \d of 7 publ",
        second.stdout,
    )
    assert digests(folder) == digests(built)


def test_ctrl_c_ends_the_build_without_a_traceback(built, tmp_path):
    folder = copy_tree(tmp_path / "interrupted")
    run = subprocess.Popen(
        [sys.executable, "workflow/build.py", *BUILD],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    end = time.time() + 60
    while not list((folder / "results").glob("scores/*.csv")) and time.time() < end:
        time.sleep(0.02)
    os.killpg(run.pid, signal.SIGINT)
    output, _ = run.communicate(timeout=60)
    assert run.returncode != 0
    assert "build.py" not in output
    assert not list((folder / ".snakemake" / "locks").glob("*"))
    snakemake(folder, *BUILD)
    assert digests(folder) == digests(built)


def test_a_build_refuses_while_another_is_alive(copy):
    holder = """
import fcntl, time
lock = open(".snakemake/build.lock", "w")
fcntl.flock(lock, fcntl.LOCK_EX)
print("locked", flush=True)
time.sleep(60)
"""
    other = subprocess.Popen([sys.executable, "-c", holder], cwd=copy, stdout=subprocess.PIPE)
    try:
        other.stdout.readline()
        run = subprocess.run([sys.executable, "workflow/build.py", *BUILD], cwd=copy, capture_output=True, text=True)
    finally:
        other.kill()
    assert run.returncode != 0
    assert "another build runs in this folder" in run.stderr


def test_jobs_run_the_interpreter_that_runs_snakemake(copy):
    script = copy / "scripts" / "write_manuscript.py"
    script.write_text(
        script.read_text().replace("def main():\n", "def main():\n    import sys\n    print(sys.executable)\n", 1)
    )
    (copy / "python").write_text("#!/bin/sh\nexit 77\n")
    (copy / "python").chmod(0o755)
    snakemake(copy, *BUILD)
    log = (copy / "results" / "logs" / "write_manuscript.log").read_text()
    assert Path(log.strip()).parent == Path(sys.executable).parent


def test_format_and_lint(tmp_path):
    folder = Path(sys.executable).parent
    for command in (
        [folder / "ruff", "check", "."],
        [folder / "ruff", "format", "--check", "."],
        [folder / "snakefmt", "--check", "Snakefile", "workflow"],
        [sys.executable, "-m", "snakemake", "--lint"],
    ):
        run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        assert run.returncode == 0, run.stdout + run.stderr


def test_the_graph_has_the_stages_of_the_study(built):
    graph = snakemake(built, "--rulegraph", *SMOKE).stdout
    names = dict(re.findall(r'(\d+)\[label = "(\w+)"', graph))
    arrows = {(names[a], names[b]) for a, b in re.findall(r"(\d+) -> (\d+)", graph)}
    for arrow in (
        ("simulate", "score"),
        ("score", "summarise"),
        ("score", "decompose_channels"),
        ("simulate", "measure_tilt"),
        ("summarise", "render_figure"),
        ("check_published", "check_claims"),
        ("check_claims", "write_manuscript"),
        ("look_independently", "write_manuscript"),
        ("score_survey", "write_manuscript"),
        ("write_manuscript", "typeset"),
        ("render_figure", "typeset"),
    ):
        assert arrow in arrows
