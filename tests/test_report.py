"""The report of a survey as its users get it: the command, the files, the table in Python."""

import json
import re
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import surveyauc
from conftest import ROOT
from surveyauc.assessment import assess
from surveyauc.command import main
from surveyauc.expected import CODES, expected_bias
from surveyauc.inversion import Simulation, first_look
from surveyauc.models import design_of, solver_of
from surveyauc.own_table import read_survey
from surveyauc.reading import SurveyError
from surveyauc.report import result_of
from surveyauc.streams import IndependentStream

MESSY = ROOT / "tests" / "messy"
CLEAN = MESSY / "00_clean.csv"
NUMBERS = ["elevation_m", "canopy_pct"]


def report(folder, *words):
    """Run the command; (what it printed, the files it wrote by name)."""
    out = folder / "out"
    program = f"import sys; sys.path.insert(0, {str(ROOT / 'scripts')!r}); from surveyauc.command import main; main()"
    run = subprocess.run(
        [sys.executable, "-c", program, "report", *map(str, words), "--out", out], capture_output=True, text=True
    )
    return run, {path.name: path for path in out.glob("*")} if out.exists() else {}


def test_a_report_holds_the_numbers_in_three_forms(tmp_path):
    run, files = report(tmp_path, CLEAN, "--presence", "presence", "--covariates", *NUMBERS)
    assert run.returncode == 0, run.stderr
    assert set(files) == {"report.html", "report.csv", "report.json"}
    result = json.loads(files["report.json"].read_text())
    assert (result["n"], result["presences"], result["dropped_rows"], result["warnings"]) == (32, 10, [], [])
    assert list(result["estimates"]) == ["resub", "loo", "rand5", "strat5", "perfold", "lpo", "rloo", "tlpo"]
    assert result["estimates"]["loo"]["auc"] == pytest.approx(0.786364, abs=5e-7)
    assert result["estimates"]["lpo"]["auc"] == pytest.approx(0.831818, abs=5e-7)
    table = pd.read_csv(files["report.csv"]).set_index("code")
    assert table["auc"].to_dict() == pytest.approx({code: row["auc"] for code, row in result["estimates"].items()})
    page = files["report.html"].read_text()
    assert "Report 0.832 (95 % interval 0." in page
    assert "Do not report 0.786, pooled leave-one-out" in page
    assert run.stdout.startswith(str(files["report.html"]))


def test_the_same_report_twice_whatever_the_file_is_called(tmp_path):
    (tmp_path / "other.csv").write_bytes(CLEAN.read_bytes())
    made = []
    for k, file in enumerate((CLEAN, tmp_path / "other.csv")):
        (tmp_path / str(k)).mkdir()
        _, files = report(tmp_path / str(k), file, "--presence", "presence")
        made.append((files["report.csv"].read_bytes(), files["report.html"].read_text().replace("00_clean", "other")))
    assert made[0] == made[1]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([MESSY / "13_duplicate_header.csv", "--presence", "presence"], "column name 'elevation_m' occurs twice"),
        ([MESSY / "19_no_presence.csv", "--presence", "presence"], "0 presences among 32 sites"),
        (["none.csv", "--presence", "presence"], "cannot be opened"),
        ([MESSY / "32_wide_species.csv", "--presence", "sp_never", "sp_always"], "no species can be scored"),
    ],
)
def test_a_refusal_is_one_line_and_leaves_nothing(tmp_path, words, says):
    run, files = report(tmp_path, *words)
    assert run.returncode == 1
    assert says in run.stderr
    assert len(run.stderr.splitlines()) == 1
    assert run.stderr.startswith(str(words[0]))
    assert not files


def test_a_folder_that_cannot_take_a_report_is_told_before_the_work(tmp_path):
    (tmp_path / "out").write_text("mine")
    run, _ = report(tmp_path, "no_such_file.csv", "--presence", "presence")
    assert run.returncode == 1
    assert run.stderr == f"{tmp_path / 'out'}: {tmp_path / 'out'} is a file, so that no report can be written into it\n"
    assert (tmp_path / "out").read_text() == "mine"


