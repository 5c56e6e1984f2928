"""The penalised refits against scikit-learn, brute-force maximisation, closed forms and what must not change them."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from surveyauc.logistic import fit_masked
from surveyauc.penalised import fit_penalised, fit_relabelled

KINDS = pytest.mark.parametrize("kind", ["ridge", "firth"])


def survey(generator, sites=40, covariates=2, centre=0.0, spread=1.0):
    x = generator.normal(size=(sites, covariates))
    y = (generator.random(sites) < expit(0.8 * x[:, 0] - 0.4)).astype(int)
    return centre + spread * x, y


def leave_some_out(generator, sites, fits, most=6):
    keep = np.ones((fits, sites), bool)
    for row in keep:
        row[generator.choice(sites, generator.integers(0, most), replace=False)] = False
    return keep


def predictors(x, coefficients):
    return coefficients[:, :1] + coefficients[:, 1:] @ x.T


def by_scikit_learn(x, y, keep, penalty):
    """Linear predictors (fits, sites) of every site."""
    model = make_pipeline(
        StandardScaler(), LogisticRegression(C=1 / penalty, solver="newton-cholesky", tol=1e-13, max_iter=1000)
    )
    return np.array([model.fit(x[row], y[row]).decision_function(x) for row in keep])


def firth_loss(beta, x, y):
    """Minus the penalised log-likelihood of sites without a mask, straight from its definition."""
    design = np.column_stack([np.ones(len(y)), x])
    eta = design @ beta
    information = (design.T * (expit(eta) * expit(-eta))) @ design
    return np.logaddexp(0, np.where(y == 1, -eta, eta)).sum() - 0.5 * np.linalg.slogdet(information)[1]


def separated():
    x = np.linspace(-1, 1, 20)[:, None]
    return x, (x[:, 0] > 0).astype(int)


@pytest.mark.parametrize("penalty", [0.01, 1.0, 30.0])
@pytest.mark.parametrize(
    ("sites", "covariates", "centre", "spread"),
    [(12, 1, 0, 1), (20, 4, 0, 1), (20, 30, 0, 1), (60, 5, 50, 10), (60, 3, 1000, 5), (40, 2, -3e4, 1e-3)],
)
def test_ridge_agrees_with_scikit_learn(generator, sites, covariates, centre, spread, penalty):
    x, y = survey(generator, sites, covariates, centre, spread)
    keep = leave_some_out(generator, sites, 12)
    fits = fit_penalised(x, y, keep, penalty=penalty)
    assert not (fits.at_limit | fits.one_class | fits.at_edge).any()
    assert predictors(x, fits.coefficients) == pytest.approx(by_scikit_learn(x, y, keep, penalty), abs=1e-8)


@pytest.mark.parametrize("c", [1e-3, 0.01, 1.0, 100.0])
def test_ridge_on_covariates_as_given_is_that_of_scikit_learn(generator, c):
    x, y = generator.random((60, 5)) * [1, 1, 4, 0.1, 1] + [0, 0, 3, 0, 0], (np.arange(60) < 12).astype(int)
    keep = ~np.eye(60, dtype=bool)
    fits = fit_penalised(x, y, keep, penalty=1 / c, standardise=False)
    model = LogisticRegression(C=c, solver="newton-cholesky", tol=1e-13, max_iter=1000)
    expected = np.array([model.fit(x[row], y[row]).decision_function(x) for row in keep])
    assert predictors(x, fits.coefficients) == pytest.approx(expected, abs=1e-8)


def test_ridge_on_covariates_of_different_units(generator):
    x, y = survey(generator, 50, 4)
    x = x * [1e-6, 1, 1e3, 1e6] + [0, 5, -1e5, 1e6]
    keep = ~np.eye(50, dtype=bool)
    fits = fit_penalised(x, y, keep)
    assert predictors(x, fits.coefficients) == pytest.approx(by_scikit_learn(x, y, keep, 1.0), abs=1e-8)


def test_ridge_on_small_parts_of_a_survey(generator):
    x, y = survey(generator, 60, 3)
    keep = np.array([np.isin(np.arange(60), generator.choice(60, 15, replace=False)) for _ in range(30)])
    fits = fit_penalised(x, y, keep)
    assert not fits.one_class.any()
    assert predictors(x, fits.coefficients) == pytest.approx(by_scikit_learn(x, y, keep, 1.0), abs=1e-8)


def test_ridge_on_separated_data(generator):
    x, y = separated()
    keep = ~np.eye(20, dtype=bool)
    for penalty in (1.0, 1e-3):
        fits = fit_penalised(x, y, keep, penalty=penalty)
        assert not fits.at_limit.any()
        assert predictors(x, fits.coefficients) == pytest.approx(by_scikit_learn(x, y, keep, penalty), abs=1e-8)


def test_ridge_when_one_site_dwarfs_the_others(generator):
    """Without that site a covariate varies a millionth as much: it is standardised by the sites that are left."""
    x, y = survey(generator, 30, 2)
    x[4, 1] = 1e6
    keep = ~np.eye(30, dtype=bool)
    fits = fit_penalised(x, y, keep)
    expected = by_scikit_learn(x, y, keep, 1.0)
    assert predictors(x, fits.coefficients)[keep] == pytest.approx(expected[keep], abs=1e-8)
    assert predictors(x, fits.coefficients)[4, 4] == pytest.approx(expected[4, 4], rel=1e-8)


def test_columns_that_are_constant(generator):
    x, y = survey(generator, 30, 1)
    once = np.zeros((30, 1))
    once[4] = 1
    x = np.hstack([np.full((30, 1), 0.1), x, once])
    keep = ~np.eye(30, dtype=bool)
    ridge, firth = fit_penalised(x, y, keep), fit_penalised(x, y, keep, "firth")
    assert predictors(x, ridge.coefficients) == pytest.approx(by_scikit_learn(x, y, keep, 1.0), abs=1e-8)
    for kind, fits in (("ridge", ridge), ("firth", firth)):
        assert (fits.coefficients[:, 1] == 0).all()
        assert list(np.flatnonzero(fits.coefficients[:, 3] == 0)) == [4]
        without = fit_penalised(x[:, 1:2], y, keep, kind).coefficients[4]
        assert fits.coefficients[4, [0, 2]] == pytest.approx(without, abs=1e-8)


def test_rare_levels_in_small_parts_of_a_survey(generator):
    x, y = survey(generator, 60, 1)
    levels = generator.integers(0, 20, 60)[:, None] == np.arange(6)
    x = np.hstack([x, levels])
    keep = np.array([np.isin(np.arange(60), generator.choice(60, 20, replace=False)) for _ in range(40)])
    fits = fit_penalised(x, y, keep)
    absent = np.array([~x[row, 1:].any(axis=0) for row in keep])
    assert 0.2 < absent.mean() < 0.8
    assert np.array_equal(fits.coefficients[:, 2:] == 0, absent)
    assert predictors(x, fits.coefficients) == pytest.approx(by_scikit_learn(x, y, keep, 1.0), abs=1e-8)
    assert np.array_equal(fit_penalised(x, y, keep, "firth").coefficients[:, 2:][absent], np.zeros(absent.sum()))


def test_a_heavy_penalty_leaves_the_intercept_and_a_light_one_nothing(generator):
    x, y = survey(generator, 60, 2)
    keep = leave_some_out(generator, 60, 5)
    heavy = fit_penalised(x, y, keep, penalty=1e12).coefficients
    share = (keep @ y) / keep.sum(axis=1)
    assert heavy[:, 0] == pytest.approx(np.log(share / (1 - share)), abs=1e-8)
    assert heavy[:, 1:] == pytest.approx(0, abs=1e-8)
    light = fit_penalised(x, y, keep, penalty=1e-10).coefficients
    assert light == pytest.approx(fit_masked(x, y, keep, tolerance=1e-14).coefficients, abs=1e-8)


def test_ridge_of_one_class_is_the_intercept_of_fit_masked(generator):
    x, y = generator.normal(size=(30, 2)), np.repeat([1, 0], [6, 24])
    keep = np.array([y == 0, y == 1, np.ones(30, bool)])
    fits = fit_penalised(x, y, keep)
    plain = fit_masked(x, y, keep)
    assert list(fits.one_class) == [True, True, False]
    assert np.array_equal(fits.coefficients[:2], plain.coefficients[:2])
    for flag in ("at_edge", "at_limit"):
        assert np.array_equal(getattr(fits, flag)[:2], getattr(plain, flag)[:2])
    assert predictors(x, fits.coefficients)[2:] == pytest.approx(by_scikit_learn(x, y, keep[2:], 1.0), abs=1e-8)


@pytest.mark.parametrize(("sites", "covariates"), [(10, 1), (14, 3), (60, 2), (60, 6)])
def test_firth_maximises_the_penalised_likelihood(generator, sites, covariates):
    x, y = survey(generator, sites, covariates)
    keep = leave_some_out(generator, sites, 6, most=4)
    fits = fit_penalised(x, y, keep, "firth")
    assert not fits.at_limit.any()
    for row, beta in zip(keep, fits.coefficients, strict=True):
        start = np.zeros(1 + covariates)
        found = minimize(firth_loss, start, (x[row], y[row]), options={"gtol": 1e-6})
        assert beta == pytest.approx(found.x, abs=1e-4)
        assert firth_loss(beta, x[row], y[row]) <= found.fun + 1e-12


def test_firth_solves_its_modified_score(generator):
    x, y = survey(generator, 30, 3)
    keep = leave_some_out(generator, 30, 8)
    for row, beta in zip(keep, fit_penalised(x, y, keep, "firth").coefficients, strict=True):
        design = np.column_stack([np.ones(row.sum()), x[row]])
        mu = expit(design @ beta)
        weighted = design * np.sqrt(mu * (1 - mu))[:, None]
        leverage = np.diag(weighted @ np.linalg.solve(weighted.T @ weighted, weighted.T))
        assert design.T @ (y[row] - mu + leverage * (0.5 - mu)) == pytest.approx(0, abs=1e-9)


def test_firth_with_the_intercept_alone_adds_half_a_site_to_each_class():
    y = np.repeat([1, 0], [13, 17])
    keep = np.vstack([~np.eye(30, dtype=bool), y == 1, y == 0])
    fits = fit_penalised(np.empty((30, 0)), y, keep, "firth")
    presences, sites = keep @ y, keep.sum(axis=1)
    assert fits.coefficients[:, 0] == pytest.approx(np.log((presences + 0.5) / (sites - presences + 0.5)), abs=1e-9)
    assert list(np.flatnonzero(fits.one_class)) == [30, 31]


def test_firth_of_a_saturated_table_adds_half_to_each_cell():
    """One binary covariate: Jeffreys' prior gives each of the four cells half a site (Firth 1993)."""
    x, y = np.repeat([0.0, 0.0, 1.0, 1.0], [7, 2, 0, 9])[:, None], np.repeat([0, 1, 0, 1], [7, 2, 0, 9])
    beta = fit_penalised(x, y, np.ones((1, 18), bool), "firth").coefficients[0]
    low, high = np.log(2.5 / 7.5), np.log(9.5 / 0.5)
    assert beta == pytest.approx([low, high - low], abs=1e-9)


