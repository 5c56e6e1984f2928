"""The estimators against loops of single fits, and what must not change them."""

import numpy as np
import pytest
import statsmodels.api as sm
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import LeaveOneOut, cross_val_predict

from surveyauc.estimators import ESTIMATORS, score_surveys
from surveyauc.holdout import DRAWS, every_pair, pairs, random_folds, stacked, stratified_folds, tilt_absences
from surveyauc.streams import IndependentStream
from surveyauc.surveys import GeneratingModel
from surveyauc.tilt import tilt_of_survey
from surveyauc.truth import truth_on_fresh_sites

SIX = ["resub", "loo", "rand5", "strat5", "perfold", "lpo"]
NEEDED = ("random_folds", "stratified_folds", "pairs")


def draw(number, sites=26, noise=1, pairs_at_most=40):
    stream = IndependentStream(5, "test", number)
    x, y = GeneratingModel.with_prevalence(1.0, 0.4, noise).draw_survey(stream, sites, 3)
    return x, y, {name: DRAWS[name](stream, y, folds=5, pairs_at_most=pairs_at_most) for name in NEEDED}


def score(x, y, drawn, estimators=SIX):
    scores = score_surveys(x[None], y[None], {name: value[None] for name, value in drawn.items()}, estimators)
    return {name: value[0] for name, value in scores.items()}


def fit(x, y, **options):
    return sm.GLM(y, sm.add_constant(x, has_constant="add"), family=sm.families.Binomial(), **options).fit().params


def predict(b, x):
    return b[0] + x @ b[1:]


@pytest.mark.parametrize("number", range(4))
def test_every_estimator_is_the_loop_that_its_definition_says(number):
    x, y, drawn = draw(number)
    here = score(x, y, drawn)
    sites = np.arange(len(y))
    assert here["resub"] == pytest.approx(roc_auc_score(y, predict(fit(x, y), x)))

    held_out = [predict(fit(x[sites != i], y[sites != i]), x[i]) for i in sites]
    assert here["loo"] == pytest.approx(roc_auc_score(y, held_out))

    for name, folds in (("rand5", drawn["random_folds"]), ("strat5", drawn["stratified_folds"])):
        held_out = np.empty(len(y))
        for k in range(5):
            held_out[folds == k] = predict(fit(x[folds != k], y[folds != k]), x[folds == k])
        assert here[name] == pytest.approx(roc_auc_score(y, held_out))
    inside = [(y[folds == k], held_out[folds == k]) for k in range(5)]
    defined = [roc_auc_score(*fold) for fold in inside if 0 < fold[0].sum() < len(fold[0])]
    assert here["perfold"] == pytest.approx(np.mean(defined))
    assert here["fold_na"] == 5 - len(defined)

    wins = []
    for i, j in drawn["pairs"]:
        keep = (sites != i) & (sites != j)
        b = fit(x[keep], y[keep])
        wins.append(predict(b, x[i]) > predict(b, x[j]))
    assert here["lpo"] == pytest.approx(np.mean(wins))


@pytest.mark.parametrize("number", [0, 3])
def test_every_pair_is_the_loop_over_all_of_them(number):
    x, y, drawn = draw(number, sites=15)
    sites, wins, truths = np.arange(len(y)), [], []
    for i in np.flatnonzero(y == 1):
        for j in np.flatnonzero(y == 0):
            keep = (sites != i) & (sites != j)
            b = fit(x[keep], y[keep])
            wins.append(predict(b, x[i]) > predict(b, x[j]))
            truths.append(b[1])
    scores = score_surveys(x[None], y[None], {"pairs": drawn["pairs"][None]}, ["lpo", "lpo_all"], lambda b: b[..., 1])
    assert scores["lpo_all"][0] == pytest.approx(np.mean(wins))
    assert scores["refits"][0] == 1 + len(wins) + len(drawn["pairs"])
    if len(wins) <= 40:
        assert scores["lpo"][0] == scores["lpo_all"][0]
        assert scores["truth_of_pairs"][0] == pytest.approx(np.mean(truths), rel=1e-6)


def test_every_pair_of_several_surveys_is_that_of_each():
    surveys = [draw(number) for number in range(6)]
    x, y = (np.stack(part) for part in list(zip(*surveys, strict=True))[:2])
    together = score_surveys(x, y, {}, ["lpo_all"])
    for k in range(6):
        alone = score_surveys(x[k : k + 1], y[k : k + 1], {}, ["lpo_all"])
        assert alone["lpo_all"][0] == together["lpo_all"][k]
        assert alone["refits"][0] == together["refits"][k] == 1 + y[k].sum() * (1 - y[k]).sum()


