"""The exact truth against integrals by another library, against millions of fresh sites, and by its symmetries."""

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import norm

from surveyauc.ranks import auc
from surveyauc.surveys import GeneratingModel
from surveyauc.truth import ExactTruth

MODELS = [(1.1, 0.3), (0.55, 0.3), (1.1, 0.5), (2.0, 0.1), (1.1, 0.01)]


def exact(slope, prevalence):
    model = GeneratingModel.with_prevalence(slope, prevalence)
    return ExactTruth.under(model.intercept, model.slope)


def coefficients(correlation):
    """Of a score with two covariates, of which the first works, that has this correlation with it."""
    return np.array([-3.0, 2.5 * correlation, 2.5 * np.sqrt(1 - correlation**2)])


@pytest.mark.parametrize(("slope", "prevalence"), MODELS)
@pytest.mark.parametrize("correlation", [-0.6, 0.25, 0.9, 0.995])
def test_it_is_the_double_integral(slope, prevalence, correlation):
    """Over the working covariates z of a presence and t of an absence; given them, the difference of their scores is
    normal with mean ``r (z - t)`` and variance ``2 (1 - r**2)``."""
    model = GeneratingModel.with_prevalence(slope, prevalence, 1)

    nodes, weights = np.polynomial.legendre.leggauss(600)
    z, weights = 9 * nodes, 9 * weights
    presences = weights * norm.pdf(z) * expit(model.intercept + model.slope * z)
    absences = weights * norm.pdf(z) * expit(-model.intercept - model.slope * z)
    in_order = norm.cdf(correlation * np.subtract.outer(z, z) / np.sqrt(2 * (1 - correlation**2)))
    expected = presences @ in_order @ absences / (presences.sum() * absences.sum())
    assert ExactTruth.under(model.intercept, model.slope).of(coefficients(correlation)) == pytest.approx(
        expected, abs=1e-8
    )


@pytest.mark.parametrize(("slope", "prevalence", "correlation"), [(1.1, 0.3, 1.0), (1.1, 0.3, 0.7), (2.0, 0.1, -0.4)])
def test_four_million_fresh_sites_agree(generator, slope, prevalence, correlation):
    model, b = GeneratingModel.with_prevalence(slope, prevalence, 1), coefficients(correlation)
    z = generator.standard_normal((4_000_000, 2))
    y = generator.random(len(z)) < expit(model.intercept + model.slope * z[:, 0])
    sampled = auc(b[0] + z @ b[1:], y)
    error = np.sqrt(sampled * (1 - sampled) / y.sum())  # larger than the true one
    assert abs(ExactTruth.under(model.intercept, model.slope).of(b) - sampled) < 3 * error
    assert error < 0.001


def test_turning_the_score_round_turns_the_truth_round():
    truth = exact(1.1, 0.3)
    for correlation in np.linspace(-1, 1, 11):
        b = coefficients(correlation)
        assert truth.of(b) + truth.of(-b) == pytest.approx(1.0, abs=1e-13)
        assert truth.of(b * [9.0, 0.01, 0.01]) == pytest.approx(truth.of(b), abs=1e-13)


def test_without_signal_or_slopes_it_is_one_half():
    null = exact(0.0, 0.3)
    assert null.of([[0.3, 1.0, -2.0, 5.0], [0.0, -1.0, 0.0, 0.0]]) == pytest.approx([0.5, 0.5], abs=1e-13)
    assert exact(1.1, 0.3).of([-1.0, 0.0]) == 0.5


def test_slopes_of_separated_fits_do_not_overflow():
    truth = exact(1.1, 0.3)
    assert truth.of([0.0, 3e200, 4e200]) == pytest.approx(truth.of([0.0, 0.3, 0.4]), abs=1e-13)


def test_it_rises_with_the_correlation():
    truth = exact(1.1, 0.3)
    values = [truth.of(coefficients(r)) for r in np.linspace(-1, 1, 41)]
    assert (np.diff(values) > 0.001).all()
    assert truth.of([[0.0, 1.0, 0.0], [0.0, 1.0, 1.0]]).shape == (2,)