def test_firth_is_finite_on_separated_data_and_on_one_class():
    x, y = separated()
    keep = np.vstack([~np.eye(20, dtype=bool), y == 1])
    fits = fit_penalised(x, y, keep, "firth")
    assert not (fits.at_limit | fits.at_edge).any()
    assert (np.abs(fits.coefficients) < 20).all()
    for k in (0, 10, 20):
        found = minimize(firth_loss, fits.coefficients[k], (x[keep[k]], y[keep[k]]), method="Nelder-Mead")
        assert firth_loss(fits.coefficients[k], x[keep[k]], y[keep[k]]) <= found.fun + 1e-10


def test_firth_of_a_dependent_column_gets_zero(generator):
    x, y = survey(generator, 40, 2)
    keep = leave_some_out(generator, 40, 6)
    fits = fit_penalised(np.hstack([x, x.sum(axis=1, keepdims=True)]), y, keep, "firth").coefficients
    assert (fits[:, 3] == 0).all()
    assert fits[:, :3] == pytest.approx(fit_penalised(x, y, keep, "firth").coefficients, abs=1e-8)


@KINDS
def test_what_must_not_change_a_fit(generator, kind):
    x, y = survey(generator, 40, 3)
    keep = leave_some_out(generator, 40, 8)
    b = fit_penalised(x, y, keep, kind).coefficients
    sites, fits = generator.permutation(40), generator.permutation(8)
    assert fit_penalised(x[sites], y[sites], keep[:, sites], kind).coefficients == pytest.approx(b, abs=1e-9)
    assert fit_penalised(x, y, keep[fits], kind).coefficients == pytest.approx(b[fits], abs=1e-9)
    assert fit_penalised(x, y, np.vstack([keep, keep]), kind).coefficients == pytest.approx(np.vstack([b, b]), abs=1e-9)
    assert fit_penalised(x, 1 - y, keep, kind).coefficients == pytest.approx(-b, abs=1e-9)
    assert fit_penalised(x[:, [2, 0, 1]], y, keep, kind).coefficients == pytest.approx(b[:, [0, 3, 1, 2]], abs=1e-9)
    units = np.array([1e-3, 4, 1e4])
    moved = fit_penalised(10 + units * x, y, keep, kind).coefficients
    assert moved[:, 1:] * units == pytest.approx(b[:, 1:], abs=1e-8)
    assert predictors(10 + units * x, moved) == pytest.approx(predictors(x, b), abs=1e-8)


