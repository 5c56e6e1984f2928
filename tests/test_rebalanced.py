"""The study of rebalancing: its estimator, its summaries, its choice of a penalty, and a trial run of all of it."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import check_claims
import score_penalties
import summarise_rebalanced
import tune_penalty
from conftest import copy_tree, snakemake
from surveyauc.estimators import score_surveys
from surveyauc.holdout import companions, every_pair
from surveyauc.logistic import fit_masked
from surveyauc.streams import IndependentStream
from surveyauc.surveys import GeneratingModel
from surveyauc.truth import ExactTruth

SMOKE = ("--cores", "2", "--configfile", "config/smoke.yaml")


def draw(number=0, sites=24):
    model = GeneratingModel.with_prevalence(1.1, 0.4, 1)
    return model.draw_survey(IndependentStream(11, "rebalanced", number), sites, 5)


def test_companions_are_of_the_other_class_and_each_as_often_as_another():
    labels = np.array([1, 0, 0, 1, 0, 0, 0])
    drawn = np.array([companions(IndependentStream(5, "c", k), labels) for k in range(2000)])
    assert (labels[drawn] != labels).all()
    for site, value in enumerate(labels):
        others = np.flatnonzero(labels != value)
        shares = [(drawn[:, site] == other).mean() for other in others]
        assert shares == pytest.approx([1 / len(others)] * len(others), abs=4 * np.sqrt(0.25 / 2000))
    assert np.corrcoef(drawn[:, 1] == 0, drawn[:, 2] == 0)[0, 1] == pytest.approx(0, abs=4 / np.sqrt(2000))


def test_one_draw_of_rebalanced_leave_one_out_is_the_loop():
    covariates, labels = draw()
    of = companions(IndependentStream(1, "loop", 0), labels)
    scores = []
    for site, companion in enumerate(of):
        keep = np.ones((1, len(labels)), bool)
        keep[0, [site, companion]] = False
        b = fit_masked(covariates, labels, keep).coefficients[0]
        scores.append(b[0] + covariates[site] @ b[1:])
    found = score_surveys(covariates[None], labels[None], {"companions": of[None]}, ["rloo_once"])
    assert found["rloo_once"][0] == pytest.approx(roc_auc_score(labels, scores))
    assert found["refits"][0] == 1 + len(labels)


def test_all_draws_average_to_the_estimator_over_all_pairs():
    covariates, labels = draw(3)
    drawn = {"companions": np.array([companions(IndependentStream(2, "all", k), labels) for k in range(300)])}
    many = score_surveys(
        np.repeat(covariates[None], 300, axis=0), np.repeat(labels[None], 300, axis=0), drawn, ["rloo_once"]
    )["rloo_once"]
    over_pairs = score_surveys(covariates[None], labels[None], {"pairs": every_pair(labels)[None]}, ["rloo"])["rloo"][0]
    assert many.mean() == pytest.approx(over_pairs, abs=4 * many.std() / np.sqrt(300))


def test_swapping_the_classes_and_turning_the_scores_changes_nothing():
    covariates, labels = draw(4)
    of = companions(IndependentStream(1, "swap", 0), labels)
    one, other = (
        score_surveys(covariates[None], y[None], {"companions": of[None]}, ["rloo_once"])["rloo_once"][0]
        for y in (labels, 1 - labels)
    )
    assert one == pytest.approx(other, abs=1e-12)


def test_a_summary_has_the_cost_and_the_squared_error_beside_pairs(tmp_path, monkeypatch):
    truth, loo, lpo = np.array([0.8, 0.7, 0.9]), np.array([0.6, 0.7, 0.8]), np.array([0.8, 0.8, 0.8])
    scores = pd.DataFrame(
        {"truth": truth, "loo": loo, "strat5": loo, "lpo": lpo, "n1": [2, 10, 12], "n0": [28, 20, 18]}
    )
    scores.to_csv(tmp_path / "cell.csv", index=False)
    (tmp_path / "penalised").mkdir()
    shrunk = scores.assign(loo=scores["loo"] - [0.1, 0.2, 0.3])
    pd.concat([scores.assign(penalty=0.0), shrunk.assign(penalty=10.0)]).to_csv(
        tmp_path / "penalised" / "cell.csv", index=False
    )
    words = ["--scores", str(tmp_path / "cell.csv"), "--penalised", str(tmp_path / "penalised" / "cell.csv")]
    words += ["--sites", "cell=30", "--folds", "5", "--pairs-at-most", "150", "--output", str(tmp_path / "bias.csv")]
    monkeypatch.setattr("sys.argv", ["summarise_rebalanced.py", *words])
    summarise_rebalanced.main()
    table = pd.read_csv(tmp_path / "bias.csv", dtype={"penalty": str}, keep_default_na=False, na_values="")
    assert sorted(set(table["penalty"])) == ["0", "10", "none"]
    loo = table[table["estimator"] == "loo"].set_index("penalty")
    assert loo.at["10", "change"] == pytest.approx(-0.2)
    assert loo.at["10", "change_mcse"] == pytest.approx(0.1 / np.sqrt(3))
    assert loo.at["0", "change"] == 0.0
    assert np.isnan(loo.at["none", "change"])
    table = table[table["penalty"] == "none"].set_index("estimator")
    assert table.at["loo", "above_lpo"] == pytest.approx((scores["loo"] - lpo).mean())
    assert table.at["loo", "bias"] == pytest.approx(-0.1)
    assert table.at["loo", "rmse"] == pytest.approx(np.sqrt((0.04 + 0 + 0.01) / 3))
    assert list(table.loc[["loo", "strat5", "lpo"], "refits"]) == [30, 5, (56 + 150 + 150) / 3]
    more = np.array([0.04 - 0, 0 - 0.01, 0.01 - 0.01])
    assert table.at["loo", "squared_error_over_lpo"] == pytest.approx(more.mean())
    assert table.at["loo", "squared_error_over_lpo_mcse"] == pytest.approx(more.std(ddof=1) / np.sqrt(3))


def test_penalties_are_scored_as_scikit_learn_would(tmp_path, monkeypatch):
    covariates, labels = draw(5)
    model = GeneratingModel.with_prevalence(1.1, 0.4, 1)
    np.savez(tmp_path / "s.npz", covariates=covariates[None], labels=labels[None], intercept=model.intercept, slope=1.1)
    words = ["--surveys", str(tmp_path / "s.npz"), "--estimators", "loo", "--penalties", "0", "5"]
    monkeypatch.setattr("sys.argv", ["score_penalties.py", *words, "--output", str(tmp_path / "scores.csv")])
    score_penalties.main()
    table = pd.read_csv(tmp_path / "scores.csv").set_index("penalty")
    for penalty in (0, 5):
        ridge = LogisticRegression(C=1 / penalty if penalty else np.inf, tol=1e-10, max_iter=1000)
        scores = []
        for site in range(len(labels)):
            keep = np.arange(len(labels)) != site
            fitted = make_pipeline(StandardScaler(), ridge).fit(covariates[keep], labels[keep])
            scores.append(fitted.decision_function(covariates[[site]])[0])
        assert table.at[penalty, "loo"] == pytest.approx(roc_auc_score(labels, scores))


def test_covariates_that_go_along_and_back():
    z = np.random.default_rng(1).normal(size=(200_000, 3))
    mixed = tune_penalty.mix(z, 0.6)
    correlations = np.corrcoef(mixed.T)
    assert correlations[0, 1:] == pytest.approx([0.6, 0.6], abs=0.01)
    assert mixed.std(axis=0) == pytest.approx([1, 1, 1], abs=0.01)
    coefficients = np.array([0.5, 1.0, -2.0, 0.3])
    before = tune_penalty.of_unmixed(coefficients, 0.6)
    np.testing.assert_allclose(z @ before[1:], mixed @ coefficients[1:], atol=1e-12)
    assert before[0] == 0.5
    # The exact truth of a score of mixed covariates, against the sites themselves.
    exact = ExactTruth.under(-1.0, 1.1).of(before)
    labels = np.random.default_rng(2).random(200_000) < 1 / (1 + np.exp(1.0 - 1.1 * z[:, 0]))
    assert exact == pytest.approx(roc_auc_score(labels, mixed @ coefficients[1:]), abs=0.006)


def test_of_equal_estimates_the_strongest_penalty_is_chosen():
    estimates = np.array([[0.7, 0.8, 0.8], [0.9, 0.8, 0.8], [0.5, 0.5, 0.5]])
    assert list(tune_penalty.best_place(estimates, [0.1, 1.0, 10.0])) == [2, 0, 2]
    assert list(tune_penalty.best_place(estimates, [0.1, 1.0, 10.0], weakest=True)) == [1, 0, 0]
    assert list(tune_penalty.best_place(estimates[:, ::-1], [10.0, 1.0, 0.1])) == [0, 2, 0]


@pytest.fixture(scope="module")
def trial(tmp_path_factory):
    """A trial run of the study, and the paper after it."""
    folder = copy_tree(tmp_path_factory.mktemp("rebalanced") / "project")
    snakemake(folder, *SMOKE, "--", "rebalanced")
    snakemake(folder, *SMOKE)
    return folder


def test_a_second_run_does_nothing(trial):
    assert "Nothing to be done" in snakemake(trial, *SMOKE, "--", "rebalanced", "all").stderr


def test_every_figure_row_of_the_source_has_its_data_file(trial):
    folder = trial / "results" / "rebalanced"
    numbers = pd.read_csv(folder / "no_signal.csv")
    assert set(numbers["figure"]) == {"1C", "2A", "2B", "2C", "3C", "5A", "5B", "6B", "6C", "ours"}
    for name in set(numbers["experiment"]) - {"mean_of_others", "regression"}:
        assert pd.read_csv(folder / "no_signal" / f"{name}.csv")["auc"].between(0, 1).all()
    scores = pd.read_csv(folder / "training_mean.csv")
    assert roc_auc_score(scores["label"], scores["leave_one_out"]) == 1.0
    assert roc_auc_score(scores["label"], scores["rebalanced"].round(9)) == 0.5
    first = pd.read_csv(folder / "no_signal" / "training_mean_blocks.csv").query("left_out == 1")
    assert (first["auc"] == 1.0).all()
    assert len(pd.read_csv(folder / "classification.csv")) == 7 * 3 * 2 * 6 * 2
    assert set(pd.read_csv(folder / "regression.csv")["scheme"]) == {"leave_one_out", "rebalanced"}


def test_its_chapter_is_in_the_paper_and_every_claim_is_listed(trial):
    text = (trial / "results" / "paper" / "paper.md").read_text()
    assert "# Pairs, folds and rebalanced training sets side by side {#rebalancing}" in text
    listed = set(pd.read_csv(trial / "results" / "tables" / "claims.csv")["claim"])
    ours = {name for name, (*_, study) in check_claims.CLAIMS.items() if study == "rebalanced"}
    assert len(ours) == 16
    assert ours <= listed
    for figure in ("training_mean", "blocks", "stratified", "strengths", "packaged", "shrinkage", "tuning"):
        assert (trial / "results" / "figures" / f"{figure}.svg").stat().st_size > 5000


def test_every_claim_of_the_study_can_be_true_and_false():
    def evaluated(holds):
        """All tables of the study as small ones in which every claim holds, or none does."""
        sign = 1 if holds else -1
        noise = [
            ("training_mean_blocks", "lowest_mean", 0.5 + 0.04 * sign),
            ("leave_one_out", "p", 1e-5 if holds else 0.1),
            ("strengths_leave_one_out", "p_of_means", 1e-5),
            ("strengths_rebalanced", "p_fisher", 0.3),
        ]
        for name in ("strengths_rebalanced", "rebalanced_five_covariates", "rebalanced_one_covariate"):
            noise += [(name, "mean", 0.5 - 0.03 * sign), (name, "mcse", 0.004)]
        cells = ["small_working", "small_balanced", "n60_working", "multi_n30", "multi_n60", "small_weak", "small_null"]
        rows = []
        for cell, penalty in [(cell, penalty) for cell in cells for penalty in ("none", "0", "100")]:
            weak = cell in ("small_weak", "small_null")
            values = {"loo": -0.1, "rloo_once": -0.02 if weak else -0.04, "rloo": -0.02 if weak else -0.04}
            values |= {"strat5": -0.05, "rand5": -0.05, "perfold": -0.05, "lpo": 0.0, "lpo_all": 0.0}
            if penalty == "100":
                values["loo"] = -0.5 if holds else -0.2
            if not holds:
                values |= {"lpo": 0.05, "rloo_once": 0.05, "rloo": 0.045}
            for code, bias in values.items():
                row = {"cell": cell, "penalty": penalty, "estimator": code, "bias": bias, "mcse": 0.005}
                row |= {"rmse": 0.1 - 0.01 * sign * (code == "lpo_all")}
                row |= {"above_lpo": bias - values["lpo"], "above_lpo_mcse": 0.001}
                more = (-1 if cell == "small_null" else 1) * sign * 0.01
                rows.append(row | {"squared_error_over_lpo": more, "squared_error_over_lpo_mcse": 0.002})
        losses, kinds = [], ("few_sites", "more_sites", "alike")
        for cell in kinds:
            for code, power in {"loo": 0.0, "rloo_once": 1.0 * sign, "lpo": 1.2 * sign}.items():
                row = {"cell": cell, "estimator": code, "mean_log10_strongest": power, "mean_log10_weakest": power}
                extra = 0.003 if holds and cell == "few_sites" and code == "loo" else 0.0005 if holds else 0.0015
                losses.append(row | {"loss": 0.02, "loss_over_lpo": extra, "loss_over_lpo_mcse": 0.0006})
        fixed = {
            cell: pd.DataFrame(
                {"cell": [cell] * 2, "estimator": "lpo", "penalty": [1, 10], "loss": [0.03, 0.02 - 0.01 * sign]}
            )
            for cell in kinds
        }
        aucs = [
            {"features": "all", "table": table, "strength": strength, "scheme": scheme, "auc": value}
            for table in ("a", "b", "c")
            for scheme, side in (("leave_one_out", -1), ("rebalanced", 1))
            for strength in (0.01, 1.0)
            for value in [0.8 + 0.01 * sign * side + 0.001 * sign * side * (strength == 0.01)]
        ]
        rebalanced = {
            "no_signal": pd.DataFrame(noise, columns=["experiment", "quantity", "value"]),
            "bias": pd.DataFrame(rows),
            "tuning_losses": pd.DataFrame(losses),
            "classification": pd.DataFrame(aucs),
        }
        at_hand = check_claims.Tables(*[None] * 11, {}, {}, rebalanced | fixed)
        ours = [name for name, (*_, study) in check_claims.CLAIMS.items() if study == "rebalanced"]
        return {name: check_claims.evaluated(name, at_hand)[0] for name in ours}

    assert {name for name, answer in evaluated(holds=True).items() if answer != "yes"} == set()
    assert {name for name, answer in evaluated(holds=False).items() if answer != "no"} == set()
