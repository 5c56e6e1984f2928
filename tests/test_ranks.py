"""The AUC against scikit-learn, hand values and what must not change it."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from surveyauc.ranks import auc, tied


def test_hand_values():
    assert auc([0.9, 0.6, 0.7, 0.6, 0.2], [1, 1, 0, 0, 0]) == 0.75
    assert auc(np.zeros(8), [1, 1, 1, 0, 0, 0, 0, 0]) == 0.5
    assert auc([1.0, 2.0, 3.0, 4.0], [0, 0, 1, 1]) == 1.0
    assert auc([1.0, 2.0, 3.0, 4.0], [1, 1, 0, 0]) == 0.0


def test_agrees_with_scikit_learn_ties_included(generator):
    for _ in range(50):
        labels = generator.permutation(np.repeat([0, 1], generator.integers(2, 20, 2)))
        scores = generator.integers(0, 8, labels.size) / 4.0
        assert auc(scores, labels) == pytest.approx(roc_auc_score(labels, scores), abs=1e-14)


def test_what_must_not_change_it(generator):
    scores, labels = generator.normal(size=25), np.arange(25) % 3 == 0
    value, order = auc(scores, labels), generator.permutation(25)
    assert auc(scores[order], labels[order]) == value
    assert auc(np.exp(scores) * 3 + 1, labels) == value
    assert auc(-scores, ~labels) == pytest.approx(value, abs=1e-15)
    assert auc(scores, ~labels) == pytest.approx(1 - value, abs=1e-15)


def test_rounding_noise_is_a_tie_and_a_difference_is_not():
    labels = [1, 0]
    assert auc([1000.0, 1000.0 + 5e-8], labels) == 0.5
    assert auc([1000.0, 1000.0 + 2e-7], labels) == 0.0
    assert auc([1e-3, 1e-3 + 5e-11], labels) == 0.5
    assert auc([1e-3, 1e-3 + 2e-10], labels) == 0.0
    assert tied(0.3, 0.1 + 0.2)
    assert not tied(1.0, 1.0 + 1e-9)


def test_several_surveys_at_once_and_some_sites_only(generator):
    scores, labels = generator.normal(size=(6, 20)), np.tile(np.arange(20) % 2, (6, 1))
    among = generator.random((6, 20)) < 0.6
    together = auc(scores, labels, among)
    for k in range(6):
        assert together[k] == pytest.approx(roc_auc_score(labels[k, among[k]], scores[k, among[k]]), abs=1e-14)


def test_one_class_has_no_auc_and_a_missing_score_no_rank():
    assert np.isnan(auc([1.0, 2.0], [1, 1]))
    assert np.isnan(auc([1.0, 2.0, 3.0], [1, 0, 1], among=np.array([True, False, True])))
    with pytest.raises(ValueError, match=r"0 \(absence\) or 1"):
        auc([1.0, 2.0, 3.0], [0, 1, 2])
    assert auc([1.0, 5.0, 2.0], [0, 0, 1], among=[1, 0, 1]) == 1.0
    for missing in (np.nan, np.inf):
        with pytest.raises(ValueError, match="finite"):
            auc([1.0, missing], [1, 0])
