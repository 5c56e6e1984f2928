"""F1 and what belongs to it: worked values by hand, scikit-learn, integrals, and what must not change them."""

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy.integrate import dblquad, quad
from scipy.special import expit
from scipy.stats import norm
from sklearn.metrics import f1_score

from surveyauc.f_measure import adjusted_f1, best_threshold, confusion, f1, f1_at_prevalence, fold_f1
from surveyauc.ranks import auc
from surveyauc.rates import exact_rates
from surveyauc.surveys import GeneratingModel
from surveyauc.truth import ExactTruth


def test_worked_values():
    assert auc([0.9, 0.6, 0.7, 0.6, 0.2], [1, 1, 0, 0, 0]) == 0.75
    assert f1(12, 8, 10).value == pytest.approx(4 / 7, rel=1e-15)
    precision, recall = 0.6, 6 / 11
    assert f1(12, 8, 10).value == pytest.approx(2 * precision * recall / (precision + recall), rel=1e-15)
    assert f1_at_prevalence(0.8, 0.1, 0.1) == pytest.approx(0.16 / 0.27, rel=1e-15)
    assert f1_at_prevalence(0.8, 0.1, 0.5) == pytest.approx(1.6 / 1.9, rel=1e-15)


def test_the_convention_is_an_argument_and_is_told():
    found = f1([0, 1, 0], [0, 0, 1], [0, 0, 0])
    assert found.value.tolist() == [0, 1, 0]
    assert found.was_empty.tolist() == [True, False, False]
    assert found.empty == 0
    assert f1(0, 0, 0, empty=1.0).value == 1
    assert f1(0, 0, 0, empty=1.0).empty == 1


def test_f1_is_that_of_scikit_learn(generator):
    for _ in range(50):
        scores, labels = np.round(generator.standard_normal(20), 1), generator.integers(0, 2, 20)
        for threshold in (-0.5, 0.0, 0.3):
            counts = confusion(scores, labels, threshold)
            assert sum(counts) == 20
            expected = f1_score(labels, scores >= threshold, zero_division=0)
            assert f1(*counts[:3]).value == pytest.approx(expected, abs=1e-15)


def test_a_score_at_the_threshold_calls_a_presence():
    assert [int(n) for n in confusion([0.1 + 0.2, 0.3, 0.29], [1, 0, 1], 0.3)] == [1, 1, 1, 0]


def test_f1_does_not_mind_units_or_order(generator):
    scores, labels = generator.standard_normal(30), generator.integers(0, 2, 30)
    order = generator.permutation(30)
    plain = f1(*confusion(scores, labels, 0.2)[:3]).value
    assert f1(*confusion(np.exp(scores), labels, np.exp(0.2))[:3]).value == plain
    assert f1(*confusion(scores[order], labels[order], 0.2)[:3]).value == plain


def test_own_prevalence_gives_the_raw_value(generator):
    scores, labels = generator.standard_normal(40), (np.arange(40) < 13).astype(int)
    counts = confusion(scores, labels, 0.1)
    raw = f1(*counts[:3]).value
    assert adjusted_f1(counts, 13 / 40)["value"] == pytest.approx(raw, rel=1e-12)
    doubled = tuple(2 * n if k in (1, 3) else n for k, n in enumerate(counts))  # more absences of the same kind
    assert adjusted_f1(doubled, 0.1)["value"] == pytest.approx(adjusted_f1(counts, 0.1)["value"], rel=1e-12)


def test_the_delta_method_by_numerical_derivatives():
    counts, prevalence = (30, 12, 10, 48), 0.2
    made = adjusted_f1(counts, prevalence, alpha=0.1)
    rates = np.array([30.5 / 41, 12.5 / 61])
    variances = rates * (1 - rates) / np.array([41, 61])

    def logit_f1(s, f):
        value = f1_at_prevalence(s, f, prevalence)
        return np.log(value / (1 - value))

    step = 1e-6
    slopes = [(logit_f1(*(rates + step * unit)) - logit_f1(*(rates - step * unit))) / (2 * step) for unit in np.eye(2)]
    reach = norm.ppf(0.95) * np.sqrt((np.square(slopes) * variances).sum())
    ends = 1 / (1 + np.exp(-(logit_f1(*rates) + np.array([-reach, reach]))))
    assert [made["lower"], made["upper"]] == pytest.approx(ends, rel=1e-6)
    assert 0 < made["lower"] < made["value"] < made["upper"] < 1
    certain = adjusted_f1((9, 0, 0, 21), 0.3)  # a sample without errors still leaves doubt
    assert certain["value"] == 1
    assert certain["lower"] < 0.95