def test_rebalanced_and_tournament_are_the_loops_over_pairs():
    x, y, _ = draw(2, sites=14)
    sites = np.arange(len(y))

    def without(i, j):
        keep = (sites != i) & (sites != j)
        b = fit(x[keep], y[keep])
        return predict(b, x[i]), predict(b, x[j])

    of_presences, of_absences, won = [], [], np.zeros(len(y))
    for i in sites:
        for j in sites[i + 1 :]:
            first, second = without(i, j)
            won[i if first > second else j] += 1
            if y[i] != y[j]:
                of_presences.append(first if y[i] else second)
                of_absences.append(second if y[i] else first)
    scores = score(x, y, {"pairs": every_pair(y)}, ["rloo", "tlpo"])
    assert scores["tlpo"] == pytest.approx(roc_auc_score(y, won))
    both, classes = of_presences + of_absences, np.repeat([1, 0], len(of_presences))
    assert scores["rloo"] == pytest.approx(roc_auc_score(classes, both))
    # One of two surveys with fewer pairs than the other is scored as it is alone.
    other_x, other_y, _ = draw(5, sites=14)
    assert len(every_pair(y)) != len(every_pair(other_y))
    pairs_of_both = stacked([every_pair(y), every_pair(other_y)])
    together = score_surveys(np.stack([x, other_x]), np.stack([y, other_y]), {"pairs": pairs_of_both}, ["rloo", "tlpo"])
    alone = score(other_x, other_y, {"pairs": every_pair(other_y)}, ["rloo", "tlpo"])
    for code in ("rloo", "tlpo"):
        assert together[code] == pytest.approx([scores[code], alone[code]], abs=1e-12)


def test_surveys_with_fixed_numbers_of_both_classes():
    model = GeneratingModel.with_prevalence(1.1, 0.1)
    drawn = [model.draw_classes(IndependentStream(3, "fixed", k), 5, 45) for k in range(400)]
    assert {(int(y.sum()), len(y)) for _, y in drawn} == {(5, 50)}
    presences, absences = (np.concatenate([x[y == value, 0] for x, y in drawn]) for value in (1, 0))
    fresh, labels = model.draw_sites(IndependentStream(4, "fixed", 0), 400_000)
    for kept, value in ((presences, 1), (absences, 0)):  # as any presence and any absence of the model
        expected = fresh[labels == value, 0]
        assert kept.mean() == pytest.approx(expected.mean(), abs=4 / np.sqrt(len(kept)))
        assert kept.std() == pytest.approx(expected.std(), abs=4 / np.sqrt(len(kept)))
    assert presences.mean() > absences.mean() + 0.5


def test_slope_only_keeps_the_intercept_of_the_full_fit():
    x, y, _ = draw(1, noise=0)
    intercept, sites, held_out = fit(x, y)[0], np.arange(len(y)), []
    for i in sites:
        keep = sites != i
        offset = np.full(keep.sum(), intercept)
        slope = sm.GLM(y[keep], x[keep], family=sm.families.Binomial(), offset=offset).fit().params[0]
        held_out.append(intercept + slope * x[i, 0])
    assert score(x, y, {}, ["slope_only"])["slope_only"] == pytest.approx(roc_auc_score(y, held_out))


def test_leave_one_out_agrees_with_scikit_learn():
    x, y, _ = draw(2, sites=40)
    model = LogisticRegression(C=np.inf, tol=1e-10, max_iter=1000)
    held_out = cross_val_predict(model, x, y, cv=LeaveOneOut(), method="decision_function")
    assert score(x, y, {}, ["loo"])["loo"] == pytest.approx(roc_auc_score(y, held_out))


def test_what_must_not_change_an_estimate():
    x, y, drawn = draw(3)
    before = score(x, y, drawn)
    order = np.random.default_rng(0).permutation(len(y))
    place = np.argsort(order)
    moved = {
        "random_folds": drawn["random_folds"][order],
        "stratified_folds": drawn["stratified_folds"][order],
        "pairs": place[drawn["pairs"]],
    }
    swapped = drawn | {"pairs": drawn["pairs"][:, ::-1]}
    for after in (score(x[order], y[order], moved), score(x, 1 - y, swapped), score(5 - 3 * x, y, drawn)):
        for name in SIX:
            assert after[name] == pytest.approx(before[name], abs=1e-12), name


def test_surveys_together_are_surveys_alone():
    surveys = [draw(number, pairs_at_most=150) for number in range(5)]
    together = score_surveys(
        np.array([x for x, _, _ in surveys]),
        np.array([y for _, y, _ in surveys]),
        {name: stacked([drawn[name] for _, _, drawn in surveys]) for name in NEEDED},
        SIX,
    )
    assert len({int(y.sum() * (1 - y).sum()) for _, y, _ in surveys}) > 1  # so that some pair lists are filled up
    for k, survey in enumerate(surveys):
        alone = score(*survey)
        for name in ("refits", "at_edge", "at_limit", "one_class", "fold_na"):
            assert together[name][k] == alone[name]
        for name in SIX:
            assert together[name][k] == pytest.approx(alone[name], abs=1e-12)


