"""Rebalanced splits: what every training set must have, scikit-learn's use of them, and input that cannot be split."""

from collections import Counter
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GridSearchCV, KFold, LeaveOneOut, cross_val_predict, cross_validate

from surveyauc.splitters import (
    RebalancedKFold,
    RebalancedLeaveOneOut,
    RebalancedLeaveOneOutRegression,
    RebalancedLeavePOut,
)

LABELS = np.array(["newt", "none", "none", "newt", "none", "toad", "none", "toad", "newt", "none", "toad", "none"])
CLASSIFIERS = [
    RebalancedLeaveOneOut(random_state=1),
    RebalancedLeavePOut(2, random_state=1),
    RebalancedKFold(3, shuffle=True, random_state=3),
]


@pytest.fixture
def features(generator):
    return generator.standard_normal((12, 2))


@pytest.mark.parametrize("splitter", CLASSIFIERS, ids=repr)
@pytest.mark.parametrize(
    "labels", [LABELS, (LABELS == "newt").astype(int), LABELS == "none"], ids=["text", "01", "bool"]
)
def test_every_training_set_has_the_same_class_counts(splitter, labels, features):
    splits = list(splitter.split(features, labels))
    counts = {tuple(sorted(Counter(labels[train].tolist()).items())) for train, _ in splits}
    assert len(counts) == 1
    assert len(splits) == splitter.get_n_splits(features, labels)
    for train, held_out in splits:
        assert not set(train) & set(held_out)
        assert list(train) == sorted(set(train))


def test_leave_one_out_drops_one_of_every_other_class(features):
    for row, (train, held_out) in enumerate(RebalancedLeaveOneOut(4).split(features, LABELS)):
        assert held_out.tolist() == [row]
        dropped = sorted(set(range(12)) - set(train) - {row})
        assert sorted(LABELS[dropped]) == sorted({"newt", "none", "toad"} - {LABELS[row]})


def test_leave_p_out_holds_out_every_set_of_rows(features):
    held_out = [tuple(rows) for _, rows in RebalancedLeavePOut(2, 1).split(features, LABELS)]
    assert held_out == list(combinations(range(12), 2))
    train, _ = next(RebalancedLeavePOut(2, 1).split(features, LABELS))
    assert Counter(LABELS[train]) == {"newt": 1, "none": 4, "toad": 1}


def test_folds_are_those_of_scikit_learn_when_nothing_is_shuffled(features):
    ours = RebalancedKFold(4, random_state=2).split(features, LABELS)
    for (_, held_out), (_, expected) in zip(ours, KFold(4).split(features), strict=True):
        assert held_out.tolist() == expected.tolist()
    most = max(Counter(LABELS[rows])["none"] for _, rows in KFold(4).split(features))
    train, _ = next(RebalancedKFold(4, random_state=2).split(features, LABELS))
    assert Counter(LABELS[train])["none"] == 6 - most


def test_the_training_mean_comes_nearer_and_never_crosses(generator):
    for _ in range(20):
        y = np.round(generator.exponential(size=15), 1)
        mean, splits = y.mean(), list(RebalancedLeaveOneOutRegression().split(y, y))
        assert [rows.tolist() for _, rows in splits] == [[k] for k in range(15)]
        for row, (train, _) in enumerate(splits):
            others = np.setdiff1d(np.arange(15), row)
            before, after = y[others].mean() - mean, y[train].mean() - mean
            assert abs(after) <= abs(before) + 1e-12
            assert after * before >= -1e-9  # on the same side
            # No other single row to drop would do better without crossing.
            means = np.array([y[np.setdiff1d(others, drop)].mean() - mean for drop in others])
            allowed = means[means * before >= -1e-9]
            assert len(train) == 14 or abs(after) <= np.abs(allowed).min() + 1e-9


