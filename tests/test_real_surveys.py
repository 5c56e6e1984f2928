"""Tables as people have them: scored, or refused in one line that names the file, the row and the column."""

import subprocess
import sys

import pandas as pd
import pytest

from conftest import ROOT

TABLES = [  # a table as people have them, and what the one line says
    ("seen,depth\n1,0.5\n0,x\n1,2\n0,3\n", "row 3, column 'depth': 'x' is not a finite number"),
    ("seen,depth\n1,0.5\n0,inf\n1,2\n0,3\n", "row 3, column 'depth': 'inf' is not a finite number"),
    ("seen,depth\nyes,0.5\nno,1\n", "row 2, column 'seen': 'yes' is not a finite number"),
    ("seen,depth\n1,0.5\n2,1\n1,2\n2,3\n", "row 3, column 'seen': 2 is neither 1 (presence) nor 0 (absence)"),
    ("seen;depth\n1;5\n0;15\n", "no column 'seen'; there are: 'seen;depth'"),
    ("seen,depth\n1,0.5,7\n0,1,8\n1,2,9\n0,3,9\n", "rows have more values than the header has columns"),
    ("seen,depth\n1,0.5\n0,1,4,5\n1,2\n0,3\n", "cannot be read"),
    ("seen,depth\n1,0.5\n0,1\n0,2\n0,3\n", "presences: 1 among 4 complete rows; 2 of each class are needed"),
    ("", "the file is empty"),
    (b"seen,depth\n1,0.5\n0,\xe9\n", "cannot be read"),
]


def score(folder, table, name="mine"):
    """Run the program on this table, written as it stands; the finished process and the path of the scores."""
    path, scores = folder / f"{name}.csv", folder / f"{name}_scores.csv"
    path.write_bytes(table if isinstance(table, bytes) else table.encode())
    words = f"--name {name} --file {name}.csv --output {name}_scores.csv --presence seen --covariates depth"
    words += ' --separator , --quote " --estimators rand5 perfold lpo --folds 5 --pairs-at-most 20 --seed 1'
    program = [sys.executable, ROOT / "scripts" / "score_real_survey.py"]
    return subprocess.run([*program, *words.split()], cwd=folder, capture_output=True, text=True), scores


@pytest.mark.parametrize(("table", "says"), TABLES)
def test_a_table_that_cannot_be_scored_is_refused_in_one_line(tmp_path, table, says):
    run, scores = score(tmp_path, table)
    assert run.returncode == 1
    assert run.stderr.startswith("mine.csv: ")
    assert says in run.stderr
    assert len(run.stderr.splitlines()) == 1
    assert not scores.exists()


def test_the_same_survey_written_in_other_ways(tmp_path):
    rows = [f"{k % 3 == 0:d},{(k * 7) % 11}" for k in range(24)]
    plain = "seen,depth\n" + "\n".join(rows) + "\n"
    _, path = score(tmp_path, plain)
    expected = pd.read_csv(path).drop(columns="survey")
    assert set(expected["sites"]) == {24}
    for name, table in {
        "bom_crlf": "\ufeff" + plain.replace("\n", "\r\n"),
        "blanks": plain.replace(",", ", "),
        "trailing_commas": plain.replace("\n", ",\n"),
        "floats": plain.replace("0,", "0.0,").replace("1,", "1.0,"),
        "quoted": plain.replace("seen", '"seen"'),
    }.items():
        run, path = score(tmp_path, table, name)
        assert run.returncode == 0, (name, run.stderr)
        pd.testing.assert_frame_equal(pd.read_csv(path).drop(columns="survey"), expected)


def test_rows_with_a_blank_are_left_out_and_counted(tmp_path):
    rows = [f"{k % 3 == 0:d},{(k * 7) % 11}" for k in range(24)]
    _, path = score(tmp_path, "seen,depth\n" + "\n".join([*rows[:5], ",3", "1,", *rows[5:]]) + "\n")
    scores = pd.read_csv(path)
    assert set(scores["sites"]) == {24}
    assert set(scores["rows_left_out"]) == {2}
