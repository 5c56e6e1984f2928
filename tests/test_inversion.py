"""Test inversion by simulation: its parts against hand computations, enumeration, statsmodels and
scikit-learn, and what must not change it."""

import itertools

import numpy as np
import pytest
import statsmodels.api as sm
from sklearn.metrics import roc_auc_score

from surveyauc.inversion import (
    STRONGEST,
    Simulated,
    Simulation,
    compatible_truths,
    draw_with_presences,
    first_look,
    inverted_difference,
    inverted_interval,
    occupancy,
    parametric_bootstrap_interval,
    plausible_range,
)
from surveyauc.models import solver_of
from surveyauc.ranks import auc, expected_auc
from surveyauc.streams import IndependentStream


def stream(number=0):
    return IndependentStream(11, "inversion", number)


@pytest.fixture
def survey(generator):
    covariates = generator.standard_normal((24, 2))
    labels = (covariates[:, 0] + generator.standard_normal(24) > 0.5).astype(int)
    return covariates, labels


def bounds(result):
    return result["lower_bound"], result["upper_bound"]


def test_occupancy_sums_to_the_presences_along_the_log_odds(generator):
    log_odds = 40 * generator.standard_normal(30)
    for presences in (1, 9, 29):
        probability = occupancy(log_odds, presences)
        assert probability.sum() == pytest.approx(presences, abs=1e-9)
        inside = (probability > 1e-6) & (probability < 1 - 1e-6)
        logits = np.log(probability[inside] / (1 - probability[inside]))
        assert np.ptp(logits - log_odds[inside]) < 1e-6
    np.testing.assert_allclose(occupancy(np.zeros(8), 2), 0.25, atol=1e-12)


def test_draws_have_the_distribution_that_enumeration_gives():
    probability, presences, draws = np.array([0.1, 0.3, 0.5, 0.6, 0.8]), 2, 40_000
    chance = {}
    for chosen in itertools.combinations(range(5), presences):
        label = np.isin(np.arange(5), chosen)
        chance[chosen] = np.where(label, probability, 1 - probability).prod()
    labels = draw_with_presences(stream(), probability, presences, draws)
    assert labels.shape == (draws, 5)
    assert set(labels.sum(axis=1)) == {presences}
    for chosen, weight in chance.items():
        expected = weight / sum(chance.values())
        share = (labels[:, chosen].sum(axis=1) == presences).mean()
        assert share == pytest.approx(expected, abs=4 * np.sqrt(expected / draws))


def test_expected_auc_is_that_of_all_expected_pairs(generator):
    scores = np.round(generator.standard_normal((4, 12)), 1)  # with ties
    probability, weights = generator.random(12), generator.exponential(size=(4, 12))
    for row in range(4):
        right = pairs = 0.0
        for i, j in itertools.permutations(range(12), 2):
            expected = weights[row, i] * probability[i] * weights[row, j] * (1 - probability[j])
            above = 0.5 * (np.sign(np.round(scores[row, i] - scores[row, j], 6)) + 1)
            right, pairs = right + expected * above, pairs + expected
        assert expected_auc(scores, probability, weights)[row] == pytest.approx(right / pairs, abs=1e-12)


def test_expected_auc_of_certain_labels_is_the_auc(generator):
    scores, labels = np.round(generator.standard_normal(20), 1), np.arange(20) % 3 == 0
    assert expected_auc(scores, labels.astype(float), np.ones(20)) == pytest.approx(auc(scores, labels), abs=1e-12)
    # A site that stands for three is three sites.
    twice = np.where(np.arange(20) < 7, 3, 1)
    expected = auc(np.repeat(scores, twice), np.repeat(labels, twice))
    assert expected_auc(scores, labels.astype(float), twice) == pytest.approx(expected, abs=1e-12)


def test_simulated_surveys_are_fitted_and_scored_as_by_other_libraries(survey):
    covariates, labels = survey
    simulated = Simulation.of(covariates, labels, stream()).at([0.8], 6)
    fit = sm.GLM(labels, sm.add_constant(covariates), sm.families.Binomial()).fit()
    score = covariates @ fit.params[1:]
    score = (score - score.mean()) / score.std()
    again = stream()
    probability = occupancy(0.8 * score, labels.sum())
    drawn = draw_with_presences(again, probability, labels.sum(), 6)
    weights = -np.log(1 - again.uniform((6, len(labels))))
    for k, y in enumerate(drawn):
        predictor = covariates @ sm.GLM(y, sm.add_constant(covariates), sm.families.Binomial()).fit().params[1:]
        assert simulated.estimate[0, k] == pytest.approx(roc_auc_score(y, predictor), abs=1e-12)
        sites = np.arange(len(y))
        true = np.concatenate([np.ones(len(y)), np.zeros(len(y))])
        weight = np.concatenate([weights[k] * probability, weights[k] * (1 - probability)])
        both = np.concatenate([predictor, predictor])
        whole = roc_auc_score(true, both, sample_weight=weight)  # counts the pair of a site with itself as one half
        self_pairs = (weight[sites] * weight[sites + len(y)]).sum()
        pairs = weight[sites].sum() * weight[sites + len(y)].sum()
        expected = (whole * pairs - 0.5 * self_pairs) / (pairs - self_pairs)
        assert simulated.truth[0, k] == pytest.approx(expected, abs=1e-9)
    assert simulated.refits == 6


