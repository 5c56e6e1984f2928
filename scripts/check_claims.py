"""Evaluate every claim that the page makes in words and that rests on results, and list each with its numbers.

A claim is a function below: its name, the sentence it stands for, and a predicate over the result tables. One that does
not hold fails the build by name; in a trial run with few surveys none is evaluated.
"""

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from surveyauc.tables import write_table

NOT_EVALUATED = "not evaluated"
SMALL = ["small_working", "small_weak", "small_null", "small_balanced"]
ONE_COVARIATE = [*SMALL, "n60_working", "n120_working", "n60_null", "n120_null"]
POOLED = ["loo", "rand5", "strat5"]
SIX = ["resub", *POOLED, "perfold", "lpo"]


@dataclass(frozen=True)
class Tables:
    """bias : bias table by (cell, estimator); tilt : mean tilt by cell; channels : share by (cell, refit);
    example : sites of the one survey"""

    bias: pd.DataFrame
    tilt: pd.DataFrame
    channels: pd.Series
    example: pd.DataFrame

    def of(self, column, cells, estimators):
        """A column of the bias table as a table of cells (rows) and estimators (columns)."""
        return self.bias[column].unstack("estimator").loc[cells, estimators]


CLAIMS = {}


def claim(sentence):
    """Register a predicate under its own name; it returns (holds, the number behind it)."""

    def register(predicate):
        CLAIMS[predicate.__name__] = (sentence, predicate)
        return predicate

    return register


@claim("In the one survey every presence moves down and every absence up when it is left out.")
def every_site_moves_against_its_label(tables):
    shift = tables.example["eta_loo"] - tables.example["eta_full"]
    wrong = int((np.where(tables.example["y"] == 1, -shift, shift) <= 0).sum())
    return wrong == 0, wrong


@claim("In all four cells of 30 sites the three pooled estimators read too low.")
def pooled_estimators_read_too_low(tables):
    highest = tables.of("bias", SMALL, POOLED).max(axis=None)
    return highest < 0, highest


@claim("In all four cells of 30 sites no estimator reads lower than pooled leave-one-out.")
def pooled_leave_one_out_reads_lowest(tables):
    bias = tables.of("bias", SMALL, SIX)
    margin = (bias.drop(columns="loo").min(axis=1) - bias["loo"]).min()
    return margin >= 0, margin


@claim("In all four cells of 30 sites stratified folds, pooled, have at most two thirds of the bias of leave-one-out.")
def stratified_folds_help_in_part(tables):
    bias = tables.of("bias", SMALL, ["loo", "strat5"])
    share = (bias["strat5"] / bias["loo"]).max()
    return share <= 2 / 3, share


@claim("Leave-pair-out and per-fold averages are within two standard errors of the truth in every one-covariate cell.")
def pairs_and_folds_are_unbiased(tables):
    names = ["perfold", "lpo"]
    z = (tables.of("bias", ONE_COVARIATE, names).abs() / tables.of("mcse", ONE_COVARIATE, names)).max(axis=None)
    return z <= 2, z


@claim("Resubstitution flatters most where there is no signal.")
def resubstitution_flatters_most_without_signal(tables):
    bias = tables.of("bias", SMALL, ["resub"])["resub"]
    margin = bias["small_null"] - bias.drop("small_null").max()
    return margin > 0, margin


@claim("With signal the bias of pooled leave-one-out at 120 sites is less than a quarter of that at 30.")
def signal_makes_it_a_small_sample_effect(tables):
    bias = tables.bias["bias"]
    share = bias["n120_working", "loo"] / bias["small_working", "loo"]
    return share < 0.25, share


@claim("Without signal more than half of the bias of pooled leave-one-out at 30 sites is still there at 240.")
def without_signal_it_fades_slowly(tables):
    bias = tables.bias["bias"]
    share = bias["n240_null", "loo"] / bias["small_null", "loo"]
    return share > 0.5, share


@claim(
    "With the intercept held at its full-fit value less than half of the bias remains in all four cells of 30 sites."
)
def most_of_the_tilt_comes_through_the_intercept(tables):
    share = tables.channels.xs("slope only", level="refit")[SMALL].max()
    return share < 0.5, share


@claim("With four useless covariates at 30 sites leave-pair-out has the smallest root mean squared error of the six.")
def leave_pair_out_errs_least_with_covariates(tables):
    rmse = tables.of("rmse", ["multi_n30"], SIX).iloc[0]
    margin = rmse.drop("lpo").min() - rmse["lpo"]
    return margin > 0, margin


@claim("Without signal pooled stratified folds have a smaller root mean squared error than leave-pair-out.")
def leave_pair_out_pays_in_spread_without_signal(tables):
    rmse = tables.of("rmse", ["small_null", "n60_null", "n120_null"], ["lpo", "strat5"])
    margin = (rmse["lpo"] - rmse["strat5"]).min()
    return margin > 0, margin


@claim("A presence of the rare species moves as far, within a tenth, as one in a survey of thirty.")
def the_rare_species_tilts_like_a_small_survey(tables):
    ratio = tables.tilt.at["rare", "pres"] / tables.tilt.at["small", "pres"]
    return abs(ratio - 1) < 0.1, ratio


@claim("The absences of the rare species move less than a fiftieth as far as its presences.")
def absences_of_the_rare_species_hardly_move(tables):
    ratio = tables.tilt.at["rare", "abs"] / tables.tilt.at["rare", "pres"]
    return ratio < 0.02, ratio


@claim("At 450 presences random folds, pooled, are within two standard errors of the truth.")
def many_presences_may_be_pooled(tables):
    row = tables.bias.loc[("n1500_working", "rand5")]
    z = abs(row["bias"]) / row["mcse"]
    return z <= 2, z


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bias-table", required=True)
    parser.add_argument("--channel-table", required=True)
    parser.add_argument("--example-sites", required=True)
    parser.add_argument("--tilt", nargs="*", default=[], help="tables of tilt, named CELL.csv")
    parser.add_argument("--evaluate", action="store_true", help="evaluate the claims, and fail when one does not hold")
    parser.add_argument("--output", required=True)
    args = parser.parse_args()

    tables = Tables(
        pd.read_csv(args.bias_table).set_index(["cell", "estimator"]).sort_index(),
        pd.DataFrame({Path(path).stem: pd.read_csv(path).mean() for path in args.tilt}).T,
        pd.read_csv(args.channel_table).set_index(["cell", "refit"])["share_of_full"],
        pd.read_csv(args.example_sites),
    )
    rows = [
        evaluated(name, tables) if args.evaluate else (name, CLAIMS[name][0], "not evaluated", "") for name in CLAIMS
    ]
    names, sentences, holds, numbers = zip(*rows, strict=True)
    write_table({"claim": names, "sentence": sentences, "holds": holds, "number": numbers}, args.output)
    print(f"{holds.count('yes')} of {len(rows)} claims hold")
    if "no" in holds:
        sys.exit("claims that do not hold: " + "; ".join(f"{r[0]} ({r[3]:.4g}): {r[1]}" for r in rows if r[2] == "no"))


def evaluated(name, tables):
    sentence, predicate = CLAIMS[name]
    try:
        holds, number = predicate(tables)
    except KeyError as missing:
        sys.exit(f"claim {name} needs a cell or an estimator that this build does not have: {missing}")
    return name, sentence, "yes" if holds else "no", float(number)


if __name__ == "__main__":
    main()
