"""Summaries against values worked out by hand."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm

from surveyauc.summaries import (
    bias_table,
    channel_table,
    mean_and_error,
    power_law,
    share,
    squared_error_difference,
)
from surveyauc.tables import write_table

SCORES = pd.DataFrame(
    {
        "truth": [0.7, 0.7, 0.8, 0.8],
        "loo": [0.5, 0.7, 0.6, 1.0],
        "slope_only": [0.6, 0.7, 0.7, 0.9],
        "lpo": [0.7, np.nan, 0.9, 0.8],
    }
)


def test_bias_table_by_hand():
    table = bias_table(SCORES, ["loo", "lpo"], batch=2).set_index("estimator")
    loo = table.loc["loo"]  # differences -0.2, 0, -0.2, 0.2
    assert loo["bias"] == pytest.approx(-0.05)
    assert loo["value"] == pytest.approx(0.7)
    assert loo["mcse"] == pytest.approx(np.sqrt((0.0225 + 0.0025 + 0.0225 + 0.0625) / 3 / 4))
    assert loo["rmse"] == pytest.approx(np.sqrt(0.12 / 4))
    assert (loo["lowest_batch"], loo["highest_batch"]) == (pytest.approx(-0.1), pytest.approx(0.0))
    lpo = table.loc["lpo"]  # differences 0, undefined, 0.1, 0
    assert lpo["surveys"] == 3
    assert lpo["bias"] == pytest.approx(0.1 / 3)
    assert lpo["mcse"] == pytest.approx(np.std([0, 0.1, 0], ddof=1) / np.sqrt(3))


def test_squared_errors_survey_by_survey():
    mean, error, count = squared_error_difference(SCORES, "loo", "slope_only")  # .04-.01, 0, .04-.01, .04-.01
    assert mean == pytest.approx(0.0225)
    assert error == pytest.approx(np.std([0.03, 0, 0.03, 0.03], ddof=1) / 2)
    assert count == 4


def test_channels_by_hand():
    table = channel_table(SCORES)  # slope only: differences -0.1, 0, -0.1, 0.1
    assert list(table["refit"]) == ["full refit", "slope only"]
    assert list(table["bias"]) == [pytest.approx(-0.05), pytest.approx(-0.025)]
    assert table["share_of_full"].iloc[1] == pytest.approx(0.5)


def test_a_share_and_its_error():
    assert share([1, 0, 0, 2, np.nan]) == (0.5, 0.25, 4)
    assert share([np.nan])[2] == 0
    assert np.isnan(share([np.nan])[0])
    assert mean_and_error([np.nan])[2] == 0
    assert np.isnan(mean_and_error([0.3])[1])


def test_tables_give_numbers_back(tmp_path):
    numbers = {"x": [0.1, 1 / 3, np.nan, 1e-300], "k": [1, 2, 3, 4], "flag": [True, False, True, True]}
    for columns in (numbers, pd.DataFrame(numbers)):
        write_table(columns, tmp_path / "t.csv")
        pd.testing.assert_frame_equal(pd.read_csv(tmp_path / "t.csv"), pd.DataFrame(numbers))
    assert (tmp_path / "t.csv").read_text().splitlines()[3] == ",3,True"


def test_a_power_law_is_the_weighted_regression_of_statsmodels(generator):
    sites = np.array([30, 60, 120, 240, 480])
    errors = np.array([0.002, 0.002, 0.004, 0.005, 0.004])
    bias = -0.9 * sites**-0.4 + errors * generator.standard_normal(5)
    fit = power_law(sites, bias, errors)
    weights = (bias / errors) ** 2
    there = sm.WLS(np.log(-bias), sm.add_constant(np.log(sites)), weights=weights).fit(cov_type="fixed scale")
    assert [fit["log_factor"], fit["exponent"]] == pytest.approx(there.params)
    assert fit["exponent_error"] == pytest.approx(there.bse[1])
    assert fit["chi_square"] == pytest.approx((weights * there.resid**2).sum())
    assert fit["degrees"] == 3
    assert fit["exponent"] == pytest.approx(-0.4, abs=4 * fit["exponent_error"])
    assert power_law(sites, -bias, errors) == fit


def test_a_power_law_needs_one_sign_and_three_points():
    for sites, bias in (([30, 60], [-0.1, -0.2]), ([30, 60, 90], [-0.1, 0.2, -0.1])):
        with pytest.raises(ValueError, match="3 points or more, all of one sign"):
            power_law(sites, bias, [0.1] * len(sites))