def test_the_plausible_range_is_three_deviations_wide():
    # Estimates with mean 0.5, 0.7, 0.9 and deviation 0.05 at log(1 + strength) = 0, 1, 2.
    strengths = np.expm1([0.0, 1.0, 2.0])
    around = 0.05 * np.array([-1.0, 1.0]) / np.sqrt(2.0)
    simulated = Simulated(strengths, np.array([[0.5], [0.7], [0.9]]) + around, np.zeros((3, 2)), 0)
    lowest, highest = plausible_range(0.7, simulated)  # within 0.15: from 0.55 to 0.85
    assert np.log1p(lowest) == pytest.approx(0.25, abs=0.01)
    assert np.log1p(highest) == pytest.approx(1.75, abs=0.01)
    assert plausible_range(0.2, simulated) == (0.0, 0.0)
    assert plausible_range(1.2, simulated) == pytest.approx((np.expm1(2.0),) * 2)


def test_compatible_truths_by_hand():
    # Errors evenly from -0.1 to 0.1 and truths from 0.5 to 0.7 at both strengths.
    errors, truths = np.linspace(-0.1, 0.1, 1001), np.linspace(0.5, 0.7, 1001)
    generator = np.random.default_rng(3)
    truth = np.array([generator.permutation(truths), generator.permutation(truths)])
    estimate = truth + np.array([generator.permutation(errors), generator.permutation(errors)])
    simulated = Simulated(np.array([0.5, 1.0]), estimate, truth, 0)
    # 95 per cent of the errors: 0.095 either way; 99 per cent of the truths: 0.501 to 0.699.
    assert compatible_truths(0.6, simulated, 0.05) == (pytest.approx(0.505), pytest.approx(0.695), True)
    assert compatible_truths(0.65, simulated, 0.05) == (pytest.approx(0.555), pytest.approx(0.699), True)
    # Nothing fits: the values in between.
    assert compatible_truths(0.9, simulated, 0.05) == (pytest.approx(0.699), pytest.approx(0.805), False)


@pytest.mark.parametrize("estimator", ["resub", "lpo"])
def test_units_and_directions_of_covariates_do_not_matter(survey, estimator):
    covariates, labels = survey
    plain = inverted_interval(covariates, labels, stream(), estimator=estimator, strengths=4, draws=40)
    other = covariates * [-1000.0, 0.01] + [5.0, -3.0]
    changed = inverted_interval(other, labels, stream(), estimator=estimator, strengths=4, draws=40)
    assert bounds(changed) == pytest.approx(bounds(plain), abs=1e-6)
    assert changed["refits"] == plain["refits"]
    assert 0 <= plain["lower_bound"] < plain["upper_bound"] <= 1


def test_swapped_labels_and_other_sites_first_give_the_same_but_for_chance(survey):
    covariates, labels = survey
    plain = inverted_interval(covariates, labels, stream())
    swapped = inverted_interval(covariates, 1 - labels, stream(1))
    turned = inverted_interval(covariates[::-1], labels[::-1], stream(2))
    for other in (swapped, turned):
        assert other["auc"] == pytest.approx(plain["auc"], abs=1e-12)
        assert bounds(other) == pytest.approx(bounds(plain), abs=0.03)


def test_the_interval_narrows_with_sites_and_alpha(generator):
    widths = []
    for sites in (30, 120, 480):
        covariates = generator.standard_normal((sites, 1))
        labels = (covariates[:, 0] + 1.5 * generator.logistic(size=sites) > 0.8).astype(int)
        lower, upper = bounds(inverted_interval(covariates, labels, stream(), draws=200))
        narrow, wide = bounds(inverted_interval(covariates, labels, stream(), alpha=0.5, draws=200))
        assert lower < narrow < wide < upper
        widths.append(upper - lower)
    assert widths[0] > 1.5 * widths[1] > 2.25 * widths[2]