def test_the_regression_rule_by_hand():
    """The mean is 4. Without 8 the least of [0, 4] goes, without 1 the largest of [4, 7], without 2 that of [4, 6]; of
    [3, 4] there is none."""
    y = np.array([8.0, 1, 5, 2])
    splits = [train.tolist() for train, _ in RebalancedLeaveOneOutRegression().split(y, y)]
    assert splits == [[2, 3], [0, 3], [0, 1, 3], [0, 1]]


def test_a_seed_splits_alike_whatever_is_drawn_in_between(features):
    for splitter in CLASSIFIERS:
        once = [train.tolist() for train, _ in splitter.split(features, LABELS)]
        again = []
        for train, _ in splitter.split(features, LABELS):
            again.append(train.tolist())
            np.random.random(3)
        assert once == again
    first, second = np.random.default_rng(8), np.random.default_rng(8)
    plain = [train.tolist() for train, _ in RebalancedLeaveOneOut(first).split(features, LABELS)]
    disturbed = []
    for train, _ in RebalancedLeaveOneOut(second).split(features, LABELS):
        disturbed.append(train.tolist())
        second.random(5)
    assert plain == disturbed
    assert plain != [train.tolist() for train, _ in RebalancedLeaveOneOut(9).split(features, LABELS)]


def test_the_legacy_generator_draws_as_numpy_says(features):
    """The rows dropped are those of ``RandomState(0).choice`` among the others, in order of the rows."""
    y, draws = (LABELS == "newt").astype(int), np.random.RandomState(0)
    expected = [draws.choice(np.flatnonzero(y != label)) for label in y]
    splits = RebalancedLeaveOneOut(np.random.RandomState(0)).split(features, y)
    assert [(set(range(12)) - set(train) - set(held)).pop() for train, held in splits] == expected


def test_scikit_learn_takes_them_as_they_are(features):
    y = LABELS == "none"
    model = LogisticRegression()
    for cv in (RebalancedLeaveOneOut(1), RebalancedKFold(3, shuffle=True, random_state=1)):
        scores = cross_val_predict(model, features, y, cv=cv, method="decision_function")
        assert scores.shape == (12,)
        for train, held_out in cv.split(features, y):
            fit = LogisticRegression().fit(features[train], y[train])
            assert scores[held_out] == pytest.approx(fit.decision_function(features[held_out]), abs=1e-9)
    found = cross_validate(model, features, y, cv=RebalancedLeavePOut(2, 1), scoring="accuracy")
    assert len(found["test_score"]) == 66
    grid = GridSearchCV(model, {"C": [0.1, 1.0]}, cv=RebalancedKFold(3, True, 3)).fit(features, y)
    assert grid.best_params_["C"] in (0.1, 1.0)


@pytest.mark.parametrize(
    "kind", [np.asarray, pd.DataFrame, lambda x: x.tolist(), csr_matrix], ids=["array", "frame", "list", "sparse"]
)
def test_any_table_and_any_list_of_labels(features, kind):
    expected = [train.tolist() for train, _ in RebalancedLeaveOneOut(1).split(features, LABELS)]
    for labels in (LABELS, LABELS.tolist(), pd.Series(LABELS, index=range(100, 112)), pd.Categorical(LABELS)):
        splits = RebalancedLeaveOneOut(1).split(kind(features), labels)
        assert [train.tolist() for train, _ in splits] == expected


def test_a_score_that_follows_the_share_is_perfect_without_and_useless_with_rebalancing():
    """Minus the training mean, on fifty ones and fifty zeros: figure 1B and 3B of the source."""
    y, x = np.repeat([0, 1], 50), np.zeros((100, 1))
    plain = -cross_val_predict(DummyRegressor(), x, -y.astype(float), cv=LeaveOneOut())
    rebalanced = [-(-y[train]).mean() for train, _ in RebalancedLeaveOneOut(1).split(x, y)]
    assert roc_auc_score(y, -plain) == 1.0
    assert roc_auc_score(y, rebalanced) == 0.5


