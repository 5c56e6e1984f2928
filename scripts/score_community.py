"""Score every species of a table that an installed package ships: pooled leave-one-out against leave-pair-out.

Species with too few presences or absences are kept in the table, without values.
"""

import argparse
import importlib.util
import sys
from pathlib import Path

import numpy as np
import pandas as pd

from surveyauc.holdout import every_pair
from surveyauc.models import design_of, refits_of
from surveyauc.own_survey import held_out_scores, pair_scores
from surveyauc.own_table import survey_of
from surveyauc.ranks import auc, beats
from surveyauc.reading import SurveyError, joined, presence_columns, read_table
from surveyauc.tables import write_table


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--package", required=True)
    parser.add_argument("--species", required=True, help="table of sites and species, inside the package")
    parser.add_argument("--sites", required=True, help="table of the same sites, inside the package")
    parser.add_argument("--presence-if", required=True, help="what a cell of a species must be for a presence")
    parser.add_argument("--covariates", nargs="+", required=True)
    parser.add_argument("--least", type=int, required=True, help="presences and absences that a species must have")
    parser.add_argument("--output", required=True)
    args = parser.parse_args()

    found = importlib.util.find_spec(args.package)
    if found is None:
        sys.exit(f"the package {args.package} is not installed here: make communities installs it")
    folder = Path(found.submodule_search_locations[0])
    try:
        table = read_table(folder / args.species)
        species = presence_columns(table, ["*"])
        table = joined(table, read_table(folder / args.sites), species)
        rows = [row(table, name, species, args.covariates, args.presence_if, args.least) for name in species]
    except SurveyError as error:
        sys.exit(f"{folder / args.species}: {error}")
    write_table(pd.DataFrame(rows), args.output)


def row(table, name, species, covariates, presence_if, least):
    """A species: its sites, its presences and both AUCs, or a note that says why it has none."""
    result = {"species": name, "n": "", "presences": "", "smaller": "", "loo": np.nan, "lpo": np.nan, "note": ""}
    try:
        survey = survey_of(table, name, covariates, presence_if=presence_if, ignored=species)
    except SurveyError as error:
        return result | {"note": str(error)}
    labels, sites = survey.labels, np.arange(len(survey.labels))
    presences = int(labels.sum())
    smaller = min(presences, len(labels) - presences)
    result |= {"n": len(labels), "presences": presences, "smaller": smaller}
    if smaller < least:
        return result | {"note": f"fewer than {least} in the smaller class"}
    refit, pairs = refits_of(design_of(survey.covariates), labels), every_pair(labels)
    result["loo"] = float(auc(held_out_scores(refit, sites), labels))
    result["lpo"] = float(beats(*pair_scores(refit, pairs, sites)).mean())
    return result


if __name__ == "__main__":
    main()