def test_a_separated_survey_has_an_interval_up_to_one():
    covariates, labels = np.arange(20.0)[:, None], (np.arange(20) >= 12).astype(int)
    lower, upper = bounds(inverted_interval(covariates, labels, stream()))
    assert 0.7 < lower < 0.99
    assert upper > 0.9999
    simulated = Simulation.of(covariates, labels, stream()).at([STRONGEST], 50)
    assert simulated.estimate.mean() > 0.98
    note = parametric_bootstrap_interval(covariates, labels, stream())["note"]
    assert note in ("", "the draws do not vary, so no interval")


def test_noise_alone_keeps_one_half_inside(generator):
    held = 0
    for number in range(40):
        covariates, labels = generator.standard_normal((30, 3)), (np.arange(30) < 9).astype(int)
        lower, upper = bounds(inverted_interval(covariates, labels, stream(number), strengths=5, draws=100))
        held += lower <= 0.5 <= upper
    assert held >= 34  # at 93 per cent 34 or fewer come by chance once in fifty


def difference(survey, first, second, number=0, **options):
    covariates, labels = survey
    simulation = Simulation.of(covariates, labels, stream(number))
    look = first_look(simulation, options.get("draws", 400))
    return inverted_difference(simulation, look, covariates[:, first], covariates[:, second], **options)


def test_the_difference_of_two_models_has_a_sign(survey):
    one = difference(survey, [0, 1], [1], strengths=4, draws=60)
    other = difference(survey, [1], [0, 1], strengths=4, draws=60)
    covariates, labels = survey
    fits = [sm.GLM(labels, sm.add_constant(x), sm.families.Binomial()).fit() for x in (covariates, covariates[:, 1:])]
    assert one["auc_diff"] == pytest.approx(np.subtract(*(roc_auc_score(labels, f.fittedvalues) for f in fits)))
    assert bounds(other) == pytest.approx((-one["upper_bound"], -one["lower_bound"]), abs=1e-12)
    assert one["lower_bound"] < one["upper_bound"]


def test_a_model_does_not_differ_from_itself(survey):
    found = difference(survey, [0, 1], [1, 0], strengths=3, draws=40)
    assert (found["auc_diff"], *bounds(found)) == pytest.approx((0, 0, 0), abs=1e-12)


def test_the_interval_of_a_difference_holds_that_of_new_sites(generator):
    """One covariate that works against one that does not; the truth of each fit is by its sign."""
    held, fresh = 0, generator.standard_normal((20_000, 2))
    true = generator.random(20_000) < 1 / (1 + np.exp(1 - 1.5 * fresh[:, 0]))
    truths = np.array([roc_auc_score(true, fresh[:, k]) for k in (0, 1)])
    for number in range(40):
        covariates = generator.standard_normal((40, 2))
        labels = (generator.random(40) < 1 / (1 + np.exp(1 - 1.5 * covariates[:, 0]))).astype(int)
        slopes = [
            sm.GLM(labels, sm.add_constant(covariates[:, k]), sm.families.Binomial()).fit().params[1] for k in (0, 1)
        ]
        truth = np.subtract(*np.where(np.array(slopes) > 0, truths, 1 - truths))
        lower, upper = bounds(difference((covariates, labels), [0], [1], number, strengths=5, draws=100))
        held += lower <= truth <= upper
    assert held >= 34  # at 93 per cent 34 or fewer come by chance once in fifty


@pytest.mark.parametrize("model", ["ridge", "firth"])
def test_penalised_models_are_inverted_by_their_own_fits(survey, model):
    covariates, labels = survey
    plain = inverted_interval(covariates, labels, stream())
    light = inverted_interval(covariates, labels, stream(), fit=solver_of(model, 1e-6))
    assert bounds(light) == pytest.approx(bounds(plain), abs=0.02)
    assert light["refits"] == plain["refits"]
    if model == "ridge":  # one that leaves nothing but the covariates' own directions
        heavy = inverted_interval(covariates, labels, stream(), fit=solver_of(model, 1e4))
        assert bounds(heavy) != pytest.approx(bounds(plain), abs=1e-6)


@pytest.mark.parametrize(
    ("covariates", "labels", "alpha", "message"),
    [
        (np.arange(9.0)[:, None], np.ones(9, int), 0.05, "all 9 labels are 1; an AUC takes both classes"),
        (np.ones((9, 2)), np.arange(9) % 2, 0.05, "the fit has no slope, so that it points in no direction"),
        (np.arange(9.0)[:, None], np.arange(9) % 2, 1.0, "alpha is 1.0; it must lie between 0 and 1"),
    ],
)
def test_what_cannot_be_inverted_is_said(covariates, labels, alpha, message):
    with pytest.raises(ValueError, match=message):
        inverted_interval(covariates, labels, stream(), alpha=alpha, strengths=2, draws=40)
