"""The study of F1 and of fixed rules: against loops, counts by hand and the formulas of the source."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy.special import expit, logit
from sklearn.metrics import f1_score

import measure_f1
import show_consistency
from surveyauc.holdout import stratified_folds
from surveyauc.streams import IndependentStream
from surveyauc.surveys import GeneratingModel


@pytest.fixture(scope="module")
def surveys():
    """Three surveys whose fits have a maximum, also without a fold."""
    model = GeneratingModel.with_prevalence(1.1, 0.4)
    streams = [IndependentStream(3, "f1", number) for number in range(3)]
    drawn = [model.draw_survey(stream, 40, 8) for stream in streams]
    covariates, labels = (np.stack(part) for part in zip(*drawn, strict=True))
    folds = np.stack([stratified_folds(s, y, folds=5) for s, y in zip(streams, labels, strict=True)])
    return {"covariates": covariates, "labels": labels.astype(int), "stratified_folds": folds} | {
        "intercept": model.intercept,
        "slope": model.slope,
    }


def predicted(x, y, keep):
    fit = sm.GLM(y[keep], sm.add_constant(x[keep]), sm.families.Binomial()).fit(tol=1e-12)
    return sm.add_constant(x) @ fit.params


def best(scores, labels):
    return max(scores, key=lambda t: (f1_score(labels, scores >= t), t))


def looped(x, y, folds, threshold):
    """F1 by estimator; ``threshold`` from the scores and labels of a training set."""
    everything = np.ones(len(y), bool)
    full = predicted(x, y, everything)
    called = {"resub": full >= threshold(full, y)}
    for code, parts in (("loo", np.arange(len(y))), ("pooled5", folds)):
        called[code] = np.zeros(len(y), bool)
        for part in np.unique(parts):
            keep = parts != part
            scores = predicted(x, y, keep)
            called[code][~keep] = (scores >= threshold(scores[keep], y[keep]))[~keep]
    found = {code: f1_score(y, values, zero_division=0) for code, values in called.items()}
    inside = [f1_score(y[folds == k], called["pooled5"][folds == k], zero_division=0) for k in range(5)]
    return found | {"mean5": np.mean(inside)}


@pytest.mark.parametrize(
    ("name", "threshold"),
    [("one half", lambda s, y: 0.0), ("prevalence", lambda s, y: logit(0.4)), ("chosen", best)],
)
def test_f1_of_every_estimator_is_that_of_a_loop(surveys, name, threshold):
    rows = pd.DataFrame(measure_f1.score(surveys, 0.4, True, 0.0)).set_index(["threshold", "estimator"])
    loops = [
        looped(surveys["covariates"][k], surveys["labels"][k], surveys["stratified_folds"][k], threshold)
        for k in range(3)
    ]
    for code in ("resub", "loo", "pooled5", "mean5"):
        assert rows.at[(name, code), "value"] == pytest.approx(np.mean([loop[code] for loop in loops]), abs=1e-12)


def test_the_truth_is_that_of_new_sites(surveys, generator):
    rows = pd.DataFrame(measure_f1.score(surveys, 0.4, True, 0.0)).set_index(["threshold", "estimator"])
    z = generator.standard_normal((400_000, 1))
    occupied = generator.random(400_000) < expit(surveys["intercept"] + surveys["slope"] * z[:, 0])
    for name in ("one half", "chosen"):
        truths = []
        for x, y in zip(surveys["covariates"], surveys["labels"], strict=True):
            fit = sm.GLM(y, sm.add_constant(x), sm.families.Binomial()).fit(tol=1e-12)
            cut = 0.0 if name == "one half" else best(sm.add_constant(x) @ fit.params, y)
            truths.append(f1_score(occupied, sm.add_constant(z) @ fit.params >= cut))
        assert rows.at[(name, "loo"), "truth"] == pytest.approx(np.mean(truths), abs=0.005)
        bias = rows.at[(name, "loo"), "value"] - rows.at[(name, "loo"), "truth"]
        assert rows.at[(name, "loo"), "bias"] == pytest.approx(bias, abs=1e-12)


def test_surveys_with_few_presences_are_the_same_however_many():
    few = {"sites": 60, "slope": 1.1, "prevalence": 0.1, "surveys": 4, "seed": 7}
    four, two = measure_f1.draw_few(few, 5, 3), measure_f1.draw_few(few | {"surveys": 2}, 5, 3)
    assert (four["labels"].sum(axis=1) >= 3).all()
    for name in ("covariates", "labels", "stratified_folds"):
        assert np.array_equal(four[name][:2], two[name])


def test_samples_of_a_fixed_rule():
    model = GeneratingModel.with_prevalence(1.1, 0.1)
    sample = show_consistency.Sample(model, 0.1, 20, 4000, IndependentStream(5, "sample", 0), 0.0)
    area, measure = sample.auc_row(), sample.f1_row()
    assert area["share_expected"] == pytest.approx(0.9**20 + 0.1**20, abs=1e-5)  # the prevalence is 0.1 to 1e-6
    assert area["share_by_convention"] == pytest.approx(0.1216, abs=4 * np.sqrt(0.1216 * 0.8784 / 4000))
    assert measure["share_at_most"] == pytest.approx(0.9**20, abs=1e-5)
    assert measure["share_expected"] < 0.01 * measure["share_at_most"]
    assert area["presences"] == 2
    assert area["variance_bound"] == pytest.approx(1 / 36 + 1 / 2 + 1 / 18)
    assert area["variance_of_independent_pairs"] < area["variance"] / 3
    assert area["variance"] < area["variance_bound"]
    for row in (area, measure):
        assert row["rmse"] ** 2 >= (row["mean"] - row["truth"]) ** 2
    large = show_consistency.Sample(model, 0.1, 2000, 100, IndependentStream(5, "sample", 1), 0.0)
    for row in (large.auc_row(), large.f1_row()):
        assert row["mean"] == pytest.approx(row["truth"], abs=0.01)
        assert row["rmse"] < 0.04
        assert row["share_by_convention"] == 0
