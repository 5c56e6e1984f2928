"""Data sets with nothing to find: against scikit-learn, statsmodels, hand computations and the values of the source."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy.stats import ttest_1samp
from sklearn.decomposition import PCA
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.metrics import r2_score, roc_auc_score
from sklearn.model_selection import KFold, LeaveOneOut, StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import check_published
import packaged
import regress_no_signal
import summarise_no_signal
from cross_validate_no_signal import data_sets
from surveyauc.no_signal import (
    draw_classes,
    fit_linear,
    held_out_predictions,
    leave_one_out_masks,
    logistic_scores,
    masks_of,
    r_squared,
    training_masks,
    training_means,
)
from surveyauc.ranks import auc
from surveyauc.splitters import RebalancedLeaveOneOutRegression
from validation import load_config


def test_labels_are_permuted_and_then_noise_is_drawn():
    covariates, labels = draw_classes(np.random.RandomState(0), 250, 0.7, 20)
    again = np.random.RandomState(0)
    assert list(labels) == list(again.permutation([1] * 175 + [0] * 75))
    assert (covariates == again.rand(250, 20)).all()


def test_blocks_and_stratified_folds_are_those_of_scikit_learn():
    labels = np.array([1] * 12 + [0] * 18)
    keep, holder = masks_of("blocks", 5, labels, None)
    for k, (training, held_out) in enumerate(KFold(6).split(labels)):
        assert list(np.flatnonzero(keep[k])) == list(training)
        assert list(np.flatnonzero(holder == k)) == list(held_out)
    keep, holder = masks_of("stratified", 5, labels, np.random.RandomState(3))
    folds = StratifiedKFold(6, shuffle=True, random_state=np.random.RandomState(3))
    for k, (training, held_out) in enumerate(folds.split(labels, labels)):
        assert list(np.flatnonzero(keep[k])) == list(training)
        assert list(np.flatnonzero(holder == k)) == list(held_out)
    plain = masks_of("stratified", 1, labels, np.random.RandomState(3))
    assert (plain[0] == ~np.eye(30, dtype=bool)).all()
    with pytest.raises(ValueError, match="no scheme 'folds'; there are: blocks, stratified, rebalanced"):
        masks_of("folds", 5, labels, None)


def test_stratified_folds_draw_from_the_generator_at_hand():
    labels = np.arange(40) % 2
    first, again, other = (masks_of("stratified", 5, labels, np.random.default_rng(s))[1] for s in (1, 1, 2))
    assert (first == again).all()
    assert (first != other).any()


def test_rebalanced_training_sets_have_the_same_count_of_each_class():
    labels = np.random.default_rng(1).permutation([1] * 9 + [0] * 21)
    keep, holder = masks_of("rebalanced", 1, labels, np.random.default_rng(2))
    assert set(keep @ labels) == {8}
    assert set(keep @ (1 - labels)) == {20}
    assert list(holder) == list(range(30))
    assert not keep[holder, np.arange(30)].any()


def test_splits_that_are_no_partition_are_refused():
    for splits in ([([1, 2], [0])], [([2], [0, 1]), ([0], [1, 2])]):
        with pytest.raises(ValueError, match="do not hold out every row once"):
            training_masks(splits, 3)


def test_the_training_mean_orders_all_rows_and_rebalanced_none():
    labels = np.random.default_rng(1).permutation([1] * 50 + [0] * 50)
    masks = leave_one_out_masks(labels, np.random.default_rng(2))
    assert auc(-training_means(labels, *masks["leave_one_out"]), labels) == 1.0
    assert auc(-training_means(labels, *masks["rebalanced"]), labels) == 0.5
    # By hand: the others of 1, 2 and 6 have the means 4, 3.5 and 1.5.
    means = training_means([1.0, 2.0, 6.0], *masks_of("blocks", 1, [1, 2, 6], None))
    assert list(means) == [4.0, 3.5, 1.5]


@pytest.mark.parametrize("strength", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize("standardise", [False, True])
def test_logistic_scores_are_those_of_scikit_learn(strength, standardise):
    covariates, labels = draw_classes(np.random.default_rng(5), 60, 0.4, 4)
    scores = logistic_scores(covariates, labels, *masks_of("blocks", 1, labels, None), strength, standardise)
    model = LogisticRegression(C=strength, tol=1e-10, solver="newton-cholesky", max_iter=1000)
    model = make_pipeline(StandardScaler(), model) if standardise else model
    theirs = cross_val_predict(model, covariates, labels, cv=LeaveOneOut(), method="decision_function")
    np.testing.assert_allclose(scores, theirs, rtol=0, atol=1e-6)


def test_the_p_value_of_figure_3c_hangs_on_the_tolerance_of_the_source():
    """The first of its data sets: our AUC is that of scikit-learn with a small tolerance, and not with its default."""
    study = load_config("config/config.yaml", {}, []).rebalanced["no_signal"]
    _, (covariates, labels, keep, holder) = next(data_sets("rebalanced", study["experiments"]["rebalanced"], study))
    ours = auc(logistic_scores(covariates, labels, keep, holder, 0.01), labels)
    theirs = {}
    for tolerance in (1e-4, 1e-9):
        model = LogisticRegression(C=0.01, tol=tolerance, max_iter=1000)
        fits = (model.fit(covariates[k], labels[k]).decision_function(covariates) for k in keep)
        theirs[tolerance] = roc_auc_score(labels, np.array(list(fits))[holder, np.arange(250)])
    assert ours == pytest.approx(theirs[1e-9], abs=1e-12)
    assert 1e-4 < abs(ours - theirs[1e-4]) < 0.01


def test_linear_fits_are_those_of_statsmodels_and_scikit_learn():
    generator = np.random.default_rng(7)
    covariates = generator.normal(size=(25, 3)) * [1, 100, 0.01] + [5, -1000, 0]
    response = covariates @ [1.0, 0.02, 30] + generator.normal(size=25)
    keep = generator.random((6, 25)) < 0.8
    ols, ridge = fit_linear(covariates, response, keep), fit_linear(covariates, response, keep, penalty=3.0)
    for k, of in enumerate(keep):
        theirs = sm.OLS(response[of], sm.add_constant(covariates[of])).fit().params
        np.testing.assert_allclose(ols[k], theirs, rtol=1e-9)
        model = make_pipeline(StandardScaler(), Ridge(alpha=3.0)).fit(covariates[of], response[of])
        ours = ridge[k, 0] + covariates @ ridge[k, 1:]
        np.testing.assert_allclose(ours, model.predict(covariates), rtol=0, atol=1e-9)


def test_a_column_that_is_constant_in_a_training_set_has_slope_zero():
    covariates = np.column_stack([np.arange(8.0), [3, 3, 3, 3, 3, 3, 3, 9.0]])
    response = np.arange(8.0) * 2 + 1
    keep = np.ones((1, 8), bool)
    keep[0, 7] = False
    assert fit_linear(covariates, response, keep)[0] == pytest.approx([1.0, 2.0, 0.0])
    twice = np.column_stack([np.arange(8.0)] * 2)
    assert fit_linear(twice, response, keep)[0] == pytest.approx([1.0, 1.0, 1.0])
    theirs = make_pipeline(StandardScaler(), LinearRegression()).fit(twice[keep[0]], response[keep[0]])
    ours = fit_linear(twice, response, keep)[0]
    np.testing.assert_allclose(ours[0] + twice @ ours[1:], theirs.predict(twice), atol=1e-10)


def test_r_squared_of_pooled_predictions():
    generator = np.random.default_rng(8)
    covariates, response = generator.normal(size=(30, 2)), generator.normal(size=30)
    keep, holder = masks_of("blocks", 1, response, None)
    predicted = held_out_predictions(covariates, fit_linear(covariates, response, keep), holder)
    theirs = cross_val_predict(LinearRegression(), covariates, response, cv=LeaveOneOut())
    assert r_squared(response, predicted) == pytest.approx(r2_score(response, theirs), abs=1e-10)
    assert r_squared([1.0, 2.0, 3.0], [2.0, 2.0, 2.0]) == 0.0
    # The mean of the others is off by n / (n - 1) of the distance from the mean, whatever the responses.
    means = training_means(response, keep, holder)
    assert r_squared(response, means) == pytest.approx(1 - (30 / 29) ** 2)


def test_the_published_regressions_to_all_digits():
    response = np.random.RandomState(42).normal(size=100)
    means = {name: training_means(response, *masks) for name, masks in leave_one_out_masks(response).items()}
    assert r_squared(response, means["leave_one_out"]) == pytest.approx(-0.020304050607080626, rel=1e-12)
    assert r_squared(response, means["rebalanced"]) == pytest.approx(-0.001368002147950298, rel=1e-12)


def test_every_number_of_the_source_but_one_is_reproduced(published):
    check = pd.read_csv(published / "results" / "tables" / "published_check.csv", dtype={"printed": str}).query(
        "source == 'bias'"
    )
    check = check.set_index("key")
    assert list(check.index[~check["equal"]]) == ["3C/p"]
    assert check.loc["3C/p", "value"] == pytest.approx(0.83473, abs=5e-6)
    assert check.loc["3C/p", "note"].startswith("exact refits give the value shown")
    assert check.drop("3C/p")["note"].isna().all()
    exact = {"6C/p_leave_one_out": 7.145044056306399e-08, "6C/p_rebalanced": 0.0017007616297825}
    for key, value in (exact | {"6C/p_paired": 5.960464477539063e-08}).items():
        assert check.loc[key, "value"] == pytest.approx(value, rel=1e-9)
    numbers = pd.read_csv(published / "results" / "tables" / "distributional_bias.csv")
    numbers = numbers.set_index(["figure", "quantity"])["value"]
    assert numbers["3C", "mean"] == pytest.approx(0.5013, abs=5e-5)
    assert numbers["2B", "mean_tested"] == pytest.approx(0.4948, abs=5e-5)
    assert numbers["2B", "mean_others"] == pytest.approx(0.317, abs=5e-4)


def test_only_the_exact_value_is_explained_by_the_tolerance_of_the_source():
    check = pd.DataFrame({"key": "3C/p", "value": [0.83473, 0.8360, 0.2, np.nan], "equal": False, "note": ""})
    check_published.explain_by_tolerance(check)
    assert list(check["note"] != "") == [True, False, False, False]


def test_the_truth_of_a_regression_on_noise_is_what_new_rows_say(tmp_path, monkeypatch):
    words = ["--mean-rows", "20", "--mean-seed", "1", "--rows", "30", "--covariates", "3", "--data-sets", "2"]
    words += ["--mean-table", str(tmp_path / "means.csv"), "--regression-table", str(tmp_path / "regression.csv")]
    monkeypatch.setattr("sys.argv", ["regress_no_signal.py", *words])
    regress_no_signal.main()
    table = pd.read_csv(tmp_path / "regression.csv")
    random, new = np.random.RandomState(1), np.random.default_rng(2)
    covariates, response = random.normal(size=(30, 3)), random.normal(size=30)
    fitted = LinearRegression().fit(covariates, response)
    x, y = new.normal(size=(1_000_000, 3)), new.normal(size=1_000_000)
    assert table.at[1, "truth"] == pytest.approx(r2_score(y, fitted.predict(x)), abs=0.005)
    theirs = cross_val_predict(LinearRegression(), covariates, response, cv=LeaveOneOut())
    assert table.at[1, "leave_one_out"] == pytest.approx(r2_score(response, theirs), abs=1e-10)


def test_numbers_of_an_experiment():
    generator = np.random.default_rng(3)
    rows = [(s, b, generator.normal(0.5, 0.1)) for s in (0.1, 1.0) for b in (0.2, 0.4, 0.6) for _ in range(4)]
    table = pd.DataFrame(rows, columns=["strength", "balance", "auc"]).assign(left_out=1)
    found = summarise_no_signal.of_experiment(table, [0.2, 0.4])
    inside = table["balance"] < 0.5
    assert found["data_sets"] == 24
    assert found["mcse"] == pytest.approx(table["auc"].std() / np.sqrt(24))
    assert found["p"] == pytest.approx(ttest_1samp(table["auc"], 0.5).pvalue)
    assert found["p_tested"] == pytest.approx(ttest_1samp(table["auc"][inside], 0.5).pvalue)
    assert found["mean_others"] == pytest.approx(table["auc"][~inside].mean())
    means = table.groupby(["strength", "balance"])["auc"].mean()
    assert found["lowest_mean"] == means.min()
    # Fisher: minus twice the sum of logarithms is chi-square with four degrees of freedom; its tail has a closed form.
    p = [ttest_1samp(means[s], 0.5).pvalue for s in (0.1, 1.0)]
    half = -np.log(p).sum()
    assert found["p_fisher"] == pytest.approx(np.exp(-half) * (1 + half))


@pytest.mark.parametrize("engine", ["replay", "independent"])
def test_a_data_set_of_an_independent_experiment_does_not_depend_on_the_others(engine):
    study = {"balances": 4}
    experiment = {"seed": 3, "engine": engine, "scheme": "rebalanced", "left_out": [1], "rows": 20, "covariates": 2}
    both = list(data_sets("some", experiment | {"strengths": [0.1, 1.0], "repeats": 2}, study))
    fewer = list(data_sets("some", experiment | {"strengths": [0.1], "repeats": 2}, study))
    assert [setting[1:] for setting, _ in both[:6]] == [(0.1, b, r) for b in (0.25, 0.5, 0.75) for r in (0, 1)]
    for (_, first), (_, second) in zip(both, fewer, strict=False):
        assert all((a == b).all() for a, b in zip(first, second, strict=True))
    elsewhere = next(data_sets("other", experiment | {"strengths": [0.1], "repeats": 2}, study))[1]
    assert (elsewhere[0] == fewer[0][1][0]).all() == (engine == "replay")


def test_rebalanced_regression_masks_are_the_splits():
    response = np.random.default_rng(4).normal(size=15)
    keep, _ = leave_one_out_masks(response)["rebalanced"]
    for k, (training, _) in enumerate(RebalancedLeaveOneOutRegression().split(response, response)):
        assert list(np.flatnonzero(keep[k])) == list(training)


def test_tables_of_packages():
    covariates, response = packaged.load(
        {"package": "statsmodels", "name": "fair", "response": "affairs", "presence_if": "> 0"}
    )
    assert covariates.shape == (6366, 8)
    assert response.sum() == 2053  # of the women asked, as the data set is described
    covariates, response = packaged.load({"package": "sklearn", "name": "linnerud", "response": "Weight"})
    assert covariates.shape == (20, 5)
    assert (response[0], response[-1]) == (191, 138)
    drawn, labels = packaged.subsample(np.random.default_rng(1), covariates, (response > 200).astype(int), 8, 2)
    assert drawn.shape == (8, 5)
    assert 2 <= labels.sum() <= 6


def test_a_table_that_cannot_be_used_ends_in_one_line():
    spector = {"package": "statsmodels", "name": "spector", "response": "GRADE"}
    with pytest.raises(
        SystemExit, match=r"^table spector of statsmodels: no column 'PS'; there are: GPA, TUCE, PSI, GRA"
    ):
        packaged.load(spector | {"covariates": ["PS"]})
    with pytest.raises(SystemExit, match=r"^table fertility of statsmodels: a column that holds no numbers"):
        packaged.load(spector | {"name": "fertility", "response": "1960"})
    one = np.array([1] + [0] * 30)
    with pytest.raises(SystemExit, match="of 31 rows 1 are presences: subsamples of 20 hardly ever hold 3 of each"):
        packaged.subsample(np.random.default_rng(1), one[:, None], one, 20, 3)


def test_principal_components_are_those_of_scikit_learn():
    covariates = np.random.default_rng(2).normal(size=(30, 4)) @ np.diag([1, 5, 2, 0]) + 3
    ours = packaged.principal_components(covariates)
    theirs = PCA(2).fit_transform(StandardScaler().fit_transform(covariates))
    np.testing.assert_allclose(np.abs(ours), np.abs(theirs), atol=1e-10)
