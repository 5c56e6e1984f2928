"""The estimators of one survey: reference numbers, loops over statsmodels and scikit-learn, and what must not change
them."""

import itertools
import json

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score, roc_curve
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from conftest import ROOT
from surveyauc.models import design_of, refits_of
from surveyauc.own_survey import estimates, hold_out, intransitive_share, roc, wins_of
from surveyauc.own_table import read_survey
from surveyauc.ranks import beats
from surveyauc.streams import IndependentStream

MESSY = ROOT / "tests" / "messy"
EXPECTED = json.loads((MESSY / "expected.json").read_text())


def held_out(design, labels, groups=None, model="ml", **options):
    groups = np.arange(len(labels)) if groups is None else groups
    return hold_out(refits_of(design, labels, model), labels, groups, IndependentStream(1, "test", 0), **options)


@pytest.fixture
def small(generator):
    design = generator.standard_normal((16, 2))
    labels = (design[:, 0] + generator.logistic(size=16) > 0.3).astype(int)
    return design, labels


def looped(design, labels, left_out):
    """Predictors of the fit without some sites, by scikit-learn without a penalty."""
    keep = np.setdiff1d(np.arange(len(labels)), left_out)
    fit = LogisticRegression(C=np.inf, tol=1e-10, max_iter=10_000).fit(design[keep], labels[keep])
    return fit.decision_function(design)


REFERENCES = [
    (name, which, option)
    for name, row in EXPECTED.items()
    for option, part in ((None, row), ("with_option", row.get("with_option", {})))
    for which in ("numeric_only", "with_habitat")
    if which in part
]


@pytest.mark.parametrize(("name", "which", "option"), REFERENCES)
def test_the_reference_numbers_of_the_handed_tables(name, which, option):
    part = EXPECTED[name][option] if option else EXPECTED[name]
    table = pd.read_csv(MESSY / name, nrows=1)
    numbers = [c for c in table if c in ("elevation_m", "canopy_pct", "x1", "x2", "x3")]
    words = {key: part[key] for key in ("na_values",) if key in part}
    survey = read_survey(
        MESSY / name, "presence", numbers if which == "numeric_only" else [*numbers, "habitat"], **words
    )
    # Rows with a blank in a column that is not used stay in, unlike in the reference.
    used = [k for k, site in enumerate(survey.sites) if site not in part.get("dropped_rows", [])]
    found = estimates(held_out(design_of(survey.covariates.iloc[used]), survey.labels[used]))
    expected = part[which]
    assert found["resub"][0] == pytest.approx(expected["auc_apparent"], abs=5e-7)
    assert found["loo"][0] == pytest.approx(expected["auc_pooled_loo"], abs=5e-7)
    assert found["lpo"][0] == pytest.approx(expected["auc_leave_pair_out"], abs=5e-7)


def test_every_estimator_is_that_of_a_loop(small):
    design, labels = small
    held = held_out(design, labels, folds=4)
    found = estimates(held)
    sites = range(len(labels))
    assert found["resub"][0] == pytest.approx(roc_auc_score(labels, looped(design, labels, [])), abs=1e-12)
    assert found["loo"][0] == pytest.approx(roc_auc_score(labels, [looped(design, labels, [i])[i] for i in sites]))
    for code, (folds, _) in (("rand5", held.random_folds), ("strat5", held.stratified_folds)):
        scores = [looped(design, labels, np.flatnonzero(folds == folds[i]))[i] for i in sites]
        assert found[code][0] == pytest.approx(roc_auc_score(labels, scores))
    wins, right, presence_scores, absence_scores = np.zeros(len(labels)), [], [], []
    for i, j in itertools.combinations(sites, 2):
        predictors = looped(design, labels, [i, j])
        wins[i if predictors[i] > predictors[j] else j] += 1
        if labels[i] != labels[j]:
            presence, absence = (i, j) if labels[i] else (j, i)
            right.append(predictors[presence] > predictors[absence])
            presence_scores.append((presence, predictors[presence]))
            absence_scores.append((absence, predictors[absence]))
    assert found["lpo"][0] == pytest.approx(np.mean(right))
    assert found["tlpo"][0] == pytest.approx(roc_auc_score(labels, wins))
    np.testing.assert_allclose(wins_of(held.wins), wins / 15)
    # Rebalanced leave-one-out, drawn: a companion of the other class for every site, anew each time.
    generator = np.random.default_rng(4)
    by_site = {site: [s for k, s in [*presence_scores, *absence_scores] if k == site] for site in sites}
    drawn = [roc_auc_score(labels, [generator.choice(by_site[i]) for i in sites]) for _ in range(4000)]
    error = np.std(drawn) / np.sqrt(len(drawn))
    assert error < 0.002
    assert found["rloo"][0] == pytest.approx(np.mean(drawn), abs=4 * error)


def test_models_of_scikit_learn_are_refitted_as_they_are(small):
    design, labels = small
    pipeline = make_pipeline(StandardScaler(), LogisticRegression(C=1.0, tol=1e-10))
    theirs, ours = (estimates(held_out(design, labels, model=model)) for model in (pipeline, "ridge"))
    for code in theirs:
        assert theirs[code][0] == pytest.approx(ours[code][0], abs=1e-12), code


