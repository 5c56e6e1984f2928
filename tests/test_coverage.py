"""The study of coverage: its intervals on one survey against other libraries, its counting by hand, and the stored
sums, of which a part is made again."""

import random
import shutil

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
import yaml
from scipy.stats import t
from sklearn.metrics import roc_auc_score

from conftest import ROOT, copy_tree, snakemake
from sum_coverage import sums
from summarise_coverage import summary
from surveyauc.coverage import INTERVALS, Survey, intervals_of
from surveyauc.intervals import auc_ci, auc_delong, fold_means_interval, pairs_interval

SETTINGS = yaml.safe_load((ROOT / "config" / "coverage.yaml").read_text())
STORED = ROOT / SETTINGS["stored"]["table"]


@pytest.fixture
def survey(generator):
    covariates = generator.standard_normal((28, 2))
    labels = (covariates[:, 0] + generator.standard_normal(28) > 0.6).astype(int)
    folds = np.arange(28) % 4
    return Survey(covariates, labels, folds, 5, "cell", 3, 0.05, 200, 3, 40, 40, 30)


def refit(survey, left_out):
    """Linear predictors of all sites in the fit without some, by statsmodels."""
    keep = ~np.isin(np.arange(len(survey.labels)), left_out)
    design = sm.add_constant(survey.covariates)
    return design @ sm.GLM(survey.labels[keep], design[keep], sm.families.Binomial()).fit(tol=1e-10).params


def test_held_out_scores_are_those_of_statsmodels(survey):
    sites = range(28)
    np.testing.assert_allclose(survey.full_scores, refit(survey, []), atol=1e-6)
    np.testing.assert_allclose(survey.leave_one_out_scores, [refit(survey, [i])[i] for i in sites], atol=1e-6)
    by_fold = [refit(survey, np.flatnonzero(survey.folds == survey.folds[i]))[i] for i in sites]
    np.testing.assert_allclose(survey.fold_scores, by_fold, atol=1e-6)


def test_beats_are_those_of_statsmodels(survey):
    presences, absences = np.flatnonzero(survey.labels == 1), np.flatnonzero(survey.labels == 0)
    expected = np.empty((len(presences), len(absences)))
    for i, presence in enumerate(presences):
        for j, absence in enumerate(absences):
            predictor = refit(survey, [presence, absence])
            expected[i, j] = predictor[presence] > predictor[absence]
    np.testing.assert_array_equal(survey.pairs, expected)


def test_a_tied_pair_counts_one_half():
    covariates, labels = np.array([[0.0], [1.0], [1.0], [2.0], [0.5], [3.0]]), np.array([0, 1, 0, 1, 0, 0])
    survey = Survey(covariates, labels, np.zeros(6, int), 5, "cell", 0, 0.05, 200, 3, 40, 40, 30)
    assert survey.pairs[0, 1] == 0.5  # sites 1 and 2 have one covariate


def test_every_interval_is_what_its_name_says(survey):
    made = intervals_of(survey, INTERVALS)
    leave_one_out = np.array([refit(survey, [i])[i] for i in range(28)])
    delong = auc_ci(auc_delong(leave_one_out, survey.labels)).iloc[0]
    assert made["loo_delong"][:2] == pytest.approx((delong["lower_bound"], delong["upper_bound"]), abs=1e-12)
    pairs = pairs_interval(survey.pairs, scale="logit", quantile="t")
    assert made["lpo_logit_t"][:2] == pytest.approx((pairs["lower_bound"], pairs["upper_bound"]), abs=1e-12)
    within = [roc_auc_score(survey.labels[survey.folds == f], survey.fold_scores[survey.folds == f]) for f in range(4)]
    expected = t.interval(0.95, 3, np.mean(within), np.std(within, ddof=1) / 2)
    assert made["perfold_t"][:2] == pytest.approx(np.clip(expected, 0, 1), abs=1e-12)
    n1 = survey.labels.sum()
    refits = {code: result[2] for code, result in made.items()}
    assert refits["resub_boot"] == 1
    assert refits["loo_boot"] == 28
    assert refits["perfold_ledell"] == 4
    assert refits["lpo_t"] == n1 * (28 - n1)
    assert refits["parametric"] == 41
    assert refits["resub_inversion"] == 1 + 9 * 10 + 3 * 40
    assert refits["lpo_inversion"] == 31 + (9 * 10 + 3 * 40) * 31  # the full fit and 30 pairs
    for lower, upper, _ in made.values():
        assert 0 <= lower < upper <= 1


def test_folds_that_do_not_vary_give_no_interval():
    scores, labels, folds = np.arange(8.0), np.array([0, 1] * 4), np.arange(8) // 2
    result = fold_means_interval(scores, labels, folds)
    assert result["auc"] == 1.0
    assert np.isnan(result["lower_bound"])
    assert result["note"] == "the folds do not vary, so no interval"


