"""The batched refits against statsmodels, closed forms, exact arithmetic and what must not change them."""

import mpmath
import numpy as np
import pytest
import statsmodels.api as sm

from surveyauc.logistic import fit_masked


def survey(generator, sites=40, covariates=2, centre=0.0, spread=1.0):
    x = centre + spread * generator.normal(size=(sites, covariates))
    standard = (x - centre) / spread
    y = (generator.random(sites) < 1 / (1 + np.exp(0.4 - 0.8 * standard[:, 0]))).astype(int)
    return x, y


def leave_some_out(generator, sites, fits):
    keep = np.ones((fits, sites), bool)
    for row in keep:
        row[generator.choice(sites, generator.integers(0, 6), replace=False)] = False
    return keep


def reference(x, y, keep, offset=None, intercept=True, tol=1e-13):
    design = np.column_stack([np.ones(len(y)), x]) if intercept else x
    offset = None if offset is None else offset[keep]
    model = sm.GLM(y[keep], design[keep], family=sm.families.Binomial(), offset=offset)
    return model.fit(tol=tol, maxiter=100).params


@pytest.mark.parametrize(
    ("covariates", "centre", "spread"), [(1, 0, 1), (2, 0, 1), (5, 0, 1), (2, 50, 10), (3, 1000, 5), (1, -3e4, 200)]
)
def test_agrees_with_statsmodels(generator, covariates, centre, spread):
    for _ in range(4):
        x, y = survey(generator, 60, covariates, centre, spread)
        keep = leave_some_out(generator, 60, 12)
        loose, tight = fit_masked(x, y, keep), fit_masked(x, y, keep, tolerance=1e-14)
        assert not (loose.at_edge | loose.at_limit | loose.one_class).any()
        for k, row in enumerate(keep):
            exact = reference(x, y, row)
            size = np.maximum(1, np.abs(exact))
            assert (np.abs(loose.coefficients[k] - exact) / size).max() < 1e-6
            assert (np.abs(tight.coefficients[k] - exact) / size).max() < 1e-8


def test_slope_with_a_frozen_intercept(generator):
    x, y = survey(generator, 40, 1)
    keep, offset = leave_some_out(generator, 40, 10), np.full(40, -0.7)
    fits = fit_masked(x, y, keep, offset=offset, intercept=False, tolerance=1e-14)
    for k, row in enumerate(keep):
        assert fits.coefficients[k] == pytest.approx(reference(x, y, row, offset, intercept=False), abs=1e-8)


def test_an_offset_that_differs_between_sites(generator):
    x, y = survey(generator, 50, 2)
    offset = generator.normal(size=50)
    keep = leave_some_out(generator, 50, 6)
    fits = fit_masked(x, y, keep, offset=offset, tolerance=1e-14)
    for k, row in enumerate(keep):
        assert fits.coefficients[k] == pytest.approx(reference(x, y, row, offset), abs=1e-8)


def test_intercept_alone_is_the_logit_of_the_share(generator):
    y = np.repeat([1, 0], [13, 17])
    keep = ~np.eye(30, dtype=bool)
    fits = fit_masked(np.empty((30, 0)), y, keep, tolerance=1e-14)
    share = np.where(y == 1, 12, 13) / 29
    assert fits.coefficients[:, 0] == pytest.approx(np.log(share / (1 - share)), abs=1e-12)


def test_surveys_solved_together_are_those_solved_alone(generator):
    surveys = [survey(generator, 30, 2) for _ in range(9)]
    keeps = np.array([leave_some_out(generator, 30, 50) for _ in range(9)])
    together = fit_masked(np.array([x for x, _ in surveys]), np.array([y for _, y in surveys]), keeps)
    for k, (x, y) in enumerate(surveys):
        alone = fit_masked(x, y, keeps[k])
        np.testing.assert_allclose(together.coefficients[k], alone.coefficients, rtol=1e-9, atol=1e-9)
        assert np.array_equal(together.at_edge[k], alone.at_edge)
        assert np.array_equal(together.at_limit[k], alone.at_limit)