def test_the_curve_is_that_of_scikit_learn(generator):
    scores, labels = np.round(generator.standard_normal(40), 1), np.arange(40) % 3 == 0
    false, true = roc(scores, labels.astype(int))
    expected = roc_curve(labels, scores, drop_intermediate=False)
    np.testing.assert_allclose(false, expected[0])
    np.testing.assert_allclose(true, expected[1])


def test_circles_among_three_and_four():
    rock = np.array([[np.nan, 1, 0], [0, np.nan, 1], [1, 0, np.nan]])
    assert intransitive_share(rock) == 1.0
    assert intransitive_share(np.triu(np.ones((5, 5)), 1)) == 0.0
    four = np.zeros((4, 4))
    four[:3, :3], four[:3, 3] = np.nan_to_num(rock), 1.0
    assert intransitive_share(four) == pytest.approx(1 / 4)
    tied = np.full((3, 3), 0.5)
    assert intransitive_share(tied) == 0.0


def test_the_order_of_the_sites_and_units_do_not_matter(small):
    design, labels = small
    plain = estimates(held_out(design, labels))
    turned = estimates(held_out(design[::-1] * [100.0, -0.1] + 7.0, labels[::-1]))
    swapped = estimates(held_out(design, 1 - labels))
    for code in ("resub", "loo", "lpo", "rloo", "tlpo"):
        assert turned[code][0] == pytest.approx(plain[code][0], abs=1e-12)
        assert swapped[code][0] == pytest.approx(plain[code][0], abs=1e-12)


def test_sites_of_a_group_are_held_out_together_and_make_no_pair(small):
    design, labels = small
    groups = np.arange(16) // 2
    held = held_out(design, labels, groups)
    expected = [looped(design, labels, np.flatnonzero(groups == groups[i]))[i] for i in range(16)]
    np.testing.assert_allclose(held.leave_one_out, expected, atol=1e-5)
    assert (groups[held.pairs[:, 0]] != groups[held.pairs[:, 1]]).all()
    assert len(held.pairs) == labels.sum() * (16 - labels.sum()) - sum(
        len(set(labels[groups == g])) == 2 for g in groups[::2]
    )
    i, j = held.pairs[0]
    both = np.flatnonzero(np.isin(groups, groups[[i, j]]))
    assert held.presence_scores[0] == pytest.approx(looped(design, labels, both)[i], abs=1e-5)
    assert np.isnan(held.wins[0, 1])
    for folds, _ in (held.random_folds, held.stratified_folds):
        assert all(len(set(folds[groups == g])) == 1 for g in groups)


def test_a_fold_without_a_class_is_said_and_not_averaged():
    survey = read_survey(MESSY / "22_two_presences.csv", "presence", ["elevation_m", "canopy_pct"])
    found = estimates(held_out(design_of(survey.covariates), survey.labels))
    assert found["perfold"] == (None, "not available: 3 of 5 folds hold one class only")
    assert found["tlpo"] == (None, "not available: without two of one class none is left to fit")
    assert all(found[code][0] is not None for code in ("resub", "loo", "strat5", "lpo", "rloo"))


def test_folds_that_leave_one_class_are_not_available(generator):
    design, labels = generator.standard_normal((30, 1)), (np.arange(30) < 2).astype(int)
    together = [
        held.random_folds[0][0] == held.random_folds[0][1]
        for held in (
            hold_out(refits_of(design, labels), labels, np.arange(30), IndependentStream(1, "folds", k))
            for k in range(20)
        )
    ]
    assert any(together)
    assert not all(together)
    for k, same in enumerate(together):
        held = hold_out(refits_of(design, labels), labels, np.arange(30), IndependentStream(1, "folds", k))
        value, why = estimates(held)["rand5"]
        assert (value is None) == same == why.startswith("not available: a fold holds all sites of one class")


def test_a_level_that_no_training_site_has_counts_as_the_commonest():
    survey = read_survey(MESSY / "18_level_seen_once.csv", "presence")
    design = design_of(survey.covariates)
    held = held_out(design, survey.labels)
    k = survey.sites.index("S09")
    commonest = survey.covariates["habitat"].value_counts().index[0]
    other = survey.covariates.copy()
    other.loc[k, "habitat"] = commonest
    assert held.leave_one_out[k] == pytest.approx(held_out(design_of(other), survey.labels).leave_one_out[k], abs=1e-8)


def test_scores_apart_by_rounding_noise_are_tied():
    first, second = np.array([1.0, 1e6, 2.0, 1.0]), np.array([1.0 + 1e-13, 1e6 + 1e-6, 1.0, 2.0])
    np.testing.assert_array_equal(beats(first, second), [0.5, 0.5, 1.0, 0.0])


def test_more_pairs_than_the_limit_are_sampled(small):
    design, labels = small
    held = held_out(design, labels, pairs_at_most=20)
    assert len(held.pairs) == 20
    assert len({tuple(pair) for pair in held.pairs}) == 20
    assert set(labels[held.pairs[:, 0]]) == {1}
    assert set(labels[held.pairs[:, 1]]) == {0}