def test_a_report_that_cannot_be_written_leaves_no_half(tmp_path):
    (tmp_path / "out" / "report.json").mkdir(parents=True)
    run, files = report(tmp_path, CLEAN, "--presence", "presence", "--covariates", *NUMBERS)
    assert run.returncode == 1
    assert run.stderr.startswith(f"{tmp_path / 'out'}: the report cannot be written (")
    assert len(run.stderr.splitlines()) == 1
    assert not [name for name in files if name.endswith(".part")]


def test_warnings_are_told_on_the_terminal_too(tmp_path):
    run, _ = report(tmp_path, MESSY / "33_leaking_covariate.csv", "--presence", "presence")
    assert "warning: detected_flag equals the presence column at every site" in run.stderr


def test_help_tells_a_newcomer_what_to_type(capsys):
    with pytest.raises(SystemExit):
        main(["report", "--help"])
    text = capsys.readouterr().out
    assert "surveyauc report ponds.csv --presence newt --out ponds" in text


def test_one_bad_species_does_not_stop_the_others(tmp_path):
    species = ["sp_common", "sp_rare2", "sp_never", "sp_always", "sp_counts"]
    run, files = report(tmp_path, MESSY / "32_wide_species.csv", "--presence", *species)
    assert run.returncode == 0, run.stderr
    table = pd.read_csv(files["report.csv"]).set_index("species")
    assert list(table.index) == species
    assert table.at["sp_common", "lpo"] == pytest.approx(0.831818, abs=5e-7)
    assert table.at["sp_common", "loo"] == pytest.approx(0.786364, abs=5e-7)
    assert table.at["sp_rare2", "presences"] == 2
    assert np.isnan(table.at["sp_rare2", "lower"])
    assert "only 2 sites in the smaller class" in table.at["sp_rare2", "note"]
    for name, why in (("sp_never", "0 presences"), ("sp_always", "0 absences"), ("sp_counts", "counts?")):
        assert table.at[name, "note"].startswith("left out: ")
        assert why in table.at[name, "note"]
    page = files["report.html"].read_text().replace("<wbr>", "")
    assert all(name in page for name in species)


def in_two_files(folder, site="site", of_sites=lambda sites: sites):
    """The clean table as a table of species and one of sites, these in another order."""
    table = pd.read_csv(CLEAN).rename(columns={"site": site})
    table[[site, "presence", "canopy_pct"]].to_csv(folder / "species.csv", index=False)
    of_sites(table[[site, "elevation_m"]].sample(frac=1, random_state=3)).to_csv(folder / "sites.csv", index=False)
    return folder / "species.csv", {"covariate_file": folder / "sites.csv"}


def test_covariates_of_two_files_are_those_of_one(tmp_path):
    file, options = in_two_files(tmp_path)
    options |= {"covariates": NUMBERS, "compare_with": NUMBERS[1:]}
    two, one = (
        result_of(file, "presence", **options),
        result_of(CLEAN, "presence", **options | {"covariate_file": None}),
    )
    assert two["estimates"] == one["estimates"]
    assert two["comparison"] == one["comparison"]
    assert result_of(file, "presence", covariate_file=options["covariate_file"])["covariates"] == ["elevation_m"]


def test_the_column_that_matches_two_files_can_be_named(tmp_path):
    """By its name no column of sites, and in another place in each file."""
    file, options = in_two_files(tmp_path, "where", lambda sites: sites[["elevation_m", "where"]])
    found = result_of(file, "presence", covariates=NUMBERS, site="where", **options)
    assert found["estimates"] == result_of(CLEAN, "presence", covariates=NUMBERS)["estimates"]