def test_twice_the_sites_is_half_the_ridge_penalty(generator):
    x, y = survey(generator, 40, 3)
    keep = leave_some_out(generator, 40, 8)
    twice = fit_penalised(np.tile(x, (2, 1)), np.tile(y, 2), np.tile(keep, (1, 2)), penalty=2.0).coefficients
    assert twice == pytest.approx(fit_penalised(x, y, keep).coefficients, abs=1e-9)


@KINDS
def test_left_out_sites_do_not_matter(generator, kind):
    x, y = survey(generator, 40, 2)
    keep = leave_some_out(generator, 40, 5)
    keep[:, :5] = False
    b = fit_penalised(x, y, keep, kind).coefficients
    other_x, other_y = x.copy(), y.copy()
    other_x[:5], other_y[:5] = 1e9, 1 - y[:5]
    assert np.array_equal(fit_penalised(other_x, other_y, keep, kind).coefficients, b)
    for k, row in enumerate(keep):
        alone = fit_penalised(x[row], y[row], np.ones((1, row.sum()), bool), kind).coefficients[0]
        assert alone == pytest.approx(b[k], abs=1e-9)


@KINDS
def test_more_fits_than_one_block_holds(generator, kind):
    x, y = survey(generator, 300, 2)
    keep = leave_some_out(generator, 300, 1000)
    fits = fit_penalised(x, y, keep, kind)
    for k in (0, 425, 426, 427, 999):
        alone = fit_penalised(x, y, keep[k : k + 1], kind).coefficients[0]
        assert fits.coefficients[k] == pytest.approx(alone, abs=1e-9)