@pytest.mark.parametrize(
    ("splitter", "labels", "says"),
    [
        (RebalancedLeaveOneOut(), None, "need y, the labels"),
        (RebalancedLeaveOneOut(), ["a"] * 12, "one class only"),
        (RebalancedLeaveOneOut(), ["a"] * 11 + ["b"], "a class has 1 rows; leaving 1 out of each takes 2 at least"),
        (RebalancedLeaveOneOut(), ["a", "b"], "one label for each row"),
        (RebalancedLeavePOut(3), LABELS, "a class has 3 rows; leaving 3 out of each takes 4 at least"),
        (RebalancedKFold(2), ["a"] * 6 + ["b"] * 6, "a part holds all rows of a class"),
        (RebalancedKFold(13), LABELS, "n_splits is 13; it must be a whole number from 2 to the 12 rows"),
        (RebalancedLeaveOneOutRegression(), None, "need y"),
        (RebalancedLeaveOneOutRegression(), [np.nan] * 12, "finite numbers"),
    ],
)
def test_what_cannot_be_rebalanced_is_said(features, splitter, labels, says):
    with pytest.raises(ValueError, match=says):
        list(splitter.split(features, labels))


@pytest.mark.parametrize("scale", [1e-300, 1e-13, 1.0, 1e300])
@pytest.mark.parametrize("shift", [0.0, 1e6])
def test_the_regression_splits_do_not_depend_on_scale_or_place(scale, shift):
    y = np.random.default_rng(3).normal(size=40)
    splitter = RebalancedLeaveOneOutRegression()
    plain = [list(training) for training, _ in splitter.split(y, y)]
    assert [list(training) for training, _ in splitter.split(y, scale * (y + shift))] == plain


def test_the_regression_mean_never_crosses_and_never_runs_out_of_rows():
    generator = np.random.default_rng(4)
    for _ in range(300):
        y = generator.integers(-3, 4, size=generator.integers(3, 9)).astype(float)
        for training, held_out in RebalancedLeaveOneOutRegression().split(y, y):
            side = np.sign(y[held_out[0]] - y.mean())
            assert side * (y[training].mean() - y.mean()) <= 1e-12
    with pytest.raises(ValueError, match="three or more finite numbers"):
        list(RebalancedLeaveOneOutRegression().split([0, 0], [1.0, 2.0]))


@pytest.mark.parametrize("labels", [[1.0, np.nan, 0, 1, 0, 1], ["a", None, "b", "a", "b", "a"], [pd.NA, 1, 0, 1, 0, 1]])
def test_missing_labels_are_refused(labels):
    for of in (labels, pd.Series(labels), np.array(labels, dtype=object)):
        with pytest.raises(ValueError, match="y has missing labels"):
            list(RebalancedLeaveOneOut(1).split(np.zeros((6, 1)), of))


def test_counts_that_are_no_counts_are_refused():
    y = [0, 1] * 5
    for p in (0, -1, 2.0, "2"):
        with pytest.raises(ValueError, match=r"p is .*; it must be a whole number of 1 or more"):
            list(RebalancedLeavePOut(p).split(y, y))
    with pytest.raises(ValueError, match=r"n_splits is 2.5; it must be a whole number from 2 to the 10 rows"):
        list(RebalancedKFold(2.5).split(y, y))


def test_covariates_may_be_left_out():
    y = np.array([0, 1] * 5)
    without, with_zeros = (list(RebalancedLeaveOneOut(1).split(X, y)) for X in (None, np.zeros((10, 1))))
    assert all((a[0] == b[0]).all() for a, b in zip(without, with_zeros, strict=True))
    assert len(list(RebalancedLeaveOneOutRegression().split(None, y * 1.0))) == 10
    with pytest.raises(ValueError, match="neither X nor y"):
        RebalancedLeaveOneOut(1).get_n_splits()