@pytest.mark.parametrize(
    ("of_sites", "says"),
    [
        (lambda sites: sites[sites["site"] != "S05"], "site 'S05' (line 6) has no row in the table of covariates"),
        (lambda sites: pd.concat([sites, sites.tail(1)]), "has more than one row in the table of covariates"),
        (lambda sites: sites.assign(canopy_pct=1), "column 'canopy_pct' stands in both tables"),
        (lambda sites: sites[["elevation_m"]], "the rows of the two tables cannot be matched"),
    ],
)
def test_two_files_that_do_not_match_are_refused(tmp_path, of_sites, says):
    file, options = in_two_files(tmp_path, of_sites=of_sites)
    with pytest.raises(SurveyError, match=re.escape(says)):
        result_of(file, "presence", covariates=NUMBERS, **options)


def test_a_table_in_python_gives_what_the_file_gives():
    from_file = surveyauc.score(CLEAN, "presence")
    from_table = surveyauc.score(pd.read_csv(CLEAN), "presence")
    pd.testing.assert_frame_equal(from_file, from_table)
    assert from_file.attrs["n"] == 32
    assert from_file.attrs["report"] == from_table.attrs["report"]
    with_blanks = pd.read_csv(CLEAN).assign(presence=lambda t: t["presence"].where(t.index != 3))
    assert surveyauc.score(with_blanks, "presence").attrs["dropped_rows"] == ["S04"]


def test_a_model_of_scikit_learn_can_be_scored():
    rows = surveyauc.score(CLEAN, "presence", LogisticRegression(C=np.inf, tol=1e-9, max_iter=9999), covariates=NUMBERS)
    found = rows.set_index("code")
    assert found.at["lpo", "auc"] == pytest.approx(0.831818, abs=5e-7)
    assert found.at["loo", "auc"] == pytest.approx(0.786364, abs=5e-7)
    assert (
        found.at["tlpo", "note"]
        == "not available: no tournament is played with a model that is fitted one training set at a time"
    )


@pytest.mark.parametrize(
    ("model", "says"),
    [
        (LogisticRegression, "the model is a class; write LogisticRegression(), with brackets"),
        (LinearRegression(), "LinearRegression gives no scores"),
        (KNeighborsClassifier(40), "KNeighborsClassifier failed on 32 training sites, 10 of them presences"),
    ],
)
def test_a_model_that_cannot_be_used_is_told_in_one_line(model, says):
    with pytest.raises(SurveyError, match=re.escape(says)):
        surveyauc.score(CLEAN, "presence", model, covariates=NUMBERS)


def test_a_model_of_scikit_learn_with_two_presences():
    rows = surveyauc.score(MESSY / "22_two_presences.csv", "presence", GaussianNB(), covariates=NUMBERS)
    found = rows.set_index("code")
    assert found.loc[["loo", "lpo", "strat5"], "auc"].notna().all()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"model": "ridge", "penalty": -1.0}, "the penalty -1 is not a number above 0"),
        ({"covariates": [f"x{k}" for k in range(20)]}, "20 columns for 20 sites, and this model takes 16 at most"),
    ],
)
def test_a_model_that_does_not_fit_the_survey_is_refused(generator, options, says):
    table = pd.DataFrame(generator.standard_normal((20, 20)), columns=[f"x{k}" for k in range(20)])
    with pytest.raises(SurveyError, match=says):
        surveyauc.score(table.assign(presence=np.arange(20) % 2), "presence", **options)


def test_too_many_columns_and_separation_are_warned_of(generator):
    table = pd.DataFrame(generator.standard_normal((24, 8)), columns=[f"x{k}" for k in range(8)])
    table["presence"] = (np.arange(24) < 6).astype(int)
    warnings = " ".join(surveyauc.score(table, "presence").attrs["warnings"])
    assert "8 columns for 6 sites in the smaller class, fewer than two for each" in warnings
    both = pd.DataFrame({"x": generator.standard_normal(30), "z": generator.standard_normal(30)})
    both["presence"] = (both["x"] + both["z"] > 0.4).astype(int)
    together = "the covariates together separate presences from absences, or nearly"
    assert together in " ".join(surveyauc.score(both, "presence").attrs["warnings"])
    assert together not in " ".join(surveyauc.score(both, "presence", "ridge").attrs["warnings"])