@KINDS
def test_surveys_solved_together_are_those_solved_alone(generator, kind):
    surveys = [survey(generator, 30, 2) for _ in range(3)]
    keeps = np.array([leave_some_out(generator, 30, 5) for _ in range(3)])
    together = fit_penalised(np.array([x for x, _ in surveys]), np.array([y for _, y in surveys]), keeps, kind)
    for k, (x, y) in enumerate(surveys):
        assert np.array_equal(together.coefficients[k], fit_penalised(x, y, keeps[k], kind).coefficients)


@KINDS
def test_sites_with_other_labels_are_surveys_of_their_own(generator, kind):
    x, _ = survey(generator, 30, 3)
    labels = generator.integers(0, 2, (4, 30))
    keeps = np.array([leave_some_out(generator, 30, 5) for _ in range(4)])
    together = fit_relabelled(np.broadcast_to(x, (4, 30, 3)), labels, keeps, kind, 0.5)
    for k in range(4):
        alone = fit_penalised(x, labels[k], keeps[k], kind, 0.5)
        assert together.coefficients[k] == pytest.approx(alone.coefficients, abs=1e-8)
        assert np.array_equal(together.one_class[k], alone.one_class)


@KINDS
def test_no_fits_no_surveys_and_other_number_types(generator, kind):
    x, y = survey(generator, 20, 2)
    keep = leave_some_out(generator, 20, 4)
    assert fit_penalised(x, y, keep[:0], kind).coefficients.shape == (0, 3)
    none = fit_penalised(np.empty((0, 20, 2)), np.empty((0, 20)), np.empty((0, 4, 20), bool), kind)
    assert none.coefficients.shape == (0, 4, 3)
    plain = fit_penalised(x, y, keep, kind).coefficients
    assert np.array_equal(
        fit_penalised(np.asfortranarray(x), y.astype(bool), keep.astype(int), kind).coefficients, plain
    )


@KINDS
def test_the_limit_is_told(generator, kind):
    x, y = survey(generator, 20, 2)
    assert fit_penalised(x, y, np.ones((3, 20), bool), kind, tolerance=1e-30, max_iterations=2).at_limit.all()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda x, y, k: (x, y[:-1], k), "labels and offset"),
        (lambda x, y, k: (x, y, k[:, :-1]), "keep needs shape"),
        (lambda x, y, k: (np.where(x == x[0, 0], np.nan, x), y, k), "finite"),
        (lambda x, y, k: (x, y + 1, k), r"0 \(absence\) or 1"),
        (lambda x, y, k: (x, y, np.zeros_like(k)), "every site"),
        (lambda x, y, k: (x, y, 0.5 * k), "keep must be 0 or 1"),
        (lambda x, y, k: (x[:, 0], y, k), "covariates need shape"),
        (lambda x, y, k: (x, y, k, "lasso"), "kind must be one of"),
        (lambda x, y, k: (x, y, k, "ridge", 0.0), "penalty must be above 0"),
        (lambda x, y, k: (x, y, k, "ridge", -1.0), "penalty must be above 0"),
        (lambda x, y, k: (x, y, k, "ridge", np.nan), "penalty must be above 0"),
        (lambda x, y, k: (x, y, k, "ridge", np.inf), "penalty must be above 0"),
        (lambda x, y, k: (x, y, k, "ridge", 1.0, 1e-8, 0), "max_iterations"),
    ],
)
def test_input_that_makes_no_sense_is_refused(generator, change, message):
    x, y = survey(generator, 20, 2)
    with pytest.raises(ValueError, match=message):
        fit_penalised(*change(x, y, np.ones((3, 20), bool)))