@pytest.mark.parametrize("number", range(20))
def test_the_best_threshold_by_trying_all(number):
    generator = np.random.default_rng(number)
    scores, labels = np.round(generator.standard_normal(12), 1), generator.integers(0, 2, 12)
    among = generator.random(12) < 0.8
    found = best_threshold(scores, labels, among)
    if not labels[among].any():
        assert found == np.inf
        return
    values = {t: f1(*confusion(scores, labels, t, among)[:3]).value for t in scores[among]}
    assert found == max(t for t, value in values.items() if value == max(values.values()))


def test_best_thresholds_of_several_at_once(generator):
    scores, labels = generator.standard_normal((4, 3, 10)), generator.integers(0, 2, (4, 1, 10))
    labels[..., 0] = 1
    together = best_threshold(scores, labels)
    for k, fit in itertools.product(range(4), range(3)):
        assert together[k, fit] == best_threshold(scores[k, fit], labels[k, 0])


def test_folds_by_hand():
    """Three folds: F1 of 1, of 0 and empty; together 2 of 2 + 1 + 0 counts."""
    scores = np.array([1.0, -1, 1, -1, -1, -1])
    labels, folds = np.array([1, 0, 0, 0, 0, 0]), np.array([0, 0, 1, 1, 2, 2])
    pooled, mean, empty = fold_f1(scores, labels, folds, 0.0)
    assert pooled.value == pytest.approx(2 / 3)
    assert (mean, empty) == (pytest.approx(1 / 3), 1)
    assert fold_f1(scores, labels, folds, 0.0, empty=1.0)[1] == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: f1(1, -1, 0), "the false positives must be counts, 0 or more; got"),
        (lambda: f1(np.nan, 1, 0), "the true positives must be counts"),
        (lambda: confusion([0.1, np.nan], [1, 0], 0.0), "a score is missing; every site that counts needs one"),
        (lambda: confusion([0.1, 0.2], [1, 2], 0.0), "labels must be 0 .absence. or 1 .presence."),
        (lambda: f1_at_prevalence(0.8, 0.1, 0.0), "the prevalence must lie between 0 and 1, both excluded; got 0.0"),
        (lambda: f1_at_prevalence(0.8, 0.1, 1.0), "the prevalence must lie between 0 and 1"),
        (lambda: f1_at_prevalence(1.1, 0.1, 0.5), "the sensitivity must lie between 0 and 1, got 1.1"),
        (lambda: f1_at_prevalence(0.8, -0.1, 0.5), "the false-positive rate must lie between 0 and 1"),
        (lambda: adjusted_f1((0, 3, 0, 4), 0.1), "the sample holds one class only; both rates need sites"),
        (lambda: adjusted_f1((1, 3, -1, 4), 0.1), "counts must be 0 or more"),
    ],
)
def test_input_that_makes_no_sense_is_refused(call, says):
    with pytest.raises(ValueError, match=says):
        call()


def test_rates_of_one_covariate_are_its_integrals():
    model = GeneratingModel.with_prevalence(1.1, 0.3)
    for coefficients, threshold in (([-0.7, 1.2], 0.0), ([0.2, -0.8], 0.4), ([0.0, 3.0], -1.0)):
        prevalence, sensitivity, false_rate = exact_rates(
            model.intercept, model.slope, np.array(coefficients), threshold
        )
        edge = (threshold - coefficients[0]) / coefficients[1]
        ends = (edge, 12) if coefficients[1] > 0 else (-12, edge)

        def density(z, model=model):
            return norm.pdf(z) * expit(model.intercept + model.slope * z)

        share = quad(density, -12, 12, epsabs=1e-12)[0]
        found = quad(density, *ends, epsabs=1e-12)[0]
        called = norm.cdf(ends[1]) - norm.cdf(ends[0])
        assert prevalence == pytest.approx(share, abs=1e-9)
        assert sensitivity == pytest.approx(found / share, abs=1e-8)
        assert false_rate == pytest.approx((called - found) / (1 - share), abs=1e-8)


