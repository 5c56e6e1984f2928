"""Areas and intervals against pROC, scikit-learn, brute force and hand computations, and what must not change them.

The ranks of three markers on 113 patients (aSAH; Turck et al. 2010, Intensive Care Medicine 36:107-115) and what pROC
gives for them are in tests/expected; DeLong's method depends on ranks alone.
"""

import numpy as np
import pandas as pd
import pytest
from scipy.integrate import quad
from scipy.stats import norm, t
from sklearn.metrics import average_precision_score, roc_auc_score

from conftest import expected
from surveyauc.intervals import (
    auc_boot,
    auc_ci,
    auc_delong,
    auc_diff,
    pairs_interval,
    per_fold_interval,
    stratified_draws,
)
from surveyauc.precision_recall import groups_from_the_top, precision_recall_area, precision_recall_area_on_grid
from surveyauc.streams import ReplayStream

MARKERS = ["s100b", "wfns", "ndka"]


@pytest.fixture(scope="module")
def asah():
    table = expected("asah_ranks.csv")
    return {name: table[name].to_numpy(float) for name in MARKERS}, table["poor"].to_numpy()


@pytest.fixture
def sample(generator):
    """Two models on 60 sites, with ties."""
    labels = (np.arange(60) % 3 == 0).astype(int)
    first = np.round(generator.standard_normal(60) + labels, 1)
    return {"first": first, "second": np.round(first + generator.standard_normal(60), 1)}, labels


def test_delong_is_that_of_proc(asah):
    table, result = expected("asah_auc.csv"), auc_delong(*asah)
    np.testing.assert_allclose(result.observed, table["auc"], rtol=0, atol=1e-12)
    np.testing.assert_allclose(np.diag(result.covariance), table["var_delong"], rtol=0, atol=1e-12)
    for alpha, level in ((0.05, 95), (0.1, 90)):
        intervals = auc_ci(result, alpha)
        for side in ("lower", "upper"):
            np.testing.assert_allclose(intervals[f"{side}_bound"], table[f"ci{level}_{side}"], rtol=0, atol=1e-12)
    assert list(intervals["n"]) == [113] * 3


def test_delong_differences_are_those_of_proc(asah):
    table, result = expected("asah_delong_tests.csv"), auc_delong(*asah)
    for alternative, column in (("two.sided", "p_two"), ("greater", "p_greater"), ("less", "p_less")):
        rows = auc_diff(result, alternative=alternative)
        assert list(rows["modnames1"]) == list(table["marker1"])
        for here, there in (
            ("diffs", "diff"),
            ("z_values", "z"),
            ("p_values", column),
            ("lower_bound", "ci_lower"),
            ("upper_bound", "ci_upper"),
        ):
            np.testing.assert_allclose(rows[here], table[there], rtol=0, atol=1e-12, err_msg=here)
    np.testing.assert_allclose(
        [result.covariance[0, 1], result.covariance[0, 2], result.covariance[1, 2]],
        table["cov_delong"],
        rtol=0,
        atol=1e-12,
    )


def test_areas_by_hand():
    assert precision_recall_area(np.zeros(8), [1] * 3 + [0] * 5) == pytest.approx(0.375, abs=1e-15)
    with pytest.warns(UserWarning, match="the smaller class has 2 sites"):
        assert auc_delong([0.9, 0.6, 0.7, 0.6, 0.2], [1, 1, 0, 0, 0]).observed == pytest.approx([0.75])
    assert precision_recall_area([3, 2, 1, 0], [1, 1, 0, 0]) == 1.0


def test_the_precision_recall_area_is_the_integral_of_its_curve(sample):
    scores, labels = sample
    for values in scores.values():
        total, true, false = 0.0, 0, 0
        for level in sorted(set(values), reverse=True):
            dt, df = (int(labels[values == level].sum()), int((1 - labels[values == level]).sum()))
            if dt:
                total += quad(lambda x, t=true, f=false, b=df / dt: (t + x) / (t + x + f + b * x), 1e-300, dt)[0]
            true, false = true + dt, false + df
        assert precision_recall_area(values, labels) == pytest.approx(total / labels.sum(), abs=1e-9)


def test_it_is_not_average_precision_but_near_it(sample):
    scores, labels = sample
    for values in scores.values():
        difference = precision_recall_area(values, labels) - average_precision_score(labels, values)
        assert 1e-6 < abs(difference) < 0.1


def test_the_grid_is_near_the_closed_form(generator):
    for k in range(20):
        labels = np.repeat([1, 0], 100)
        scores = np.round(generator.standard_normal(200) + labels, 1 if k % 2 else 6)
        order, group = groups_from_the_top(scores)
        true = np.bincount(group, weights=labels[order])
        on_grid = precision_recall_area_on_grid(true[None], (np.bincount(group) - true)[None])[0]
        assert on_grid == pytest.approx(precision_recall_area(scores, labels), abs=1e-3 if k % 2 else 1e-4)


