"""Tables that installed packages ship, for the programs that try the two forms of leave-one-out on real data."""

import importlib
import operator
import sys

import numpy as np

RULES = {"==": operator.eq, ">": operator.gt}
TRIES = 1000  # subsamples drawn for one that holds enough of both classes


def load(table):
    """(covariates (rows, covariates), response (rows,)), rows with missing values left out.

    table : dict of ``package`` (sklearn or statsmodels), ``name``, ``response``, and as it may be ``covariates``
    (default all others) and ``presence_if``, a rule such as "> 0" that makes the response 0/1. Ends the program with
    one line where the table has no such column, or one that holds no numbers.
    """
    if table["package"] == "sklearn":
        frame = getattr(importlib.import_module("sklearn.datasets"), f"load_{table['name']}")(as_frame=True).frame
    else:
        frame = importlib.import_module(f"statsmodels.datasets.{table['name']}").load_pandas().data
    names = table.get("covariates") or [name for name in frame if name != table["response"]]
    of = f"table {table['name']} of {table['package']}"
    for name in [*names, table["response"]]:
        if name not in frame:
            sys.exit(f"{of}: no column {name!r}; there are: {', '.join(map(str, frame))}")
    try:
        frame = frame[[*names, table["response"]]].astype(float).dropna()
    except ValueError as error:
        sys.exit(f"{of}: a column that holds no numbers ({error})")
    response = frame[table["response"]].to_numpy()
    if "presence_if" in table:
        rule, value = table["presence_if"].split()
        response = RULES[rule](response, float(value)).astype(int)
    return frame[names].to_numpy(), response


def subsample(generator, covariates, response, rows, least):
    """At most so many random rows, drawn again until a 0/1 response has ``least`` of each; None: of any response. Ends
    the program with one line where that hardly ever happens."""
    for _ in range(TRIES):
        chosen = np.sort(generator.permutation(len(response))[:rows])
        drawn = response[chosen]
        if least is None or min(drawn.sum(), (1 - drawn).sum()) >= least:
            return covariates[chosen], drawn
    presences = f"of {len(response)} rows {response.sum():.0f} are presences"
    sys.exit(f"{presences}: subsamples of {rows} hardly ever hold {least} of each")


def principal_components(covariates, count=2):
    """(rows, count) the first principal components of the standardised columns; of no column more than once."""
    centred = covariates - covariates.mean(axis=0)
    deviation = centred.std(axis=0)
    centred = centred[:, deviation > 0] / deviation[deviation > 0]
    left, size, _ = np.linalg.svd(centred, full_matrices=False)
    return (left * size)[:, :count]


def feature_sets(covariates):
    """Both sets of covariates that every table is tried with, by name."""
    return {"all": covariates, "two components": principal_components(covariates)}
