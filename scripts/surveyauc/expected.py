"""How far off each estimator is on surveys like a given one: simulated from its covariates and its fit."""

import numpy as np
import pandas as pd

from surveyauc.estimators import ESTIMATORS, score_surveys
from surveyauc.holdout import pairs, random_folds, stacked, stratified_folds
from surveyauc.inversion import draw_with_presences, occupancy, strength_of_mean
from surveyauc.own_survey import FOLDS
from surveyauc.ranks import expected_auc

CODES = ("resub", "loo", "rand5", "strat5", "perfold", "lpo", "rloo", "tlpo")
TOURNAMENT_UP_TO = 60  # sites
SITES = 15_000  # surveys are simulated until they hold so many sites, within the next limits
SURVEYS = (50, 400)
PAIRS = 150


def expected_bias(simulation, look):
    """Bias and spread of the estimators on surveys with these covariates and this number of presences, drawn from the
    fit shrunken so that resubstitution reads on average what it reads here.

    simulation : `inversion.Simulation`; look : its `inversion.first_look`. Returns a dict of ``note``, a sentence, and
    ``estimators``, by code their ``name``, ``family``, ``bias``, ``mcse`` (Monte Carlo standard error) and ``sd``. With
    more than `TOURNAMENT_UP_TO` sites there is no tournament among them, as each takes a refit for every two.
    """
    design, stream = simulation.covariates, simulation.stream
    probability = occupancy(strength_of_mean(simulation, look) * simulation.score, simulation.presences)
    draws = int(np.clip(SITES // len(design), *SURVEYS))
    drawn = draw_with_presences(stream, probability, simulation.presences, draws)
    schemes = {
        "random_folds": np.stack([random_folds(stream, y, FOLDS) for y in drawn]),
        "stratified_folds": np.stack([stratified_folds(stream, y, FOLDS) for y in drawn]),
        "pairs": stacked([pairs(stream, y, PAIRS) for y in drawn]),
    }
    codes = [code for code in CODES if code != "tlpo" or len(design) <= TOURNAMENT_UP_TO]
    same_sites = np.broadcast_to(design, (draws, *design.shape))
    scores = score_surveys(same_sites, drawn, schemes, codes, fit=simulation.fit)
    predictors = scores["coefficients"][:, 1:] @ design.T
    truth = expected_auc(predictors, probability, np.ones(predictors.shape))
    rows = {}
    for code in codes:
        error = pd.Series(scores[code] - truth).dropna()
        measures = {"bias": error.mean(), "mcse": error.std() / np.sqrt(len(error)), "sd": error.std()}
        rows[code] = named(code) | {name: float(v) if np.isfinite(v) else None for name, v in measures.items()}
    note = f"{draws} simulated surveys; the model behind them has an AUC of {np.mean(truth):.2f} on average"
    return {"note": note, "estimators": rows}


def named(code):
    return {"name": ESTIMATORS[code].name, "family": ESTIMATORS[code].family}
