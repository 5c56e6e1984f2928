"""The archive: the same bytes twice, refused with the reason, rebuilt elsewhere, and a changed byte named."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from conftest import ROOT, copy_tree, snakemake

NAME = "surveyauc-0.1.0"


def git(folder, *words):
    identity = ["-c", "user.name=tester", "-c", "user.email=tester@localhost"]
    return subprocess.run(["git", *identity, *words], cwd=folder, capture_output=True, text=True, check=True).stdout


def committed(folder):
    git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message=all")
    return folder


@pytest.fixture(scope="module")
def project(published, tmp_path_factory):
    """The published build as a Git checkout, and its archive."""
    folder = tmp_path_factory.mktemp("archive") / "project"
    shutil.copytree(published, folder, copy_function=shutil.copy2)
    committed(folder)
    snakemake(folder, "archive")  # as the README has it: the profile knows the cores
    return folder


@pytest.fixture(scope="module")
def archive(project):
    return project / "results" / "archive" / f"{NAME}.zip"


def test_two_archives_have_the_same_bytes(project, archive, tmp_path):
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", str(project), "clone")
    shutil.copytree(project / "results", clone / "results", copy_function=shutil.copy2, dirs_exist_ok=True)
    (clone / "results" / "archive" / f"{NAME}.zip").unlink()
    shutil.copytree(project / ".snakemake", clone / ".snakemake")
    for path in clone.rglob("*"):
        if path.is_file() and ".git" not in path.parts:
            os.utime(path)
    run = snakemake(clone, "archive")
    assert "1 of 1 steps" in run.stderr, "nothing is made again for it"
    assert (clone / "results" / "archive" / f"{NAME}.zip").read_bytes() == archive.read_bytes()
    assert hashlib.sha256(archive.read_bytes()).hexdigest() in run.stdout + run.stderr


def test_it_holds_sources_results_and_checksums(project, archive, tmp_path):
    with zipfile.ZipFile(archive) as file:
        names = {name.removeprefix(f"{NAME}/") for name in file.namelist()}
        file.extractall(tmp_path)
    assert {f"project/{path}" for path in git(project, "ls-files").splitlines()} <= names
    for path in ("paper/paper.html", "paper/paper.pdf", "paper/settings.json", "scores/small_working.csv"):
        assert f"project/results/{path}" in names
    for made in ("tables", "figures", "scores", "tilt"):
        for path in (project / "results" / made).iterdir():
            assert f"project/results/{made}/{path.name}" in names
    assert not any("simulated" in name or ".snakemake" in name for name in names)
    sums = [line.split("  ") for line in (tmp_path / NAME / "MANIFEST.sha256").read_text().splitlines()]
    assert {path for _, path in sums} == names - {"MANIFEST.sha256"}
    for digest, path in sums:
        assert hashlib.sha256((tmp_path / NAME / path).read_bytes()).hexdigest() == digest, path
    readme = (tmp_path / NAME / "README.md").read_text()
    assert git(project, "rev-parse", "HEAD").strip() in readme
    assert "$" not in re.sub(r"```.*?```", "", readme, flags=re.DOTALL)


def refused(folder, *words):
    before = {path: path.read_bytes() for path in (folder / "results").glob("archive/*")}
    run = snakemake(folder, *words, "--", "archive", check=False)
    assert run.returncode != 0
    assert {path: path.read_bytes() for path in (folder / "results").glob("archive/*")} == before
    return re.search(r"^no archive: (.*)$", run.stdout + run.stderr, re.MULTILINE)[1]


def test_what_is_not_committed_is_refused(project):
    (project / "notes.txt").write_text("mine\n")
    try:
        assert refused(project) == "not committed: notes.txt; commit or remove them"
    finally:
        (project / "notes.txt").unlink()


def test_a_folder_without_git_is_refused(published, tmp_path):
    folder = shutil.copytree(published, tmp_path / "plain", copy_function=shutil.copy2)
    assert refused(folder).startswith("this folder is not a Git checkout")


def test_a_trial_run_is_refused(tmp_path):
    folder = committed(copy_tree(tmp_path / "trial"))
    words = ["--configfile", "config/smoke.yaml"]
    assert refused(folder, *words).startswith("a trial run holds a few surveys per cell")


@pytest.mark.parametrize(
    ("table", "old", "new", "says"),
    [
        ("claims", ",yes\n", ",not evaluated\n", "claims.csv: claims not evaluated or not true: every_site_moves_"),
        ("published_check", ",True,", ",False,", "published_check.csv: not as printed, and no note says why: ex_n1"),
    ],
)
def test_results_that_do_not_hold_are_refused(project, tmp_path, table, old, new, says):
    paths = {name: project / "results" / "tables" / f"{name}.csv" for name in ("claims", "published_check")}
    text = paths[table].read_text()
    paths[table] = tmp_path / f"{table}.csv"
    paths[table].write_text(text.replace(old, new, 1))
    words = ["--results", "results/tables/bias.csv", "--readme", "workflow/archive/README.md"]
    words += ["--claims", paths["claims"], "--published-check", paths["published_check"], "--folder", tmp_path / "made"]
    program = [sys.executable, "scripts/make_archive.py", *words]
    run = subprocess.run(program, cwd=project, capture_output=True, text=True)
    assert run.returncode == 1
    assert run.stderr == f"no archive: {tmp_path}/{says}" + run.stderr.partition(says)[2]
    assert len(run.stderr.splitlines()) == 1
    assert not (tmp_path / "made").exists()


def test_what_the_command_line_changes_is_refused(project):
    words = ["--config", "check_published=False"]
    assert refused(project, *words).startswith("the command line changes the configuration")


@pytest.mark.parametrize("place", ["../outside.csv", "data/ignored.csv"])
def test_a_survey_that_is_not_in_the_commit_is_refused(project, tmp_path, place):
    words = ["--results", "results/tables/bias.csv", "--readme", "workflow/archive/README.md", "--survey-files", place]
    words += [f"--{name}=results/tables/{name.replace('-', '_')}.csv" for name in ("claims", "published-check")]
    program = [sys.executable, "scripts/make_archive.py", *words, "--folder", str(tmp_path / "made")]
    run = subprocess.run(program, cwd=project, capture_output=True, text=True)
    assert run.returncode == 1
    assert run.stderr.startswith(f"no archive: tables of surveys that are not in the commit: {place};")
    assert not (tmp_path / "made").exists()


def verify(path, folder=ROOT):
    words = [sys.executable, "workflow/verify.py", "--cores", "2", "--", str(path)]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)


def test_an_archive_is_rebuilt_to_the_same_bytes(archive):
    run = verify(archive)
    assert run.returncode == 0, run.stdout + run.stderr
    assert re.search(r"^verified: all \d+ files have the same bytes$", run.stdout, re.MULTILINE)
    assert not Path(re.search(r"rebuilding .* in (.*)", run.stdout)[1]).exists()


BUILD = """
import json, pathlib
for path, text in json.loads(pathlib.Path("made.json").read_text()).items():
    pathlib.Path(path).parent.mkdir(parents=True, exist_ok=True)
    pathlib.Path(path).write_text(text)
