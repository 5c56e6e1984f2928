"""What a report of a table says: as a tidy table in Python, as CSV and as JSON."""

import csv
import io
import json
from pathlib import Path

import numpy as np
import pandas as pd

from surveyauc.assessment import assess, described, outside_interval
from surveyauc.own_table import survey_of
from surveyauc.reading import SurveyError, Table, joined, presence_columns, read_table

COLUMNS = ["code", "estimator", "auc", "lower", "upper", "note"]
COUNTS = ["n", "presences", "rows_left_out"]
SPECIES_COLUMNS = ["species", "n", "presences", "lpo", "lower", "upper", "loo", "difference", "note"]


def score(
    table, presence, model="ml", penalty=1.0, alpha=0.05, seed=1, target_prevalence=None, progress=None, **reading
):
    """Every estimator on a survey, one row each, with its interval or the reason for none.

    table : DataFrame with one row per site, or the path of a file; presence : column; model : "ml", "ridge", "firth",
    or an estimator as in scikit-learn, which is fitted once for each refit, with a progress bar where tqdm is
    installed (progress=False: none); reading : as `own_table.survey_of` takes them (covariates, site, group, positive,
    presence_if, na_values, categorical, compare_with). F1, the comparison with a second model, the sites, presences,
    rows left out, warnings and sentences are in ``attrs`` of the result.

    Raises `reading.SurveyError` for a table that cannot be used.
    """
    survey = survey_of(_table_of(table, reading), presence, **reading)
    result = assess(
        survey, model, penalty, alpha, seed, target_prevalence, progress=_bar if progress is None else progress or None
    )
    tidy = pd.DataFrame(_rows(result), columns=COLUMNS)
    kept = ("n", "presences", "dropped_rows", "warnings", "notes", "f1", "comparison", "report", "ignore", "methods")
    tidy.attrs = {name: result[name] for name in kept}
    return tidy


def result_of(
    file,
    presence,
    name=None,
    model="ml",
    penalty=1.0,
    seed=1,
    target_prevalence=None,
    covariate_file=None,
    separator=None,
    encoding=None,
    quote='"',
    **reading,
):
    """All that a report of a file says, as a dict that fits JSON.

    presence : column, or several by name or by patterns such as "sp_*", as in a table of sites and species: then the
    result has a row for each of them, and one that cannot be scored does not stop the others; name : of the survey,
    default that of the file; covariate_file : a second table with the covariates of the same sites; the other options
    are those of `score` and of `own_table.survey_of`. Raises `reading.SurveyError`.
    """
    table = read_table(file, separator, encoding, quote)
    options = {"model": model, "penalty": penalty, "seed": seed, "target_prevalence": target_prevalence}
    presence = presence_columns(table, [presence] if isinstance(presence, str) else presence)
    if covariate_file:
        named = [*presence, *(reading.get("covariates") or []), *(reading.get("compare_with") or [])]
        named += [reading.get("site"), reading.get("group")]
        table = joined(table, read_table(covariate_file, separator, encoding, quote), named, reading.get("site"))
    shown = [text.encode("utf-8", "replace").decode() for text in (name or Path(file).stem, Path(file).name)]
    result = {"survey": shown[0], "file": shown[1]}
    if len(presence) > 1:
        if reading.get("compare_with"):
            raise SurveyError("two models are compared on one presence column, not on several")
        return result | assess_species(table, presence, options, reading)
    return result | {"presence": presence[0]} | assess(survey_of(table, presence[0], **reading), **options)


def csv_of(result):
    """The rows of what `result_of` gave, one for each estimator or species, as CSV."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    if "species" in result:
        columns, rows = SPECIES_COLUMNS, ([row[column] for column in SPECIES_COLUMNS] for row in result["species"])
    else:
        counts = [result["n"], result["presences"], len(result["dropped_rows"])]
        columns, rows = [*COLUMNS, *COUNTS], ([*row, *counts] for row in _rows(result))
    writer.writerow(columns)
    writer.writerows(["" if value is None else value for value in row] for row in rows)
    return text.getvalue()


def json_of(result):
    """What `result_of` gave, as JSON without missing numbers other than null."""
    return json.dumps(result, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def assess_species(table, species, options, reading):
    """A row for each column of presences: what to report of it, what pooled leave-one-out reads instead, or why it was
    left out. No species is a covariate of another."""
    rows, covariates = [], []
    for name in species:
        row = dict.fromkeys(SPECIES_COLUMNS) | {"species": name, "note": ""}
        try:
            survey = survey_of(table, name, ignored=species, **reading)
        except SurveyError as error:
            rows.append(row | {"note": f"left out: {error}"})
            continue
        result = assess(survey, briefly=True, **options)
        found = result["estimates"]
        covariates += [column for column in result["covariates"] if column not in covariates]
        outside = ["the interval does not hold the estimate"] if outside_interval(found["lpo"]) else []
        row |= {"n": result["n"], "presences": result["presences"], "note": "; ".join([*result["warnings"], *outside])}
        row |= {"lpo": found["lpo"]["auc"], "lower": found["lpo"]["lower"], "upper": found["lpo"]["upper"]}
        row |= {"loo": found["loo"]["auc"], "difference": found["loo"]["auc"] - found["lpo"]["auc"]}
        rows.append(row)
    if all(row["lpo"] is None for row in rows):
        raise SurveyError(f"no species can be scored; {rows[0]['species']}: {rows[0]['note']}")
    scored = sum(row["lpo"] is not None for row in rows)
    model = described(options["model"], options["penalty"])
    return {
        "species": rows,
        "notes": [*table.notes, *(f"presence means {rule}" for rule in [reading.get("presence_if")] if rule)],
        "model": model,
        "covariates": covariates,
        "level": 95.0,
        "report": f"{scored} of {len(rows)} species scored",
        "methods": f"The AUC of {model}, on {', '.join(covariates)}, was estimated for each species by leave-pair-out "
        "cross-validation, with 95 % intervals for the AUC of the fitted model on new sites by inversion of a "
        "simulated test of the resubstitution AUC.",
    }


def _table_of(table, reading):
    if not isinstance(table, pd.DataFrame):
        return read_table(table, *(reading.pop(key, None) for key in ("separator", "encoding")))
    if any(table.index.names):
        table = table.reset_index()
    names = [str(name) for name in table.columns]
    for k, name in enumerate(names):
        if name in names[:k]:
            raise SurveyError(f"column name {name!r} occurs twice (columns {names.index(name) + 1} and {k + 1})")
    columns = {name: [_text(value) for value in table.iloc[:, k]] for k, name in enumerate(names)}
    return Table(columns, list(range(1, len(table) + 1)), [])


def _text(value):
    """A cell as a text that gives it back."""
    if value is None or value is pd.NA or (isinstance(value, float) and np.isnan(value)):
        return ""
    if isinstance(value, (bool, np.bool_)):
        return str(int(value))
    return repr(float(value)) if isinstance(value, (float, np.floating)) else str(value).strip()


def _bar(items):
    try:
        from tqdm import tqdm
    except ImportError:
        return items
    return tqdm(items, desc="refits", leave=False)


def _rows(result):
    for code, row in result["estimates"].items():
        yield [code, row["name"], row["auc"], row["lower"], row["upper"], row["note"]]
