"""Cross-validated AUC on small presence-absence surveys: streams, refits, estimators, truth, tilt and figures.

``surveyauc.score`` scores one survey: see `surveyauc.report.score`.
"""

import importlib


def __getattr__(name):
    """`score`, looked up when it is asked for, so that programs which import one module do not run on all of them."""
    if name == "score":
        return importlib.import_module("surveyauc.report").score
    raise AttributeError(f"module 'surveyauc' has no attribute {name!r}")