def test_more_fits_than_one_block_holds(generator):
    x, y = survey(generator, 300, 1)
    keep = leave_some_out(generator, 300, 1000)
    fits = fit_masked(x, y, keep)
    for k in (0, 425, 426, 427, 999):
        assert fits.coefficients[k] == pytest.approx(fit_masked(x, y, keep[k : k + 1]).coefficients[0], abs=1e-9)


def test_what_must_not_change_a_fit(generator):
    x, y = survey(generator, 40, 3)
    keep = leave_some_out(generator, 40, 8)
    b = fit_masked(x, y, keep).coefficients
    order = generator.permutation(40)
    assert fit_masked(x[order], y[order], keep[:, order]).coefficients == pytest.approx(b, abs=1e-10)
    assert fit_masked(x, 1 - y, keep).coefficients == pytest.approx(-b, abs=1e-10)
    assert fit_masked(x[:, [2, 0, 1]], y, keep).coefficients == pytest.approx(b[:, [0, 3, 1, 2]], abs=1e-10)
    moved = fit_masked(10 + 4 * x, y, keep).coefficients
    assert moved[:, 1:] == pytest.approx(b[:, 1:] / 4, abs=1e-10)
    twice = fit_masked(np.tile(x, (2, 1)), np.tile(y, 2), np.tile(keep, (1, 2))).coefficients
    assert twice == pytest.approx(b, abs=1e-6)


def test_left_out_sites_do_not_matter(generator):
    x, y = survey(generator, 40, 2)
    keep = np.ones((1, 40), bool)
    keep[0, :5] = False
    changed = y.copy()
    changed[:5] = 1 - changed[:5]
    assert fit_masked(x, changed, keep).coefficients == pytest.approx(fit_masked(x, y, keep).coefficients, abs=1e-10)
    assert fit_masked(x[5:], y[5:], keep[:, 5:]).coefficients == pytest.approx(
        fit_masked(x, y, keep).coefficients, abs=1e-9
    )


def test_one_class_stops_where_r_stops(generator):
    x = generator.normal(size=(30, 2))
    y = np.repeat([1, 0], [6, 24])
    keep = np.array([y == 0, y == 1, np.ones(30, bool)])
    fits = fit_masked(x, y, keep)
    assert list(fits.one_class) == [True, True, False]
    assert (fits.coefficients[:2, 1:] == 0).all()
    assert fits.coefficients[0, 0] == pytest.approx(-25.566, abs=5e-4)  # R's glm.fit on 24 absences
    assert 23 < fits.coefficients[1, 0] < 26
    assert not fits.at_edge.any()


def test_separation_is_told(generator):
    x = np.linspace(-1, 1, 20)[:, None]
    y = (x[:, 0] > 0).astype(int)
    fits = fit_masked(x, y, np.ones((1, 20), bool))
    assert fits.at_edge.all()
    assert np.isfinite(fits.coefficients).all()
    assert fit_masked(x, y, np.ones((1, 20), bool), max_iterations=5).at_limit.all()


def test_separated_fits_end_where_exact_arithmetic_ends(generator):
    x = generator.normal(size=(14, 3))
    y = (x[:, 0] + 0.1 * x[:, 1] > 0.2).astype(int)
    fits = fit_masked(x, y, np.ones((1, 14), bool))
    assert fits.at_edge.all()
    exact = irls_in_exact_arithmetic(x, y)
    assert fits.coefficients[0] == pytest.approx(exact, rel=1e-5)


def irls_in_exact_arithmetic(x, y):
    """R's iteration with 60 digits."""
    mp = mpmath.mp.clone()
    mp.dps = 60
    n = len(y)
    design = mp.matrix([[1, *map(float, row)] for row in x])
    eps = mp.mpf(2) ** -52
    eta = [mp.log(3) * (1 if v else -1) for v in y]
    odds = [mp.exp(e) for e in eta]
    deviance = 2 * n * mp.log(mp.mpf(4) / 3)
    for _ in range(25):
        mu = [o / (1 + o) for o in odds]
        slope = [eps if abs(e) > 30 else o / (1 + o) ** 2 for e, o in zip(eta, odds, strict=True)]
        weight = [s * s / (m * (1 - m)) for s, m in zip(slope, mu, strict=True)]
        response = [e + (int(v) - m) / s for e, v, m, s in zip(eta, y, mu, slope, strict=True)]
        information = design.T * mp.diag(weight) * design
        beta = mp.lu_solve(information, design.T * mp.diag(weight) * mp.matrix(response))
        eta = list(design * beta)
        odds = [eps if e < -30 else 1 / eps if e > 30 else mp.exp(e) for e in eta]
        mu = [o / (1 + o) for o in odds]
        new = sum(-2 * mp.log(m if v else 1 - m) for m, v in zip(mu, y, strict=True))
        if abs(new - deviance) / (abs(new) + mp.mpf("0.1")) < mp.mpf("1e-8"):
            break
        deviance = new
    return np.array([float(b) for b in beta])


