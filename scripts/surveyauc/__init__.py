"""Cross-validated AUC on small presence-absence surveys: streams, refits, estimators, truth, tilt and figures."""