def test_names_of_sites_may_be_the_index_of_a_table():
    table = pd.read_csv(MESSY / "27_repeated_sites.csv")
    plain, indexed = surveyauc.score(table, "presence"), surveyauc.score(table.set_index("site"), "presence")
    pd.testing.assert_frame_equal(plain, indexed)


def test_other_names_of_sites_change_nothing():
    table = pd.read_csv(CLEAN)
    other = table.assign(site=[f"{k * 7 % 32:02d}" for k in range(32)])
    pd.testing.assert_frame_equal(surveyauc.score(table, "presence"), surveyauc.score(other, "presence"))


def test_groups_are_named_where_they_are_held_out():
    rows = surveyauc.score(MESSY / "27_repeated_sites.csv", "presence", covariates=NUMBERS)
    assert "presence-absence pairs of different site (n = 35 in 32 groups held out whole, " in rows.attrs["methods"]


def test_every_interval_says_what_it_is_centred_on():
    rows = surveyauc.score(CLEAN, "presence").set_index("code")
    assert "biased" in rows.at["loo", "note"]
    assert "flatters" in rows.at["resub", "note"]
    assert rows.at["lpo", "note"].startswith(
        "test inversion by simulation; for the AUC of the fitted model on new sites"
    )
    few = surveyauc.score(MESSY / "22_two_presences.csv", "presence").set_index("code")
    assert few["lower"].isna().all()
    assert few.at["lpo", "note"].startswith("no interval: 2 sites in the smaller class")
    assert few.at["perfold", "note"] == "not available: 3 of 5 folds hold one class only"


def test_below_one_half_is_said_to_be_the_known_bias():
    rows = surveyauc.score(MESSY / "24_pure_noise.csv", "presence")
    assert "do not flip the scores" in " ".join(rows.attrs["warnings"])
    assert "does not mean an inverted model" in rows.attrs["ignore"]


def test_repeated_sites_get_no_interval_and_say_so():
    rows = surveyauc.score(MESSY / "27_repeated_sites.csv", "presence")
    assert rows["lower"].isna().all()
    assert "S03 3 times, S18 2 times" in " ".join(rows.attrs["warnings"])


@pytest.mark.parametrize("model", ["ml", "ridge", "firth"])
def test_the_expected_bias_is_that_of_the_article(generator, model):
    """On thirty sites without signal pooled leave-one-out is off by about a fifth, leave-pair-out is not."""
    design, labels = generator.standard_normal((30, 1)), (np.arange(30) < 9).astype(int)
    design[:9] += 0.01
    simulation = Simulation.of(design, labels, IndependentStream(1, "test", 0), fit=solver_of(model))
    rows = expected_bias(simulation, first_look(simulation))["estimators"]
    assert list(rows) == list(CODES)
    assert rows["loo"]["bias"] < -0.05 - 3 * rows["loo"]["mcse"]
    for code in ("lpo", "tlpo"):
        assert abs(rows[code]["bias"]) < 0.02 + 3 * rows[code]["mcse"]
    assert rows["loo"]["bias"] < rows["rloo"]["bias"] < 0
    assert rows["resub"]["bias"] > 3 * rows["resub"]["mcse"]


@pytest.mark.parametrize("model", ["ml", "ridge", "firth"])
def test_two_models_are_compared_on_the_same_pairs(model):
    rows = surveyauc.score(CLEAN, "presence", model, covariates=NUMBERS, compare_with=NUMBERS[:1])
    alone = surveyauc.score(CLEAN, "presence", model, covariates=NUMBERS[:1]).set_index("code")
    found, lpo = rows.attrs["comparison"], rows.set_index("code").at["lpo", "auc"]
    assert found["auc"] == alone.at["lpo", "auc"]
    assert found["difference"] == pytest.approx(lpo - found["auc"])
    assert found["lower"] < found["difference"] < found["upper"]
    assert f"With elevation_m instead it was {found['auc']:.3f} on the same pairs" in rows.attrs["methods"]


def test_a_model_is_not_compared_with_itself():
    with pytest.raises(SurveyError, match="the two models to compare have the same covariates"):
        surveyauc.score(CLEAN, "presence", covariates=NUMBERS, compare_with=NUMBERS[::-1])