def test_the_bootstrap_is_the_brute_force_one(sample):
    scores, labels = sample
    draws = stratified_draws(labels, 40, np.random.default_rng(3))
    assert (draws[:, labels == 1].sum(axis=1) == labels.sum()).all()
    assert (draws.sum(axis=1) == len(labels)).all()
    result = auc_boot(scores, labels, draws=draws)
    for m, values in enumerate(scores.values()):
        assert result.observed[m] == pytest.approx(
            [roc_auc_score(labels, values), precision_recall_area(values, labels)]
        )
        for b in range(40):
            chosen = np.repeat(np.arange(60), draws[b].astype(int))
            areas = [
                roc_auc_score(labels[chosen], values[chosen]),
                precision_recall_area(values[chosen], labels[chosen]),
            ]
            assert result.resampled[b, m] == pytest.approx(areas, abs=1e-12)


def test_bootstrap_tables_by_hand(sample):
    scores, labels = sample
    result = auc_boot(scores, labels, 99, seed=1)
    intervals, rows = auc_ci(result, 0.1), auc_diff(result, 0.1)
    assert list(intervals["curvetypes"]) == ["ROC", "PRC"] * 2
    values = result.resampled[:, 1, 0]
    row = intervals.iloc[2]
    assert (row["lower_bound"], row["upper_bound"]) == tuple(np.quantile(values, [0.05, 0.95]))
    assert (row["mean"], row["error"], row["n"]) == (values.mean(), values.std(ddof=1), 99)
    d = result.resampled[:, 0, 0] - result.resampled[:, 1, 0]
    assert rows["p_values"][0] == min(1, 2 * min(1 + (d <= 0).sum(), 1 + (d >= 0).sum()) / 100)
    z = rows["diffs"][0] / d.std(ddof=1)
    assert rows["p_values_wald"][0] == pytest.approx(2 * norm.sf(abs(z)))
    greater, less = (auc_diff(result, alternative=a)["p_values"][0] for a in ("greater", "less"))
    assert (greater, less) == ((1 + (d <= 0).sum()) / 100, (1 + (d >= 0).sum()) / 100)


def test_a_seed_makes_it_reproducible_and_touches_nothing_else(sample):
    np.random.seed(7)
    before = np.random.get_state()[1].copy()
    first, again, other = (auc_boot(*sample, 50, seed=s).resampled for s in (1, 1, 2))
    assert (first == again).all()
    assert (first != other).any()
    assert (np.random.get_state()[1] == before).all()


def test_what_must_not_change_them(sample):
    scores, labels = sample
    plain = auc_delong(scores, labels)
    moved = auc_delong({name: np.exp(values / 3) for name, values in scores.items()}, labels)
    np.testing.assert_allclose(moved.covariance, plain.covariance, rtol=1e-12)
    swapped = auc_delong({name: -values for name, values in scores.items()}, 1 - labels)
    np.testing.assert_allclose(swapped.observed, plain.observed, rtol=1e-12)
    np.testing.assert_allclose(swapped.covariance, plain.covariance, rtol=1e-12)
    order = np.random.default_rng(0).permutation(60)
    mixed = auc_delong({name: values[order] for name, values in scores.items()}, labels[order])
    np.testing.assert_allclose(mixed.covariance, plain.covariance, rtol=1e-12)
    twice = {name: np.tile(values, 2) for name, values in scores.items()}
    assert auc_delong(twice, np.tile(labels, 2)).observed == pytest.approx(plain.observed)
    assert auc_boot(twice, np.tile(labels, 2), 2, seed=1).observed == pytest.approx(
        auc_boot(scores, labels, 2, 1).observed
    )


def test_no_interval_where_nothing_varies():
    labels = np.repeat([1, 0], 6)
    perfect = {"a": labels + 0.0, "b": 2.0 * labels}
    for result in (auc_delong(perfect, labels), auc_boot(perfect, labels, 20, seed=1)):
        intervals, rows = auc_ci(result), auc_diff(result)
        assert intervals[["lower_bound", "upper_bound"]].isna().all(axis=None)
        assert intervals["note"].str.contains("no interval").all()
        assert rows["z_values"].isna().all()
    assert rows["p_values_wald"].isna().all()


def test_notes_on_p_values(sample):
    labels = sample[1]
    clear = {"a": labels + 0.3 * np.sin(np.arange(60)), "b": np.cos(np.arange(60.0))}
    note = auc_diff(auc_boot(clear, labels, 50, seed=1, curves="ROC"))["note"][0]
    assert (
        note == "the percentile p-value is at its floor of 0.039; the two p-values differ by more than a factor of ten"
    )
    first = sample[0]["first"]
    close = {"a": first, "b": first + 0.5 * np.sin(np.arange(60.0))}
    assert (auc_diff(auc_boot(close, labels, 200, seed=1))["note"] == "").all()