def test_a_training_set_of_one_class_ties_what_it_holds_out():
    x, y, _ = draw(0, noise=0)
    folds = np.where(y == 1, 0, np.arange(len(y)) % 4 + 1)  # all presences in one fold
    here = score(x, y, {"random_folds": folds}, ["rand5"])
    assert here["one_class"] == 1
    assert here["rand5"] == 0.0  # the presences all get the intercept of no presence at all
    folds[np.flatnonzero(y == 0)[:2]] = 0
    here = score(x, y, {"random_folds": folds}, ["rand5"])
    assert here["rand5"] == pytest.approx(0.5 * y.sum() * 2 / (y.sum() * (1 - y).sum()))
    assert here["rand5_undecided"] == 2 * y.sum()


def test_an_estimator_without_its_draw_is_refused():
    x, y, _ = draw(0)
    with pytest.raises(KeyError, match="pairs"):
        score(x, y, {}, ["lpo"])
    with pytest.raises(KeyError, match="no_such"):
        score(x, y, {}, ["no_such"])
    with pytest.raises(ValueError, match="one covariate, got 2"):
        score(x, y, {}, ["slope_only"])


def test_folds_deal_out_sites_and_classes_evenly():
    y = np.repeat([1, 0], [9, 24])
    folds = random_folds(IndependentStream(1, "f", 0), y, folds=5)
    assert sorted(np.bincount(folds)) == [6, 6, 7, 7, 7]
    folds = stratified_folds(IndependentStream(1, "f", 1), y, folds=5)
    assert sorted(np.bincount(folds[y == 1])) == [1, 2, 2, 2, 2]
    assert sorted(np.bincount(folds[y == 0])) == [4, 5, 5, 5, 5]


def test_pairs_are_one_presence_and_one_absence_without_repetition():
    y = np.random.default_rng(1).permutation(np.repeat([1, 0], [12, 20]))
    some = pairs(IndependentStream(1, "p", 0), y, pairs_at_most=150)
    assert (y[some[:, 0]] == 1).all()
    assert (y[some[:, 1]] == 0).all()
    assert len({tuple(pair) for pair in some.tolist()}) == len(some) == 150
    assert len(pairs(IndependentStream(1, "p", 0), y, pairs_at_most=1000)) == 240


def test_every_estimator_has_a_name_and_a_scheme_of_its_own():
    assert len({estimator.name for estimator in ESTIMATORS.values()}) == len(ESTIMATORS)
    assert {estimator.draw for estimator in ESTIMATORS.values()} <= {None, *DRAWS}


def test_truth_is_the_auc_on_fresh_sites(generator):
    coefficients = generator.normal(size=(3, 3))
    fresh, labels = generator.normal(size=(3, 500, 2)), generator.integers(0, 2, (3, 500))
    truth = truth_on_fresh_sites(coefficients, fresh, labels)
    for k in range(3):
        assert truth[k] == pytest.approx(roc_auc_score(labels[k], fresh[k] @ coefficients[k, 1:]), abs=1e-14)


def test_truth_of_one_covariate_depends_on_the_sign_alone(generator):
    fresh, labels = generator.normal(size=(2, 300, 1)), np.tile(generator.integers(0, 2, 300), (2, 1))
    fresh[1] = fresh[0]
    up, down = truth_on_fresh_sites(np.array([[0.3, 2.0], [-1.0, -0.1]]), fresh, labels)
    assert up == pytest.approx(1 - down, abs=1e-14)


def test_tilt_is_measured_as_defined():
    x, y, _ = draw(1, sites=40, noise=0)
    absences = tilt_absences(IndependentStream(2, "t", 0), y, tilt_absences=6)
    assert (y[absences] == 0).all()
    assert len(set(absences.tolist())) == 6
    tilt, full, sites = tilt_of_survey(x, y, absences), fit(x, y), np.arange(len(y))

    def drop(i):
        return predict(full, x[i]) - predict(fit(x[sites != i], y[sites != i]), x[i])

    assert tilt["n1"] == y.sum()
    assert tilt["pres"] == pytest.approx(np.mean([drop(i) for i in np.flatnonzero(y)]), abs=1e-6)
    assert tilt["abs"] == pytest.approx(-np.mean([drop(i) for i in absences]), abs=1e-6)
    assert tilt["spread"] == pytest.approx(np.std(predict(full, x), ddof=1), abs=1e-6)
    p = 1 / (1 + np.exp(-predict(full, x)))
    assert tilt["info"] == pytest.approx((p * (1 - p)).sum(), abs=1e-6)
    assert tilt["pres"] > 0 < tilt["abs"]


def test_all_absences_are_taken_where_there_are_few():
    y = np.repeat([1, 0], [30, 4])
    assert sorted(tilt_absences(IndependentStream(2, "t", 1), y, tilt_absences=30)) == [30, 31, 32, 33]