def test_a_dependent_column_gets_zero(generator):
    x, y = survey(generator, 40, 2)
    keep = leave_some_out(generator, 40, 6)
    plain = fit_masked(x, y, keep).coefficients
    for extra in (x[:, :1], 3 - 2 * x[:, 1:], np.full((40, 1), 0.1), x.sum(axis=1, keepdims=True)):
        fits = fit_masked(np.hstack([x, extra]), y, keep).coefficients
        assert (fits[:, 3] == 0).all()
        assert fits[:, :3] == pytest.approx(plain, abs=1e-8)


def test_a_column_constant_in_one_training_set_only(generator):
    x, y = survey(generator, 30, 1)
    once = np.zeros((30, 1))
    once[4] = 1
    keep = np.ones((1, 30), bool)
    keep[0, 4] = False
    fits = fit_masked(np.hstack([x, once]), y, keep).coefficients
    assert fits[0, 2] == 0
    assert fits[0, :2] == pytest.approx(fit_masked(x, y, keep).coefficients[0], abs=1e-8)


def test_a_dependent_column_stays_out_when_the_weights_collapse(generator):
    """Of z, h and z * h the last depends on the others when h is 1 at one training site only; that site is then fitted
    perfectly and its weight vanishes."""
    h = np.zeros(20)
    h[[4, 9]] = 1
    keep = np.ones((3, 20), bool)
    keep[:, 9] = False
    for _ in range(150):
        z = np.round(generator.normal(size=20), 2)
        y = (generator.random(20) < 0.5).astype(int)
        fits = fit_masked(np.column_stack([z, h, z * h]), y, keep)
        assert (fits.coefficients[:, 3] == 0).all()
        assert np.array_equal(fits.coefficients[0], fits.coefficients[2])
        without = fit_masked(np.column_stack([z, h]), y, keep)
        assert fits.coefficients[:, :3] == pytest.approx(without.coefficients, rel=1e-6, abs=1e-6)


def test_fewer_training_sites_than_columns(generator):
    x, y = generator.normal(size=(12, 4)), np.repeat([1, 0], 6)
    keep = np.zeros((20, 12), bool)
    for row in keep:
        row[generator.choice(np.flatnonzero(y), 2, replace=False)] = True
        row[generator.choice(np.flatnonzero(1 - y), 1)] = True
    fits = fit_masked(x, y, keep)
    assert (fits.coefficients[:, 3:] == 0).all()
    assert fits.coefficients[:, :3] == pytest.approx(fit_masked(x[:, :2], y, keep).coefficients, rel=1e-6)


def test_no_fits_no_surveys_and_other_number_types(generator):
    x, y = survey(generator, 20, 2)
    keep = leave_some_out(generator, 20, 4)
    plain = fit_masked(x, y, keep).coefficients
    assert fit_masked(x, y, keep[:0]).coefficients.shape == (0, 3)
    assert fit_masked(np.empty((0, 20, 2)), np.empty((0, 20)), np.empty((0, 4, 20), bool)).coefficients.shape == (
        0,
        4,
        3,
    )
    years = np.round(2000 + 10 * x).astype(np.float32)
    assert fit_masked(years, y, keep).coefficients == pytest.approx(
        fit_masked(years.astype(float), y, keep).coefficients
    )
    assert np.array_equal(fit_masked(np.asfortranarray(x), y.astype(bool), keep.astype(int)).coefficients, plain)


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
    ],
)
def test_input_that_makes_no_sense_is_refused(generator, change, message):
    x, y = survey(generator, 20, 2)
    with pytest.raises(ValueError, match=message):
        fit_masked(*change(x, y, np.ones((3, 20), bool)))