BAD = [
    (lambda s, y: auc_delong(s, np.ones(60)), "all 60 labels are 1"),
    (lambda s, y: auc_delong(s, y + 1), "labels must be 0"),
    (lambda s, y: auc_boot(s, y[:-1]), "first: 60 scores for 59 labels"),
    (lambda s, y: auc_boot(s["first"] * np.where(y == 0, 1, np.nan), y), "model: the score of site 0 is missing"),
    (lambda s, y: auc_boot(s["first"] + np.where(np.arange(60) == 4, np.inf, 0), y), "the score of site 4 is infinite"),
    (lambda s, y: auc_boot(s, y, 1), "1 resamples are too few"),
    (lambda s, y: auc_boot(s, y, curves="PR"), "no curve 'PR'; there are ROC and PRC"),
    (lambda s, y: auc_delong(s, y, "PRC"), "which PRC is not; use auc_boot"),
    (lambda s, y: auc_ci(auc_delong(s, y), 0), "alpha is 0; it must lie between 0 and 1"),
    (lambda s, y: auc_diff(auc_delong(s, y), 1.5), "alpha is 1.5"),
    (lambda s, y: auc_diff(auc_delong(s, y), alternative="more"), "no alternative 'more'"),
    (lambda s, y: auc_diff(auc_delong(s["first"], y)), "a difference takes two models"),
    (lambda s, y: auc_delong([1.0, 2.0, 3.0], [1, 0, 0]), "a class with one site has no variance"),
    (lambda s, y: per_fold_interval(s["first"], y, y), "fold 0 holds one class only"),
    (lambda s, y: pairs_interval(np.ones((1, 4))), "a class with one site has no variance"),
    (lambda s, y: pairs_interval(np.eye(4), scale="log"), "scale is linear or logit"),
]


@pytest.mark.parametrize(("call", "says"), BAD)
def test_bad_input_gets_one_sentence(sample, call, says):
    with pytest.raises(ValueError, match=r"\w") as error:
        call(*sample)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


def test_the_interval_of_per_fold_means_by_its_definition(sample):
    scores, labels = sample
    values, folds = scores["first"], np.arange(60) // 3 % 4
    result = per_fold_interval(values, labels, folds)
    areas, squares = [], []
    for fold in range(4):
        s, y = values[folds == fold], labels[folds == fold]
        area = roc_auc_score(y, s)
        influence = []
        for score, label in zip(s, y, strict=True):
            other = s[y != label]
            won = (score > other) if label else (score < other)
            share = np.mean(won + 0.5 * (score == other))
            influence.append(60 / (20 if label else 40) * (share - area))
        areas.append(area)
        squares.append(np.mean(np.square(influence)))
    error = np.sqrt(np.mean(squares) / 60)
    assert result["auc"] == pytest.approx(np.mean(areas))
    assert result["error"] == pytest.approx(error)
    assert result["lower_bound"] == pytest.approx(np.mean(areas) - norm.ppf(0.975) * error)


def test_the_interval_of_pairs_is_delongs_for_one_model(sample):
    scores, labels = sample
    s = scores["first"]
    above, below = s[labels == 1][:, None], s[labels == 0][None, :]
    in_order = np.where(above == below, 0.5, above > below)
    result, delong = pairs_interval(in_order), auc_delong(s, labels)
    assert result["auc"] == pytest.approx(delong.observed[0])
    assert result["error"] == pytest.approx(np.sqrt(delong.covariance[0, 0]))
    wide = pairs_interval(in_order, scale="logit", quantile="t")
    a, reach = result["auc"], t.ppf(0.975, 19) * result["error"]
    reach /= result["auc"] * (1 - result["auc"])
    assert wide["upper_bound"] == pytest.approx(1 / (1 + np.exp(-np.log(a / (1 - a)) - reach)))
    assert 0 < wide["lower_bound"] < wide["auc"] < wide["upper_bound"] < 1


def test_every_number_of_the_vignette(published):
    check = pd.read_csv(
        published / "results" / "tables" / "published_check.csv", dtype={"printed": str, "reproduced": str}
    )
    vignette = check[check["source"] == "vignette"]
    assert len(vignette) == 86
    assert list(vignette.loc[vignette["printed"] != vignette["reproduced"], "key"]) == []
    decimals = vignette["printed"].str.partition(".")[2].str.len()
    plain = ~vignette["printed"].str.contains("e-")
    distance = (vignette["value"] - vignette["printed"].astype(float)).abs()
    assert (distance[plain] <= 0.5 * 10.0 ** -decimals[plain] + 1e-12).all()


def test_beta_draws_have_the_distribution_they_say():
    stream = ReplayStream.from_seed(5)
    for a, b in ((4, 1), (1, 4), (1, 1), (0.5, 2)):
        drawn = stream.beta(a, b, 4000)
        assert drawn.mean() == pytest.approx(a / (a + b), abs=0.02)
        assert drawn.var() == pytest.approx(a * b / ((a + b) ** 2 * (a + b + 1)), rel=0.1)
    with pytest.raises(ValueError, match="one of the two must be at most 1"):
        stream.beta(2, 3, 1)
