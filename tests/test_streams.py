"""The replay engine against numbers that R printed, step by step; the independent engine against its promise."""

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import ndtri

from conftest import expected
from surveyauc.holdout import pairs, random_folds, stratified_folds
from surveyauc.streams import IndependentStream, ReplayStream, normal_quantile, root
from surveyauc.surveys import GeneratingModel


def stream(seed=4127):
    return ReplayStream.from_seed(seed)


def test_each_kind_of_draw_is_what_r_draws():
    r = expected("rng_4127.csv")
    assert np.array_equal(stream().uniform(10), r["runif"])
    np.testing.assert_allclose(stream().normal(10), r["rnorm"], rtol=0, atol=4e-16)
    assert np.array_equal(stream().bernoulli(np.full(10, 0.3)), r["rbinom_1_0.3"])
    assert np.array_equal(stream().sample(10, 10) + 1, r["sample_10"])
    of_1000 = expected("rng_4127_sample_int.csv")["sample_int_1000_30"]
    assert np.array_equal(stream().sample(1000, 30) + 1, of_1000)


def test_common_bernoulli_fails_where_the_uniform_is_high():
    u = stream().uniform(50)
    assert np.array_equal(stream().bernoulli(np.full(50, 0.8)), u < 0.8)
    assert np.array_equal(stream().bernoulli(np.full(50, 0.2)), u >= 0.8)


def test_sampling_from_more_than_65535_takes_two_words():
    drawn, words = stream(), stream()
    first = drawn.sample(100_000, 1)[0]
    while True:
        high, low = (int(65536 * u) for u in words.uniform(2))
        value = (65536 * high + low) % 2**17
        if value < 100_000:
            break
    assert first == value
    assert drawn.uniform(1) == words.uniform(1)


def test_sampling_one_of_one_uses_one_uniform():
    drawn, skipped = stream(), stream()
    drawn.sample(1, 1)
    skipped.uniform(1)
    assert drawn.uniform(1) == skipped.uniform(1)


def test_intercepts_stop_where_uniroot_stops():
    for row in expected("find_a.csv").itertuples():
        model = GeneratingModel.with_prevalence(row.b, row.prev)
        assert model.intercept == pytest.approx(row.a, rel=1e-14, abs=1e-14)


def test_root_agrees_with_scipy_within_its_tolerance():
    for function in (np.cos, lambda x: x**3 - 2, lambda x: np.exp(x) - 3 + x):
        assert root(function, 0.0, 3.0, 1e-10) == pytest.approx(brentq(function, 0.0, 3.0), abs=1e-10)
    with pytest.raises(ValueError, match="same sign"):
        root(np.exp, 0.0, 1.0)


def test_normal_quantiles_in_all_three_ranges():
    p = np.concatenate([np.logspace(-17, -1, 200), np.linspace(0.1, 0.9, 99), 1 - np.logspace(-15, -1, 100)])
    np.testing.assert_allclose(normal_quantile(p), ndtri(p), rtol=3e-14, atol=1e-15)


def test_the_first_survey_draw_by_draw():
    s, sites = stream(), expected("first_survey_4127.csv")
    model = GeneratingModel.with_prevalence(1.1, 0.3)
    covariates, labels = model.draw_survey(s, 30, 3)
    np.testing.assert_allclose(covariates[:, 0], sites["x"], rtol=0, atol=4e-16)
    assert np.array_equal(labels, sites["y"])
    fresh_covariates, fresh_labels = model.draw_sites(s, 4000)
    check = expected("first_survey_4127_check.csv").iloc[0]
    assert fresh_labels.sum() == check["n_new_pres"]
    assert fresh_covariates[[0, -1], 0] == pytest.approx([check["Zn_1"], check["Zn_4000"]], abs=1e-15)
    assert np.array_equal(random_folds(s, labels, folds=5) + 1, sites["f_rand"])
    assert np.array_equal(stratified_folds(s, labels, folds=5) + 1, sites["f_str"])
    held_out = expected("first_survey_4127_pairs.csv")
    assert np.array_equal(pairs(s, labels, pairs_at_most=150) + 1, held_out[["pres", "abs"]])
    assert s.uniform(1)[0] == check["next_runif"]


def test_no_more_can_be_sampled_than_there_are():
    with pytest.raises(ValueError, match="5 of 3"):
        stream().sample(3, 5)


def test_no_pair_is_drawn_when_all_are_taken():
    labels = np.repeat([1, 0], [5, 25])
    s = stream()
    assert len(pairs(s, labels, pairs_at_most=150)) == 125
    assert s.uniform(1) == stream().uniform(1)


def test_a_stream_goes_on_from_its_state():
    whole, parts = stream(), stream()
    for draw, *size in (("normal", 5), ("sample", 40, 40), ("uniform", 9000), ("sample", 7, 3), ("uniform", 2)):
        parts = ReplayStream(parts.state())
        assert np.array_equal(getattr(parts, draw)(*size), getattr(whole, draw)(*size))


def test_a_survey_of_the_independent_engine_depends_on_seed_cell_and_number_only():
    first = IndependentStream(1, "cell", 7).normal(5)
    assert np.array_equal(first, IndependentStream(1, "cell", 7).normal(5))
    for other in ((2, "cell", 7), (1, "other", 7), (1, "cell", 8)):
        assert not np.isin(first, IndependentStream(*other).normal(5)).any()


def test_independent_draws_have_their_distributions():
    s = IndependentStream(1, "cell", 0)
    assert abs(s.normal(40_000).mean()) < 4 / 200
    assert abs(s.bernoulli(np.full(40_000, 0.3)).mean() - 0.3) < 4 * np.sqrt(0.21 / 40_000)
    assert sorted(s.sample(12, 12)) == list(range(12))
    assert len(set(s.sample(12, 5).tolist())) == 5
