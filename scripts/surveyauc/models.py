"""The models that a survey can be scored with: how a table becomes a design, and refits of it with sites left out.

Everything that is learnt from data is learnt from the training sites of each refit: standardising inside the penalised
fits, and the level of a category that no training site has, whose coefficient is 0 there, so that a held-out site of
that level counts as one of the commonest level.
"""

from functools import partial

import numpy as np
import pandas as pd

from surveyauc.logistic import fit_masked
from surveyauc.penalised import fit_penalised, fit_relabelled
from surveyauc.reading import SurveyError

MODELS = {
    "ml": "logistic regression, maximum likelihood",
    "ridge": "logistic regression with a ridge penalty of {penalty:g} on standardised covariates",
    "firth": "logistic regression, Firth's penalised likelihood",
}
FITS_AT_ONCE = 5_000_000  # bounds the memory: predictors of so many sites and fits together


def design_of(frame):
    """(sites, columns) of floats: numbers as they stand, a category as 0/1 columns of all its levels but the commonest.

    frame : DataFrame without missing values
    """
    columns = []
    for name in frame:
        values = frame[name]
        if pd.api.types.is_numeric_dtype(values):
            columns.append(values.to_numpy(dtype=float))
        else:
            counts = values.value_counts()
            commonest = min(counts.index[counts == counts.max()])
            columns += [(values == level).to_numpy(dtype=float) for level in sorted(counts.index.drop(commonest))]
    return np.column_stack(columns)


def refits_of(design, labels, model="ml", penalty=1.0, progress=None):
    """A function from training sets, (fits, sites) bool, to linear predictors, (sites, fits).

    model : a key of `MODELS`, or an object with ``fit`` and ``decision_function`` or ``predict_proba`` as in
    scikit-learn, fitted once for every training set; progress : wraps that loop, as tqdm does
    """
    if not isinstance(model, str):
        return lambda keep: _looped(model, design, labels, keep, progress or (lambda items: items))
    if model not in MODELS:
        raise ValueError(f"no model {model!r}; there are: {', '.join(MODELS)}")

    def refit(keep):
        at_once = max(1, FITS_AT_ONCE // len(labels))
        parts = []
        for first in range(0, len(keep), at_once):
            these = keep[first : first + at_once]
            if model == "ml":
                fits = fit_masked(design, labels, these)
            else:
                fits = fit_penalised(design, labels, these, model, penalty)
            parts.append(design @ fits.coefficients[:, 1:].T + fits.coefficients[:, 0])
        return np.concatenate(parts, axis=1)

    return refit


def solver_of(model, penalty=1.0):
    """The solver of a model of `MODELS` for surveys with the same sites and other labels, called like
    `logistic.fit_masked`."""
    return fit_masked if model == "ml" else partial(fit_relabelled, kind=model, penalty=penalty)


def _looped(model, design, labels, keep, progress):
    from sklearn.base import clone

    if not (hasattr(model, "decision_function") or hasattr(model, "predict_proba")):
        raise SurveyError(f"{type(model).__name__} gives no scores: it has neither decision_function nor predict_proba")
    predictors = []
    for training in progress(keep):
        try:
            fitted = clone(model).fit(design[training], labels[training])
            if hasattr(fitted, "decision_function"):
                scores = fitted.decision_function(design)
            else:
                scores = fitted.predict_proba(design)[:, list(fitted.classes_).index(1)]
        except Exception as error:  # whatever a model of somebody else can raise
            raise SurveyError(
                f"{type(model).__name__} failed on {training.sum()} training sites, {labels[training].sum()} of them "
                f"presences ({type(error).__name__}: {error})"
            ) from error
        if not np.isfinite(scores).all():
            raise SurveyError(f"{type(model).__name__} gives scores that are not finite")
        predictors.append(scores)
    return np.array(predictors).T