def test_rates_with_useless_covariates_are_their_integrals_and_those_of_a_large_sample(generator):
    model = GeneratingModel.with_prevalence(1.1, 0.3, 1)
    b = np.array([-0.6, 1.0, 0.7])
    prevalence, sensitivity, false_rate = exact_rates(model.intercept, model.slope, b, 0.2)

    def density(u, z):
        return norm.pdf(z) * norm.pdf(u) * expit(model.intercept + model.slope * z)

    found = dblquad(density, -10, 10, lambda z: (0.2 - b[0] - b[1] * z) / b[2], lambda z: 12, epsabs=1e-10)[0]
    assert sensitivity == pytest.approx(found / prevalence, abs=1e-8)
    sites = 1_000_000
    x = generator.standard_normal((sites, 2))
    y = generator.random(sites) < expit(model.intercept + model.slope * x[:, 0])
    called = b[0] + x @ b[1:] >= 0.2
    assert called[y].mean() == pytest.approx(sensitivity, abs=4 * 0.5 / np.sqrt(y.sum()))
    assert called[~y].mean() == pytest.approx(false_rate, abs=4 * 0.5 / np.sqrt((~y).sum()))


def test_rates_of_fits_at_the_edge():
    model = GeneratingModel.with_prevalence(1.1, 0.3)
    fits = np.array([[0.0, 0.0], [-1.0, 0.0], [-1e300, 1e300], [0.0, 5.0]])
    _, sensitivity, false_rate = exact_rates(model.intercept, model.slope, fits, np.zeros(4))
    assert sensitivity[:2].tolist() == pytest.approx([1, 0], abs=1e-12)
    assert false_rate[:2].tolist() == pytest.approx([1, 0], abs=1e-12)
    assert 0 < sensitivity[2] < sensitivity[3] < 1
    _, never, _ = exact_rates(model.intercept, model.slope, fits[3], np.inf)
    assert never == pytest.approx(0, abs=1e-12)


def test_the_population_auc_follows_from_the_rates():
    """The area under the curve of sensitivity against false-positive rate, over thresholds."""
    model, b = GeneratingModel.with_prevalence(1.1, 0.3, 1), np.array([0.0, 1.0, 0.5])
    thresholds = np.linspace(-9, 9, 4001)
    _, sensitivity, false_rate = exact_rates(model.intercept, model.slope, np.tile(b, (4001, 1)), thresholds)
    area = -np.trapezoid(sensitivity, false_rate)
    assert area == pytest.approx(float(ExactTruth.under(model.intercept, model.slope).of(b)), abs=1e-6)


def test_a_rule_that_never_errs_is_empty_as_often_as_there_is_no_presence(generator):
    labels = generator.random((20_000, 20)) < 0.1
    found = f1(*confusion(labels.astype(float), labels.astype(int), 0.5)[:3])
    assert found.was_empty.mean() == pytest.approx(0.9**20, abs=4 * np.sqrt(0.1216 * 0.8784 / 20_000))
    assert set(found.value[~found.was_empty]) == {1}


def test_independent_pairs_understate_the_variance_and_the_bound_holds(generator):
    """Nine presences and twenty-one absences, a shift of one standard deviation."""
    scores = generator.standard_normal((4000, 30))
    scores[:, :9] += 1.0
    values = auc(scores, np.broadcast_to(np.arange(30) < 9, scores.shape).astype(int))
    area = norm.cdf(1 / np.sqrt(2))
    naive, bound = area * (1 - area) / (9 * 21), 1 / (9 * 21) + 1 / 9 + 1 / 21
    # Hanley and McNeil's exact variance: with q1 = P(two presences above one absence), q2 = P(one above two).
    both = scores[:, :9], scores[:, 9:]
    q1 = norm.expect(lambda z: norm.sf(z - 1) ** 2)
    q2 = norm.expect(lambda z: norm.cdf(z + 1) ** 2)
    exact = (area * (1 - area) + 8 * (q1 - area**2) + 20 * (q2 - area**2)) / (9 * 21)
    assert values.var() == pytest.approx(exact, rel=0.12)
    assert exact / naive > 5
    assert exact < bound
    assert pd.Series(both[0].ravel()).mean() > pd.Series(both[1].ravel()).mean()