def test_intervals_do_not_depend_on_each_other_or_the_order(survey):
    every = intervals_of(survey, INTERVALS)
    for code in ("resub_boot", "resub_inversion", "parametric"):
        again = Survey(**{name: getattr(survey, name) for name in survey.__dataclass_fields__})
        assert intervals_of(again, [code])[code] == every[code]


def hand_made():
    """Three surveys, one interval that covers, one that does not, one that does not exist."""
    table = pd.DataFrame({"truth": [0.7, 0.7, 0.5], "lpo": [0.65, 0.2, 0.5]})
    for code, made in (("lpo_t", [1, 1, 1]), ("resub_inversion", [1, 1, np.nan])):
        table[f"{code}_lower"] = [0.6, 0.1, np.nan]
        table[f"{code}_upper"] = [0.8, 0.5, np.nan]
        table[f"{code}_refits"] = np.array(made) * [10, 20, 30]
    return table


def test_counts_by_hand():
    counts = sums(hand_made())
    assert counts["surveys"] == 3
    assert [counts[f"lpo_t_{part}"] for part in ("made", "given", "covered", "width", "refits")] == [
        3,
        2,
        1,
        "0.6000",
        60,
    ]
    assert counts["resub_inversion_made"] == 2
    assert counts["holds_lpo"] == 2


def test_summary_by_hand():
    both = pd.DataFrame([{"chunk": 0} | sums(hand_made()), {"chunk": 1} | sums(hand_made().iloc[:1])])
    both["lpo_t_width"] = both["lpo_t_width"].astype(float)
    row = summary(both, "lpo_t")
    assert row["made"] == 4
    assert row["none"] == pytest.approx(1 / 4)
    assert row["coverage"] == pytest.approx(2 / 4)
    assert row["mcse"] == pytest.approx(1 / 4)
    assert row["width"] == pytest.approx(0.8 / 3)
    assert row["width_mcse"] == pytest.approx(0.05)  # of the chunks' means 0.3 and 0.2
    assert row["refits"] == pytest.approx(70 / 4)


def test_chunks_change_no_interval(tmp_path):
    folder = copy_tree(tmp_path / "project")
    path = folder / "config" / "coverage.yaml"
    text = path.read_text()
    text = text[: text.index("stored:")].replace("draws: 400", "draws: 40").replace("draws: 120", "draws: 40")
    target = "results/coverage/chunks/small_null/{}.csv"
    made = []
    for chunk, count in ((6, 1), (4, 2)):
        path.write_text(text.replace("chunk: 200", f"chunk: {chunk}"))
        words = ["--config", "surveys_at_most=6", "--", *(target.format(k) for k in range(count))]
        snakemake(folder, "--cores", "2", "--forceall", *words)
        made.append(pd.concat([pd.read_csv(folder / target.format(k)) for k in range(count)], ignore_index=True))
        shutil.rmtree(folder / "results" / "coverage")
    pd.testing.assert_frame_equal(*made)
    assert list(made[0]["survey"]) == list(range(6))
    assert list(made[0]["resub_inversion_lower"].notna()) == [True, False] * 3


def test_the_stored_sums_are_of_all_surveys():
    stored = pd.read_csv(STORED)
    cells = pd.read_csv(ROOT / SETTINGS["cells"]).set_index("name")
    assert stored.groupby("cell")["surveys"].sum().to_dict() == cells["surveys"].to_dict()
    for code, interval in INTERVALS.items():
        made = stored.groupby("cell")[f"{code}_made"].sum()
        one_in = {"all": 1, "some": SETTINGS["inversion"]["one_in"], "few": SETTINGS["pair_inversion"]["one_in"]}
        small = cells["sites"] <= SETTINGS["pair_inversion"]["sites_up_to"]
        expected = cells["surveys"] // one_in[interval.surveys] * (small | (interval.surveys != "few"))
        assert made.to_dict() == expected.to_dict(), code


def test_a_chunk_of_the_stored_sums_is_made_again_exactly(tmp_path):
    """About a hundredth of them, another one every time, of the cells with 30 sites."""
    stored = pd.read_csv(STORED, dtype=str)
    cells = pd.read_csv(ROOT / SETTINGS["cells"]).set_index("name")
    cell = random.SystemRandom().choice([name for name in cells.index if cells.at[name, "sites"] == 30])
    chunk = random.SystemRandom().choice(sorted(set(stored["chunk"])))
    folder = copy_tree(tmp_path / "project")
    target = f"results/coverage/chunks/{cell}/{chunk}.csv"
    snakemake(folder, "--cores", "1", "--", target)
    table = pd.read_csv(folder / target)
    rows = stored[(stored["cell"] == cell) & (stored["chunk"] == chunk)]
    least = [*map(int, rows["smaller"]), np.inf]
    for (_, row), low, high in zip(rows.iterrows(), least[:-1], least[1:], strict=True):
        counted = sums(table[(table["smaller"] >= low) & (table["smaller"] < high)])
        assert {name: str(value) for name, value in counted.items()} == row[list(counted)].to_dict(), (cell, chunk)