def test_leave_pair_out_below_one_half_is_explained(generator):
    table = pd.DataFrame({"x": generator.standard_normal(40), "presence": (np.arange(40) % 4 == 0).astype(int)})
    for number in range(20):
        table["x"] = np.random.default_rng(number).standard_normal(40)
        rows = surveyauc.score(table, "presence")
        below = rows.set_index("code").at["lpo", "auc"] < 0.5
        assert below == ("on these sites the model found nothing" in " ".join(rows.attrs["warnings"]))
        if below:
            return
    raise AssertionError("no survey without signal read below one half")


def test_neither_of_two_models_is_favoured(generator):
    """The covariate that works against one that does not, named first and named second."""
    x = generator.standard_normal((60, 2))
    table = pd.DataFrame(x, columns=["works", "noise"])
    table["presence"] = (generator.random(60) < 1 / (1 + np.exp(1 - 2 * x[:, 0]))).astype(int)
    found = [
        surveyauc.score(table, "presence", covariates=one, compare_with=other).attrs["comparison"]
        for one, other in ((["works"], ["noise"]), (["noise"], ["works"]))
    ]
    assert found[0]["difference"] == pytest.approx(-found[1]["difference"], abs=1e-12)
    assert [found[0]["lower"], found[0]["upper"]] == pytest.approx([-found[1]["upper"], -found[1]["lower"]], abs=0.04)
    assert found[0]["lower"] > 0
    assert found[1]["upper"] < 0


def test_two_models_are_compared_on_the_sites_that_have_both(tmp_path):
    table = pd.read_csv(CLEAN)
    table.loc[table["site"] == "S03", "canopy_pct"] = np.nan
    rows = surveyauc.score(table, "presence", covariates=NUMBERS[:1], compare_with=NUMBERS[1:])
    assert rows.attrs["n"] == 31
    assert rows.attrs["dropped_rows"] == ["S03"]
    assert rows.attrs["comparison"]["covariates"] == ["canopy_pct"]
    with pytest.raises(SurveyError, match="no column 'depth'"):
        surveyauc.score(table, "presence", covariates=NUMBERS[:1], compare_with=["depth"])
    few = surveyauc.score(MESSY / "22_two_presences.csv", "presence", covariates=NUMBERS, compare_with=NUMBERS[:1])
    assert few.attrs["comparison"]["lower"] is None
    assert few.attrs["comparison"]["note"].startswith("no interval: 2 sites in the smaller class")


def test_a_fit_without_direction_has_no_interval():
    """Each class has the covariate's values equally often, so that every slope is 0."""
    table = pd.DataFrame({"presence": np.repeat([1, 0], 8), "depth": np.tile([1.5, 2.5], 8)})
    rows = surveyauc.score(table, "presence").set_index("code")
    assert rows.at["resub", "auc"] == 0.5
    assert rows["lower"].isna().loc["lpo"] or rows.at["lpo", "lower"] <= 0.5 <= rows.at["lpo", "upper"]


def test_a_separated_survey_has_finite_numbers_and_a_warning():
    survey = read_survey(MESSY / "23_perfect_separation.csv", "presence")
    result = assess(survey)
    assert "elevation_m alone separates presences from absences" in " ".join(result["warnings"])
    assert result["estimates"]["lpo"]["auc"] == 1.0
    assert result["estimates"]["lpo"]["lower"] < 0.95
    json.dumps(result, allow_nan=False)
    assert np.isfinite([site["full"] for site in result["tilt"]]).all()


def test_design_has_a_column_for_every_level_but_one():
    survey = read_survey(CLEAN, "presence")
    assert design_of(survey.covariates).shape == (32, 4)


def test_a_table_with_a_name_twice_is_refused():
    table = pd.read_csv(CLEAN)
    table.columns = ["site", "presence", "a", "a", "habitat"]
    with pytest.raises(SurveyError, match="column name 'a' occurs twice"):
        surveyauc.score(table, "presence")