"""
TABLE = "cell,bias\nhere,-0.25\nthere,0.5\n"


def small_archive(path, results, manifest=None, **sources):
    """An archive of a project whose build makes fixed files at once, and which holds these results."""
    made = {"results/tables/bias.csv": TABLE, "results/paper/paper.md": "# Paper\n"}
    files = {
        "project/envs/requirements.lock": (ROOT / "envs" / "requirements.lock").read_text(),
        "project/workflow/build.py": BUILD,
        "project/made.json": json.dumps(made),
    }
    files |= {f"project/{name}": text for name, text in (made | results).items() if text is not None}
    sums = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in files.items()}
    files |= sources
    files["MANIFEST.sha256"] = "".join(f"{digest}  {name}\n" for name, digest in (sums | (manifest or {})).items())
    with zipfile.ZipFile(path, "w") as file:
        for name, text in files.items():
            file.writestr(f"top/{name}", text)
    return path


def test_a_small_archive_is_verified(tmp_path):
    run = verify(small_archive(tmp_path / "a.zip", {}))
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.splitlines()[-1] == "verified: all 2 files have the same bytes"


DIFFERENT = [
    (
        TABLE.replace("0.25", "0.26"),
        "differs: results/tables/bias.csv: 1 values, by at most 0.038 of their size; "
        "row 2, column bias: '-0.26' in the archive, '-0.25' rebuilt",
    ),
    (TABLE.replace("here", "hers", 1), "row 2, column cell: 'hers' in the archive, 'here' rebuilt"),
    (
        TABLE.replace("0.5\n", "0.50\n"),
        "1 values, by at most 0 of their size; row 3, column bias: '0.50' in the archive",
    ),
    (TABLE.replace("-0.25", "nan"), "row 2, column bias: 'nan' in the archive, '-0.25' rebuilt"),
    (TABLE + "more,1\n", "4 rows in the archive, 3 rebuilt"),
    (TABLE.replace("\n", "\r\n"), "the same values, written in other bytes"),
]


@pytest.mark.parametrize(("table", "says"), DIFFERENT)
def test_a_table_that_differs_is_named_with_how_much(tmp_path, table, says):
    run = verify(small_archive(tmp_path / "a.zip", {"results/tables/bias.csv": table}))
    assert run.returncode == 1
    assert says in run.stderr
    assert "1 of 2 files differ" in run.stderr.splitlines()[-1]
    shutil.rmtree(re.search(r"rebuilding .* in (.*)", run.stdout)[1])


def test_rounding_is_told_from_other_differences(tmp_path):
    near = TABLE.replace("0.25", "0.25000000000000006")
    run = verify(small_archive(tmp_path / "a.zip", {"results/tables/bias.csv": near}))
    assert run.returncode == 1
    assert "by at most 2.2e-16 of their size" in run.stderr
    assert run.stderr.splitlines()[-1].endswith("so little comes from the arithmetic of another processor")


def test_other_files_are_compared_byte_by_byte(tmp_path):
    made = {"results/paper/paper.md": "# Papers\n", "results/figures/gone.svg": "<svg/>"}
    run = verify(small_archive(tmp_path / "a.zip", made))
    assert run.returncode == 1
    assert "differs: results/paper/paper.md: 2 of 9 bytes, the first at 7" in run.stderr
    assert "differs: results/figures/gone.svg: not made by the rebuild" in run.stderr


def test_a_byte_changed_after_the_checksums_is_named(tmp_path):
    changed = {"project/results/tables/bias.csv": TABLE.replace("0.5", "0.6")}
    run = verify(small_archive(tmp_path / "a.zip", {}, **changed))
    assert run.returncode == 1
    assert "not what its manifest says: project/results/tables/bias.csv: another checksum" in run.stderr
    assert "'0.6' in the archive, '0.5' rebuilt" in run.stderr


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"project/workflow/build.py": "print(1)\n"}, "project/workflow/build.py: another checksum"),
        ({"project/more.py": "print(1)\n"}, "project/more.py: not listed"),
    ],
)
def test_sources_that_were_changed_are_not_run(tmp_path, changed, says):
    run = verify(small_archive(tmp_path / "a.zip", {}, **changed))
    assert run.returncode == 1
    assert says in run.stderr
    assert run.stderr.splitlines()[-1].endswith("so nothing was rebuilt")
    assert "rebuilding" not in run.stdout


def test_a_file_that_is_missing_is_named(tmp_path):
    run = verify(small_archive(tmp_path / "a.zip", {}, {"project/results/tables/cells.csv": "00"}))
    assert run.returncode == 1
    assert "not what its manifest says: project/results/tables/cells.csv: missing" in run.stderr


@pytest.mark.parametrize("name", ["top/project/../../../evil.txt", "/top/evil.txt", "top/project/a\\..\\evil.txt"])
def test_members_outside_its_folder_are_not_unpacked(tmp_path, name):
    path = small_archive(tmp_path / "a.zip", {})
    with zipfile.ZipFile(path, "a") as file:
        file.writestr(name, "evil")
    run = verify(path)
    assert run.returncode == 1
    assert "not to be unpacked" in run.stderr
    assert "rebuilding" not in run.stdout


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_members_of_one_name_are_not_unpacked(tmp_path):
    path = small_archive(tmp_path / "a.zip", {})
    with zipfile.ZipFile(path, "a") as file:
        file.writestr("top/project/results/tables/bias.csv", TABLE)
    run = verify(path)
    assert run.returncode == 1
    assert "not to be unpacked" in run.stderr


def test_an_archive_without_results_is_not_verified(tmp_path):
    run = verify(
        small_archive(tmp_path / "a.zip", dict.fromkeys(["results/tables/bias.csv", "results/paper/paper.md"]))
    )
    assert run.returncode == 1
    assert run.stderr.endswith("a.zip: holds no results to compare\n")


def test_an_archive_that_was_packed_again_is_verified(tmp_path):
    path = small_archive(tmp_path / "a.zip", {})
    with zipfile.ZipFile(path, "a") as file:
        file.mkdir("top/project/")
        file.mkdir("top/project/results/")
    assert verify(path).returncode == 0


@pytest.mark.parametrize("content", [None, b"", b"not a zip"])
def test_what_is_no_archive_gets_one_line(tmp_path, content):
    path = tmp_path / "a.zip"
    if content is not None:
        path.write_bytes(content)
    run = verify(path)
    assert run.returncode == 1
    assert len(run.stderr.splitlines()) == 1
    assert run.stderr.startswith(f"{path}: ")


def test_another_zip_gets_one_line(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as file:
        file.writestr("a/b.txt", "c")
    run = verify(tmp_path / "a.zip")
    assert run.returncode == 1
    assert run.stderr == (
        f"{tmp_path / 'a.zip'}: not an archive of this project, which holds MANIFEST.sha256 and "
        "project/envs/requirements.lock\n"
    )
