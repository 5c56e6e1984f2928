"""Evaluate every claim that the paper makes in words and that rests on results, and list each with its numbers.

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
COVARIATES = ["multi_n30", "multi_n60"]
POOLED = ["loo", "rand5", "strat5"]
FORMS = ["leave_one_out", "rebalanced"]
SIX = ["resub", *POOLED, "perfold", "lpo"]


@dataclass(frozen=True)
class Tables:
    """bias : bias table by (cell, estimator); tilt : mean tilt by cell; channels : share by (cell, refit);
    example : sites of the one survey; numbers : those that the article prints, unrounded, by key; coverage : coverage
    table by (cell, interval); coverage_by_size : the same by signal and size of the smaller class; f1 : bias of F1 by
    (cell, threshold, estimator); consistency : of a fixed rule, by (criterion, prevalence, sites); adjusted : F1 at a
    target prevalence by design; replayed : numbers of the data sets with nothing to find that are replayed, by (figure,
    quantity); large : tables of the large study by name, where it was built; communities : the same of real species;
    rebalanced : the same of the study of rebalancing"""

    bias: pd.DataFrame
    tilt: pd.DataFrame
    channels: pd.Series
    example: pd.DataFrame
    numbers: pd.Series
    coverage: pd.DataFrame
    coverage_by_size: pd.DataFrame
    f1: pd.DataFrame
    consistency: pd.DataFrame
    adjusted: pd.DataFrame
    replayed: pd.Series
    large: dict
    communities: dict
    rebalanced: dict

    def of(self, column, cells, estimators):
        """A column of the bias table as a table of cells (rows) and estimators (columns)."""
        return self.bias[column].unstack("estimator").loc[cells, estimators]

    def f1_bias(self):
        """Bias of F1 at fixed thresholds, a row for each cell and threshold, a column for each estimator."""
        return self.f1["bias"].unstack("estimator").drop(index=["chosen", "chosen once"], level="threshold")

    def f1_above_pooled_folds(self, estimator):
        """The most by which F1 of an estimator is above that of pooled 5-fold counts at fixed thresholds."""
        return (self.f1_bias()[estimator] - self.f1_bias()["pooled5"]).max()

    def repairs(self, column, penalty="none"):
        """A column of the study of rebalancing as a table of cells (rows) and estimators (columns)."""
        table = self.rebalanced["bias"]
        return table[table["penalty"] == penalty].set_index(["cell", "estimator"])[column].unstack("estimator")

    def nothing_to_find(self, experiment, quantity):
        """A number of the data sets with nothing to find."""
        return self.rebalanced["no_signal"].set_index(["experiment", "quantity"]).at[(experiment, quantity), "value"]

    def losses(self):
        """What the choice of a penalty costs, by (cell, estimator)."""
        return self.rebalanced["tuning_losses"].set_index(["cell", "estimator"])

    def of_real_tables(self):
        """Mean AUC of real tables by (features, table, strength), a column for each form of leave-one-out."""
        aucs = self.rebalanced["classification"]
        return aucs.groupby(["features", "table", "strength", "scheme"])["auc"].mean().unstack("scheme")

    def squared_error_difference(self, key):
        """Mean difference between the squared errors of two estimators on the same surveys, in standard errors."""
        return self.numbers[f"{key}_mean"] / self.numbers[f"{key}_se"]


CLAIMS = {}


def claim(sentence, measure, study=None):
    """Register a predicate under its own name; it returns (holds, the number behind it), and ``measure`` says in words
    what that number is and where it has to lie. A claim about a ``study`` with a target of its own, "large" or
    "communities", is made where that was built; so is one about "rebalanced"."""

    def register(predicate):
        CLAIMS[predicate.__name__] = (sentence, measure, predicate, study)
        return predicate

    return register


@claim(
    "In the one survey every presence moves down and every absence up when it is left out.",
    "sites that move the other way (0)",
)
def every_site_moves_against_its_label(tables):
    shift = tables.example["eta_loo"] - tables.example["eta_full"]
    wrong = int((np.where(tables.example["y"] == 1, -shift, shift) <= 0).sum())
    return wrong == 0, wrong


@claim(
    "In the one survey the mean moves of both classes are less than a tenth of the spread of the predictors.",
    "larger mean move over the standard deviation (below 0.1)",
)
def the_tilt_is_small_beside_the_spread(tables):
    shift = (tables.example["eta_loo"] - tables.example["eta_full"]).groupby(tables.example["y"]).mean()
    ratio = shift.abs().max() / tables.example["eta_full"].std()
    return ratio < 0.1, ratio


@claim(
    "In all four one-covariate cells of 30 sites the three pooled estimators read too low.", "highest bias (below 0)"
)
def pooled_estimators_read_too_low(tables):
    highest = tables.of("bias", SMALL, POOLED).max(axis=None)
    return highest < 0, highest


@claim(
    "In all four one-covariate cells of 30 sites no estimator reads lower than pooled leave-one-out.",
    "least distance to the next lowest (0 or more)",
)
def pooled_leave_one_out_reads_lowest(tables):
    bias = tables.of("bias", SMALL, SIX)
    margin = (bias.drop(columns="loo").min(axis=1) - bias["loo"]).min()
    return margin >= 0, margin


@claim(
    "In the working model at 30 sites pooled leave-one-out reads too low in every batch of surveys.",
    "highest mean bias of a batch (below 0)",
)
def every_batch_shows_the_bias(tables):
    highest = tables.bias.at[("small_working", "loo"), "highest_batch"]
    return highest < 0, highest


@claim(
    "Of the four one-covariate cells of 30 sites pooled leave-one-out reads lowest, against the truth, without signal.",
    "distance to the next lowest bias (above 0)",
)
def the_bias_is_worst_without_signal(tables):
    bias = tables.of("bias", SMALL, ["loo"])["loo"]
    margin = bias.drop("small_null").min() - bias["small_null"]
    return margin > 0, margin


@claim(
    "In all four one-covariate cells of 30 sites stratified folds, pooled, have at most two thirds of the bias of "
    "pooled leave-one-out.",
    "largest share that is left (at most 2/3)",
)
def stratified_folds_help_in_part(tables):
    bias = tables.of("bias", SMALL, ["loo", "strat5"])
    share = (bias["strat5"] / bias["loo"]).max()
    return share <= 2 / 3, share


@claim(
    "In the balanced survey too pooled leave-one-out reads too low, by more than two standard errors.",
    "bias in standard errors (below -2)",
)
def a_balanced_survey_is_no_cure(tables):
    row = tables.bias.loc[("small_balanced", "loo")]
    z = row["bias"] / row["mcse"]
    return z < -2, z


@claim(
    "In the working model at 60 and 120 sites, and with useless covariates, random folds, pooled, read lower than "
    "pooled leave-one-out.",
    "largest difference of the two (below 0)",
)
def random_folds_can_read_lower(tables):
    bias = tables.of("bias", ["n60_working", "n120_working", *COVARIATES], ["rand5", "loo"])
    largest = (bias["rand5"] - bias["loo"]).max()
    return largest < 0, largest


@claim(
    "Leave-pair-out and per-fold averages are within two standard errors of the truth in every one-covariate cell.",
    "largest distance from 0 in standard errors (at most 2)",
)
def pairs_and_folds_are_unbiased(tables):
    names = ["perfold", "lpo"]
    z = (tables.of("bias", ONE_COVARIATE, names).abs() / tables.of("mcse", ONE_COVARIATE, names)).max(axis=None)
    return z <= 2, z


@claim("Resubstitution flatters most where there is no signal.", "distance to the next highest bias (above 0)")
def resubstitution_flatters_most_without_signal(tables):
    bias = tables.of("bias", SMALL, ["resub"])["resub"]
    margin = bias["small_null"] - bias.drop("small_null").max()
    return margin > 0, margin


@claim(
    "With signal the bias of pooled leave-one-out at 120 sites is less than a quarter of that at 30.",
    "bias at 120 sites over that at 30 (below 0.25)",
)
def signal_makes_it_a_small_sample_effect(tables):
    bias = tables.bias["bias"]
    share = bias["n120_working", "loo"] / bias["small_working", "loo"]
    return share < 0.25, share


@claim(
    "With signal 1500 sites leave less than a twentieth of the tilt of 30 sites but two thirds of the spread or more.",
    "drop of a presence at 1500 sites over that at 30 (below 0.05)",
)
def with_signal_the_tilt_shrinks_and_the_spread_stays(tables):
    ratio = tables.tilt.loc["large"] / tables.tilt.loc["small"]
    return ratio["pres"] < 0.05 and ratio["spread"] >= 2 / 3, ratio["pres"]


@claim(
    "Without signal more than half of the bias of pooled leave-one-out at 30 sites is still there at 240.",
    "bias at 240 sites over that at 30 (above 0.5)",
)
def without_signal_it_fades_slowly(tables):
    bias = tables.bias["bias"]
    share = bias["n240_null", "loo"] / bias["small_null", "loo"]
    return share > 0.5, share


@claim(
    "Without signal the bias at 120 sites does not differ from that at 30 by two standard errors; that at 240 does.",
    "difference at 240 sites in standard errors (above 2)",
)
def the_decline_without_signal_shows_at_last(tables):
    loo = tables.bias.xs("loo", level="estimator")
    start = loo.loc["small_null"]

    def z(cell):
        return (loo.at[cell, "bias"] - start["bias"]) / np.hypot(loo.at[cell, "mcse"], start["mcse"])

    return abs(z("n120_null")) < 2 and z("n240_null") > 2, z("n240_null")


@claim(
    "With the intercept held at its full-fit value less than half of the bias remains in all four one-covariate "
    "cells of 30 sites.",
    "largest share that is left (below 0.5)",
)
def most_of_the_tilt_comes_through_the_intercept(tables):
    share = tables.channels.xs("slope only", level="refit")[SMALL].max()
    return share < 0.5, share


@claim(
    "A model with useless covariates has a lower truth on average, at 30 sites, than one without.",
    "difference of the two mean truths (below 0)",
)
def useless_covariates_cost_skill(tables):
    difference = tables.numbers["multi30_truth_mean"] - tables.numbers["work_truth_mean"]
    return difference < 0, difference


@claim(
    "With useless covariates the truth lies between pooled leave-one-out and resubstitution, and leave-pair-out and "
    "per-fold averages are nearer to it than either.",
    "the larger distance of these over the smaller of those (below 1)",
)
def the_truth_lies_between_pooling_and_resubstitution(tables):
    bias = tables.of("bias", COVARIATES, ["loo", "resub", "lpo", "perfold"])
    near, far = bias[["lpo", "perfold"]].abs().max(axis=1), bias[["loo", "resub"]].abs().min(axis=1)
    ratio = (near / far).max()
    return bool((bias["loo"] < 0).all() and (bias["resub"] > 0).all() and ratio < 1), ratio


@claim(
    "With useless covariates 60 sites leave less than six tenths of the bias that resubstitution and pooled "
    "leave-one-out have at 30.",
    "largest share that is left (below 0.6)",
)
def twice_the_sites_help_with_covariates(tables):
    bias = tables.of("bias", COVARIATES, ["loo", "resub"])
    share = (bias.loc["multi_n60"] / bias.loc["multi_n30"]).max()
    return share < 0.6, share


@claim(
    "With four useless covariates at 30 sites leave-pair-out has the smallest root mean squared error of the six.",
    "distance to the next smallest (above 0)",
)
def leave_pair_out_errs_least_with_covariates(tables):
    rmse = tables.of("rmse", ["multi_n30"], SIX).iloc[0]
    margin = rmse.drop("lpo").min() - rmse["lpo"]
    return margin > 0, margin


@claim(
    "With four useless covariates at 30 sites the squared error of per-fold averages exceeds that of leave-pair-out.",
    "mean difference in standard errors (above 2)",
)
def leave_pair_out_beats_folds_survey_by_survey(tables):
    z = tables.squared_error_difference("sq_pf_minus_lpo")
    return z > 2, z


@claim(
    "With four useless covariates at 30 sites the squared errors of pooled stratified folds and of their per-fold "
    "averages differ no more than by chance.",
    "mean difference in standard errors (-2 to 2)",
)
def stratified_folds_err_no_more_than_their_averages(tables):
    z = tables.squared_error_difference("sq_strat5_minus_pf")
    return abs(z) <= 2, z


@claim(
    "With four useless covariates at 30 sites the squared error of pooled leave-one-out exceeds that of per-fold "
    "averages.",
    "mean difference in standard errors (above 2)",
)
def pooled_leave_one_out_errs_more_survey_by_survey(tables):
    z = tables.squared_error_difference("sq_loo_minus_pf")
    return z > 2, z


@claim(
    "Without signal pooled stratified folds have a smaller root mean squared error than leave-pair-out.",
    "least difference of the two (above 0)",
)
def leave_pair_out_pays_in_spread_without_signal(tables):
    rmse = tables.of("rmse", ["small_null", "n60_null", "n120_null"], ["lpo", "strat5"])
    margin = (rmse["lpo"] - rmse["strat5"]).min()
    return margin > 0, margin


@claim(
    "In the four one-covariate cells of 60 and 120 sites leave-pair-out, which reads some of the pairs only, has a "
    "larger root mean squared error than per-fold averages.",
    "least difference of the two (above 0)",
)
def reading_few_pairs_costs_spread(tables):
    rmse = tables.of("rmse", ONE_COVARIATE[4:], ["lpo", "perfold"])
    margin = (rmse["lpo"] - rmse["perfold"]).min()
    return margin > 0, margin


@claim(
    "A presence of the rare species moves as far, within a tenth, as one in a survey of thirty.",
    "drop of the one over drop of the other (0.9 to 1.1)",
)
def the_rare_species_tilts_like_a_small_survey(tables):
    ratio = tables.tilt.at["rare", "pres"] / tables.tilt.at["small", "pres"]
    return abs(ratio - 1) < 0.1, ratio


@claim(
    "The information of the rare species is the number of its presences, within a tenth.",
    "information over presences (0.9 to 1.1)",
)
def the_information_of_a_rare_species_is_its_presences(tables):
    ratio = tables.tilt.at["rare", "info"] / tables.tilt.at["rare", "n1"]
    return abs(ratio - 1) < 0.1, ratio


@claim(
    "The absences of the rare species move less than a fiftieth as far as its presences.",
    "rise of an absence over drop of a presence (below 0.02)",
)
def absences_of_the_rare_species_hardly_move(tables):
    ratio = tables.tilt.at["rare", "abs"] / tables.tilt.at["rare", "pres"]
    return ratio < 0.02, ratio


@claim(
    "At 450 presences random folds, pooled, are within two standard errors of the truth.",
    "distance from 0 in standard errors (at most 2)",
)
def many_presences_may_be_pooled(tables):
    row = tables.bias.loc[("n1500_working", "rand5")]
    z = abs(row["bias"]) / row["mcse"]
    return z <= 2, z


@claim(
    "In the vignette the bootstrap's and DeLong's standard errors of an AUC are within a tenth of each other.",
    "largest ratio less 1 (below 0.1)",
)
def bootstrap_and_delong_agree(tables):
    errors = [
        tables.numbers[f"error_boot_vs_delong/modnames={model}/bootstrap"]
        / tables.numbers[f"error_boot_vs_delong/modnames={model}/delong"]
        for model in ("poor_er", "good_er")
    ]
    largest = max(max(ratio, 1 / ratio) for ratio in errors) - 1
    return largest < 0.1, largest


@claim(
    "In the vignette the AUCs of the close pair differ one way and its precision-recall areas the other way.",
    "the second difference (below 0, the first being above)",
)
def the_two_curves_prefer_different_models(tables):
    roc, prc = (
        tables.numbers[f"boot_diff/curvetypes={curve} modnames1=poor_er modnames2=good_er/diffs"]
        for curve in ("ROC", "PRC")
    )
    return roc > 0 > prc, prc


@claim(
    "In the vignette the percentile p-value of the clear pair is at its floor, the Wald one below a millionth of it.",
    "Wald p-value over the floor (below 1e-6)",
)
def the_floor_hides_a_clear_difference(tables):
    row = "boot_diff_clear/curvetypes=ROC modnames1=poor_er modnames2=excel"
    p, wald, n = (tables.numbers[f"{row}/{column}"] for column in ("p_values", "p_values_wald", "n"))
    floor = 2 / (n + 1)
    return p <= floor * (1 + 1e-9) and wald / floor < 1e-6, wald / floor


@claim(
    "On thirty sites with one covariate no interval around pooled leave-one-out covers in nine of ten surveys, and "
    "without signal none in six of ten; a tenth or more of the latter have none.",
    "highest coverage without signal (below 0.6)",
)
def intervals_around_pooled_scores_fail(tables):
    coverage = tables.coverage["coverage"].unstack("interval")[["loo_delong", "loo_boot"]]
    without = coverage.loc["small_null"].max()
    none = tables.coverage["none"]["small_null", "loo_delong"]
    return coverage.loc[SMALL].max(axis=None) < 0.9 and without < 0.6 and none >= 0.1, without


@claim(
    "Intervals around resubstitution cover in nine of ten surveys, or nearly, in every cell with one covariate, and in "
    "fewer than three of four with four useless ones at 30 sites.",
    "lowest coverage with one covariate (0.88 or more)",
)
def resubstitution_covers_only_without_useless_covariates(tables):
    coverage = tables.coverage["coverage"].unstack("interval")[["resub_delong", "resub_boot"]]
    lowest = coverage.loc[[*ONE_COVARIATE, "n240_null"]].min(axis=None)
    return lowest >= 0.88 and coverage.loc["multi_n30"].max() < 0.75, lowest


@claim(
    "Structural components of leave-pair-out, on the logit scale with Student's quantile, cover in 93 of 100 surveys "
    "or more with one covariate of slope 1.1, and in fewer than nine of ten with one of slope 0.",
    "highest coverage with slope 0 (below 0.9)",
)
def components_need_a_signal(tables):
    coverage = tables.coverage["coverage"].xs("lpo_logit_t", level="interval")
    with_signal = coverage[["small_working", "small_balanced", "n60_working", "n120_working"]].min()
    without = coverage[["small_null", "n60_null", "n120_null", "n240_null"]].max()
    return with_signal >= 0.93 and without < 0.9, without


@claim(
    "Test inversion around resubstitution covers in at least 93 of 100 surveys of every cell; of the other intervals "
    "each that does not invert a test falls below that in some cell.",
    "its lowest coverage (0.93 or more)",
)
def test_inversion_holds_everywhere(tables):
    lowest = tables.coverage["coverage"].unstack("interval").min()
    others = lowest.drop(["resub_inversion", "lpo_inversion"])
    return lowest["resub_inversion"] >= 0.93 and others.max() < 0.93, lowest["resub_inversion"]


@claim(
    "Without signal intervals around leave-pair-out (by normal quantiles), the mean over folds (by the influence "
    "curve) and pooled leave-one-out cover in fewer than nine of ten surveys, whatever the size of the smaller class.",
    "highest coverage (below 0.9)",
)
def without_signal_presences_do_not_help(tables):
    coverage = tables.coverage_by_size.query("signal == 'none'").pivot(index="smaller_from", columns="interval")
    highest = coverage["coverage"][["lpo_normal", "perfold_ledell", "loo_delong", "loo_boot"]].max(axis=None)
    return highest < 0.9, highest


@claim(
    "Test inversion around resubstitution covers in more than 95 of 100 surveys of every cell.",
    "its lowest coverage (above 0.95)",
)
def test_inversion_is_cautious(tables):
    lowest = tables.coverage["coverage"].xs("resub_inversion", level="interval").min()
    return lowest > 0.95, lowest


@claim(
    "Leave-pair-out lies inside the interval by test inversion in more than 95 of 100 surveys of the working model and "
    "in fewer than nine of ten without signal, least often with five useless covariates.",
    "share inside without signal (below 0.9)",
)
def leave_pair_out_may_lie_outside(tables):
    inside = tables.coverage["holds_lpo"].xs("resub_inversion", level="interval")
    least = inside.idxmin() == "multi_null"
    return inside["small_working"] > 0.95 and inside["small_null"] < 0.9 and least, inside["small_null"]


@claim(
    "In the working model the intervals around pooled scores, of normal components and of influence curves cover more "
    "at 60 and at 120 sites than at 30.",
    "least rise from 30 sites (above 0)",
)
def with_signal_sites_help(tables):
    codes = ["loo_delong", "loo_boot", "lpo_normal", "perfold_ledell"]
    coverage = tables.coverage["coverage"].unstack("interval")[codes]
    rise = (coverage.loc[["n60_working", "n120_working"]] - coverage.loc["small_working"]).min(axis=None)
    return rise > 0, rise


@claim(
    "Test inversion around leave-pair-out covers in at least 93 of 100 surveys of every cell that has it, is within a "
    "tenth as wide as that around resubstitution, and takes more than fifty times the refits.",
    "largest difference of the widths as a share (below 0.1)",
)
def inverting_pairs_gains_little(tables):
    both = tables.coverage.unstack("interval")
    both = both[both["made"]["lpo_inversion"] > 0]
    lowest = both["coverage"]["lpo_inversion"].min()
    share = (both["width"]["lpo_inversion"] / both["width"]["resub_inversion"] - 1).abs().max()
    work = (both["refits"]["lpo_inversion"] / both["refits"]["resub_inversion"]).min()
    return lowest >= 0.93 and share < 0.1 and work > 50, share


@claim(
    "At fixed thresholds F1 from pooled leave-one-out is lower than from pooled 5-fold counts, in all cells measured.",
    "largest difference (below 0)",
)
def pooled_leave_one_out_f1_reads_lower(tables):
    difference = tables.f1_above_pooled_folds("loo")
    return difference < 0, difference


@claim(
    "At fixed thresholds the mean of the F1s of folds, empty ones counting 0, is lower than that of their pooled "
    "counts, in all cells measured.",
    "largest difference (below 0)",
)
def mean_over_folds_f1_reads_lower(tables):
    difference = tables.f1_above_pooled_folds("mean5")
    return difference < 0, difference


@claim(
    "On average over cells and fixed thresholds pooled 5-fold counts are nearer to the F1 of the full fit than "
    "resubstitution, pooled leave-one-out and the mean over folds.",
    "mean distance over that of the next nearest (below 0.75)",
)
def pooled_folds_are_nearest_for_f1(tables):
    distance = tables.f1_bias().abs().mean()
    ratio = distance["pooled5"] / distance.drop("pooled5").min()
    return ratio < 0.75, ratio


@claim(
    "In more than a tenth of the surveys with few presences F1 of some fold is empty at the threshold 1/2.",
    "their share (above 0.1)",
)
def empty_folds_are_common_with_few_presences(tables):
    share = tables.f1.at[("few_presences", "one half", "mean5"), "share_empty"]
    return share > 0.1, share


@claim(
    "A threshold chosen for F1 on the survey that it is scored on reads more than 0.05 too high in every cell, more "
    "than a fixed one does; chosen inside the training sets, pooled counts are within 0.02.",
    "least bias where it is chosen on the survey (above 0.05)",
)
def a_chosen_threshold_flatters(tables):
    bias = tables.f1["bias"].unstack("estimator")
    chosen = bias.xs("chosen", level="threshold")
    fixed = tables.f1_bias()["resub"].groupby("cell").max()
    honest = chosen[["loo", "pooled5"]].abs().max(axis=None)
    least = chosen["resub"].min()
    return least > 0.05 and (chosen["resub"] > fixed[chosen.index]).all() and honest <= 0.02, least


@claim(
    "With a threshold chosen once on the survey pooled leave-one-out reads over 0.05 too low in the weak model and "
    "without signal, and pooled 5-fold counts too high in all four cells.",
    "larger of the two biases of pooled leave-one-out (below -0.05)",
)
def a_threshold_chosen_once_fits_neither(tables):
    bias = tables.f1["bias"].unstack("estimator").xs("chosen once", level="threshold")
    largest = bias.loc[["small_weak", "small_null"], "loo"].max()
    return largest < -0.05 and (bias["pooled5"] > 0).all(), largest


@claim(
    "AUC and F1 of a fixed rule need their conventions as often as computed, F1 never more often than there is no "
    "presence.",
    "largest distance of a share from its expectation in standard errors (below 4)",
)
def conventions_are_as_rare_as_computed(tables):
    table, expected = tables.consistency, tables.consistency["share_expected"]
    error = np.sqrt(np.maximum(expected * (1 - expected), 1 / table["samples"]) / table["samples"])
    largest = ((table["share_by_convention"] - expected).abs() / error).max()
    return largest < 4 and (table["share_by_convention"] <= table["share_at_most"] + 4 * error).all(), largest


@claim(
    "On the largest samples AUC and F1 of a fixed rule are within four standard errors of their population values, and "
    "nearer to them by a factor of three or more than on the smallest.",
    "least ratio of the distances on the smallest and the largest samples (3 or more)",
)
def both_criteria_are_consistent(tables):
    table = tables.consistency.reset_index().sort_values("sites").groupby(["criterion", "prevalence"])
    first, last = table.first(), table.last()
    ratio = (first["rmse"] / last["rmse"]).min()
    off = ((last["mean"] - last["truth"]).abs() / last["mcse"]).max()
    return ratio >= 3 and off <= 4, ratio


@claim(
    "The variance of the AUC is more than three times that of independent pairs, more than ten times in samples of 80 "
    "sites and more, and below its bound.",
    "least ratio to that of independent pairs (above 3)",
)
def pairs_share_sites(tables):
    auc = tables.consistency.loc["auc"]
    ratio = auc["variance"] / auc["variance_of_independent_pairs"]
    large = ratio[ratio.index.get_level_values("sites") >= 80].min()
    return ratio.min() > 3 and large > 10 and (auc["variance"] < auc["variance_bound"]).all(), ratio.min()


@claim(
    "The interval of F1 at a target prevalence covers in at least 93 of 100 samples of every design.",
    "lowest coverage (0.93 or more)",
)
def the_adjusted_interval_covers(tables):
    lowest = tables.adjusted["coverage"].min()
    return lowest >= 0.93, lowest


@claim(
    "The raw F1 of a balanced sample is more than 0.3 above that of the population with the target prevalence.",
    "difference (above 0.3)",
)
def a_balanced_sample_has_another_f1(tables):
    row = tables.adjusted.loc["balanced"]
    difference = row["raw_f1"] - row["truth"]
    return difference > 0.3, difference


@claim(
    "Every bias of the article is within two standard errors of that of the large study.",
    "largest difference in standard errors (at most 2)",
    study="large",
)
def no_published_bias_is_off(tables):
    z = tables.large["against_article"]["z"].abs().max()
    return z <= 2, z


@claim(
    "The variance of the article's truth around the exact one is less than a tenth of that of any estimate around it.",
    "largest share of variance (below 0.1)",
    study="large",
)
def the_sampled_truth_added_little(tables):
    share = tables.large["truth_error"]["share_of_variance"].max()
    return share < 0.1, share


@claim(
    "In the large study leave-pair-out is more than three standard errors too low with useless covariates at 30 sites.",
    "bias in standard errors (below -3)",
    study="large",
)
def leave_pair_out_shows_its_fair_bias(tables):
    row = tables.large["pairs"].set_index("cell").loc["multi_n30"]
    z = row["bias"] / row["bias_mcse"]
    return z < -3, z


@claim(
    "In every cell of the large study leave-pair-out is within two standard errors of the truth of its own models.",
    "largest distance in standard errors (at most 2)",
    study="large",
)
def nothing_unfair_is_left(tables):
    z = (tables.large["pairs"]["unfair"] / tables.large["pairs"]["unfair_mcse"]).abs().max()
    return z <= 2, z


@claim(
    "At 30 sites reading a sample of the pairs adds less than a twentieth to the variance of leave-pair-out.",
    "largest share added (below 0.05)",
    study="large",
)
def sampling_pairs_adds_little_at_thirty_sites(tables):
    share = tables.large["pairs"]["added_variance"].max()
    return share < 0.05, share


@claim(
    "For every slope the biases of pooled leave-one-out at two prevalences differ less at equal presences than at "
    "equal sites, by a third or more.",
    "largest ratio of the two differences (at most 2/3)",
    study="large",
)
def curves_fall_together_on_presences(tables):
    ratio = (tables.large["collapse"]["at_equal_presences"] / tables.large["collapse"]["at_equal_sites"]).max()
    return ratio <= 2 / 3, ratio


@claim(
    "At equal presences the bias of pooled leave-one-out is larger in size at the higher prevalence, with signal by "
    "more than two standard errors for every slope, without signal by less.",
    "with signal, the difference nearest to zero in standard errors (below -2)",
    study="large",
)
def prevalence_keeps_a_part(tables):
    table = tables.large["collapse"].set_index("slope")
    z = table["mean_difference"] / table["mean_difference_mcse"]
    nearest = z.drop(0.0).max()
    return nearest < -2 and abs(z[0.0]) < 2, nearest


@claim(
    "Without signal the bias of pooled leave-one-out falls with the number of sites, more slowly than its square root.",
    "exponent (below 0 and above -0.5, by two standard errors)",
    study="large",
)
def the_decline_without_signal_is_slow(tables):
    fit = tables.large["decay_fit"].iloc[0]
    exponent, error = fit["exponent"], fit["exponent_error"]
    return exponent + 2 * error < 0 and exponent - 2 * error > -0.5, exponent


@claim(
    "Of every real species scored, pooled leave-one-out is below leave-pair-out.",
    "species of which it is not (0)",
    study="communities",
)
def every_real_species_reads_lower(tables):
    total = tables.communities["by_smaller_class"].set_index("group").loc["all"]
    others = total["equal"] + total["above"]
    return others == 0, others


@claim(
    "Of real species the mean distance between the two shrinks from each group by smaller class to the next.",
    "least step towards zero (above 0)",
    study="communities",
)
def real_gaps_close_with_presences(tables):
    groups = tables.communities["by_smaller_class"].set_index("group").drop(index="all")
    least = groups["mean_difference"].diff().min()
    return least > 0, least


@claim(
    "More than a tenth of the real species read below one half by pooled leave-one-out and above by leave-pair-out.",
    "their share (above 0.1)",
    study="communities",
)
def many_real_species_are_turned(tables):
    total = tables.communities["by_smaller_class"].set_index("group").loc["all"]
    share = total["turned"] / total["scored"]
    return share > 0.1, share


@claim(
    "On data with nothing to find stratified folds of five cannot be told from one half at even tenths, and read below "
    "two fifths at odd ones.",
    "mean AUC at odd tenths (below 0.4)",
)
def folds_of_five_need_even_tenths(tables):
    odd = tables.replayed["2B", "mean_others"]
    return tables.replayed["2B", "p_tested"] > 0.05 and odd < 0.4, odd


@claim(
    "On data with nothing to find and twenty covariates rebalanced leave-one-out cannot be told from one half.",
    "P value (above 0.05)",
)
def rebalancing_removes_most_of_it_on_noise(tables):
    p = tables.replayed["3C", "p"]
    return p > 0.05, p


@claim(
    "In regressions on noise leave-one-out is within two standard errors of the R-squared that the fits have on new "
    "responses, and its rebalanced form more than two above it.",
    "the latter in standard errors (above 2)",
)
def rebalanced_regressions_read_too_high(tables):
    z = {form: tables.replayed["6C", f"bias_{form}"] / tables.replayed["6C", f"bias_{form}_mcse"] for form in FORMS}
    return abs(z["leave_one_out"]) < 2 and z["rebalanced"] > 2, z["rebalanced"]


@claim(
    "As a score, minus the training mean reads above one half whatever is held out and whatever the balance.",
    "lowest mean AUC (above 0.5)",
    study="rebalanced",
)
def the_training_mean_gives_labels_away(tables):
    lowest = tables.nothing_to_find("training_mean_blocks", "lowest_mean")
    return lowest > 0.5, lowest


@claim(
    "On data with nothing to find pooled leave-one-out is below one half with P under 0.001, in the one test and in "
    "that over strengths.",
    "larger P value (below 0.001)",
    study="rebalanced",
)
def pooled_leave_one_out_is_below_half_on_noise(tables):
    p = max(
        tables.nothing_to_find("leave_one_out", "p"), tables.nothing_to_find("strengths_leave_one_out", "p_of_means")
    )
    return p < 0.001, p


@claim(
    "Fisher's combination of six tests does not tell rebalanced leave-one-out from one half; over all data sets its "
    "mean is below by more than two standard errors, with five covariates by more than two and with one by more than "
    "five.",
    "with one covariate, mean AUC less one half in standard errors (below -5)",
    study="rebalanced",
)
def rebalancing_leaves_something_on_noise(tables):
    def z(experiment):
        mean, error = (tables.nothing_to_find(experiment, name) for name in ("mean", "mcse"))
        return (mean - 0.5) / error

    unseen = tables.nothing_to_find("strengths_rebalanced", "p_fisher") > 0.05
    below = z("strengths_rebalanced") < -2 and z("rebalanced_five_covariates") < -2
    return unseen and below and z("rebalanced_one_covariate") < -5, z("rebalanced_one_covariate")


@claim(
    "In every cell rebalanced leave-one-out is nearer to the truth than pooled leave-one-out, and below leave-pair-out "
    "on the same surveys by more than four standard errors.",
    "difference nearest to zero in standard errors (below -4)",
    study="rebalanced",
)
def rebalancing_repairs_a_part(tables):
    bias, z = tables.repairs("bias"), tables.repairs("above_lpo") / tables.repairs("above_lpo_mcse")
    nearest = z["rloo_once"].max()
    return (bias["rloo_once"].abs() < bias["loo"].abs()).all() and nearest < -4, nearest


@claim(
    "What rebalanced leave-one-out reads below leave-pair-out is more than a third of what pooled leave-one-out does "
    "where the covariate works and is not weak, and less than a third without signal and in the weak model.",
    "least share kept with signal (above 1/3)",
    study="rebalanced",
)
def rebalancing_keeps_a_share(tables):
    below = tables.repairs("above_lpo")
    share = below["rloo_once"] / below["loo"]
    weak = share.index.str.contains("null|weak")
    return share[~weak].min() > 1 / 3 and share[weak].max() < 1 / 3, share[~weak].min()


@claim(
    "In every cell leave-pair-out is nearer to the truth than either form of rebalanced leave-one-out.",
    "least distance by which it is nearer (above 0)",
    study="rebalanced",
)
def pairs_are_nearer_than_rebalancing(tables):
    bias = tables.repairs("bias").abs()
    margin = (bias[["rloo", "rloo_once"]].min(axis=1) - bias["lpo"]).min()
    return margin > 0, margin


@claim(
    "At 30 sites leave-pair-out has the smaller squared error than rebalanced leave-one-out in the working model and "
    "in the balanced survey, by more than two standard errors, and the larger one without signal.",
    "the smaller of the two differences in standard errors (above 2)",
    study="rebalanced",
)
def rebalancing_errs_more_where_there_is_signal(tables):
    z = tables.repairs("squared_error_over_lpo") / tables.repairs("squared_error_over_lpo_mcse")
    least = z.loc[["small_working", "small_balanced"], "rloo_once"].min()
    return least > 2 and z.at["small_null", "rloo_once"] < -2, least


@claim(
    "At 30 and 60 sites, where the covariate works and is not weak, leave-pair-out over every pair has the smallest "
    "root mean squared error of the estimators that hold sites out.",
    "largest ratio to the next smallest (below 1)",
    study="rebalanced",
)
def every_pair_errs_least_with_signal(tables):
    rmse = tables.repairs("rmse").loc[["small_working", "small_balanced", "n60_working", "multi_n30", "multi_n60"]]
    others = rmse[["loo", "rand5", "strat5", "perfold", "rloo", "rloo_once"]].min(axis=1)
    ratio = (rmse["lpo_all"] / others).max()
    return ratio < 1, ratio


@claim(
    "On every real table, with all covariates and with two components, rebalanced leave-one-out reads higher than "
    "pooled leave-one-out at the strength that is shown.",
    "least difference (above 0)",
    study="rebalanced",
)
def real_tables_read_higher_rebalanced(tables):
    shown = tables.of_real_tables().xs(1.0, level="strength")
    least = (shown["rebalanced"] - shown["leave_one_out"]).min()
    return least > 0, least


@claim(
    "On no real table does pooled leave-one-out read best at a stronger penalty than the rebalanced form, and on more "
    "than half at a weaker one.",
    "share of tables and sets of covariates with a weaker one (above 1/2)",
    study="rebalanced",
)
def real_tables_are_tuned_weaker_by_pooling(tables):
    best = tables.of_real_tables().unstack("strength")
    plain, rebalanced = (best[scheme].idxmax(axis=1).astype(float) for scheme in ("leave_one_out", "rebalanced"))
    weaker = (plain > rebalanced).mean()
    return (plain >= rebalanced).all() and weaker > 0.5, weaker


@claim(
    "Averaging rebalanced leave-one-out over draws of its companions changes its bias by less than 0.005 in every "
    "cell.",
    "largest change (below 0.005)",
    study="rebalanced",
)
def more_draws_do_not_repair_it(tables):
    bias = tables.repairs("bias")
    change = (bias["rloo"] - bias["rloo_once"]).abs().max()
    return change < 0.005, change


@claim(
    "With the strongest penalty pooled leave-one-out reads more than 0.4 too low in every cell; leave-pair-out, "
    "per-fold averages and rebalanced leave-one-out stay within 0.06 of the truth at every penalty.",
    "bias of pooled leave-one-out nearest to zero (below -0.4)",
    study="rebalanced",
)
def shrinkage_makes_the_tilt_worse(tables):
    penalties = sorted(set(tables.rebalanced["bias"]["penalty"]) - {"none"}, key=float)
    by_penalty = [tables.repairs("bias", penalty) for penalty in penalties]
    others = max(table[["lpo", "perfold", "rloo", "rloo_once"]].abs().max(axis=None) for table in by_penalty)
    nearest = by_penalty[-1]["loo"].max()
    return nearest < -0.4 and others < 0.06, nearest


@claim(
    "In every kind of survey pooled leave-one-out chooses a weaker penalty on average than rebalanced leave-one-out, "
    "by more than half a power of ten, whichever of penalties with equal estimates each takes.",
    "least difference in powers of ten (above 0.5)",
    study="rebalanced",
)
def pooling_chooses_weaker_penalties(tables):
    weakest, strongest = (
        tables.losses()[f"mean_log10_{which}"].unstack("estimator") for which in ("weakest", "strongest")
    )
    least = (weakest["rloo_once"] - strongest["loo"]).min()
    return least > 0.5, least


@claim(
    "What the choice by pooled leave-one-out costs beyond that by leave-pair-out is less than 0.01 of AUC in every "
    "kind of survey, more than two standard errors with few sites and within two with more.",
    "with few sites, in standard errors (above 2)",
    study="rebalanced",
)
def the_weaker_choice_costs_little(tables):
    losses = tables.losses().xs("loo", level="estimator")
    z = losses["loss_over_lpo"] / losses["loss_over_lpo_mcse"]
    rest = z.drop("few_sites").abs().max()
    return z["few_sites"] > 2 and rest < 2 and losses["loss_over_lpo"].max() < 0.01, z["few_sites"]


@claim(
    "What the choice by rebalanced leave-one-out costs is more than that by leave-pair-out by less than 0.002 in every "
    "kind of survey, two standard errors counted in.",
    "largest difference and two standard errors (below 0.002)",
    study="rebalanced",
)
def rebalancing_chooses_as_well_as_pairs(tables):
    losses = tables.losses().xs("rloo_once", level="estimator")
    most = (losses["loss_over_lpo"] + 2 * losses["loss_over_lpo_mcse"]).max()
    return most < 0.002, most


@claim(
    "In every kind of survey one penalty of 10 loses less than the choice by any of the estimators.",
    "largest ratio to the least loss of a choice (below 1)",
    study="rebalanced",
)
def a_fixed_penalty_loses_less(tables):
    fixed = pd.concat(tables.rebalanced[cell] for cell in tables.losses().index.unique("cell"))
    fixed = fixed[(fixed["estimator"] == "lpo") & (fixed["penalty"] == 10)].set_index("cell")["loss"]
    ratio = (fixed / tables.losses()["loss"].groupby("cell").min()).max()
    return ratio < 1, ratio


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bias-table", required=True)
    parser.add_argument("--channel-table", required=True)
    parser.add_argument("--example-sites", required=True)
    parser.add_argument("--published-check", required=True, help="the reproduced numbers")
    parser.add_argument("--coverage-table", required=True)
    parser.add_argument("--coverage-by-size", required=True)
    parser.add_argument("--f1-table", required=True)
    parser.add_argument("--consistency-table", required=True)
    parser.add_argument("--adjusted-table", required=True)
    parser.add_argument("--distributional-bias", required=True)
    parser.add_argument("--tilt", nargs="*", default=[], help="tables of tilt, named CELL.csv")
    parser.add_argument(
        "--large", nargs="*", default=[], help="tables of the large study, named TABLE.csv, if it was built"
    )
    parser.add_argument("--communities", nargs="*", default=[], help="the same of real species")
    parser.add_argument("--rebalanced", nargs="*", default=[], help="the same of the study of rebalancing")
    parser.add_argument("--evaluate", action="store_true", help="evaluate the claims, and fail when one does not hold")
    parser.add_argument("--output", required=True)
    args = parser.parse_args()

    tables = Tables(
        pd.read_csv(args.bias_table).set_index(["cell", "estimator"]).sort_index(),
        pd.DataFrame({Path(path).stem: pd.read_csv(path).mean() for path in args.tilt}).T,
        pd.read_csv(args.channel_table).set_index(["cell", "refit"])["share_of_full"],
        pd.read_csv(args.example_sites),
        pd.read_csv(args.published_check).set_index("key")["value"],
        pd.read_csv(args.coverage_table).set_index(["cell", "interval"]),
        pd.read_csv(args.coverage_by_size),
        pd.read_csv(args.f1_table).set_index(["cell", "threshold", "estimator"]),
        pd.read_csv(args.consistency_table).set_index(["criterion", "prevalence", "sites"]).sort_index(),
        pd.read_csv(args.adjusted_table).set_index("design"),
        pd.read_csv(args.distributional_bias).set_index(["figure", "quantity"])["value"],
        {Path(path).stem: pd.read_csv(path) for path in args.large},
        {Path(path).stem: pd.read_csv(path) for path in args.communities},
        {Path(path).stem: pd.read_csv(path) for path in args.rebalanced},
    )
    rows = []
    for name, (sentence, measure, _, study) in CLAIMS.items():
        if study and not getattr(tables, study):
            continue
        holds, number = evaluated(name, tables) if args.evaluate else (NOT_EVALUATED, "")
        rows.append({"claim": name, "sentence": sentence, "number": number, "measure": measure, "holds": holds})
    write_table(pd.DataFrame(rows), args.output)
    false = [row for row in rows if row["holds"] == "no"]
    if false:
        words = "; ".join(f"{row['claim']} ({row['number']:.4g}): {row['sentence']}" for row in false)
        sys.exit(f"claims that do not hold: {words}")
    print(f"{sum(row['holds'] == 'yes' for row in rows)} of {len(rows)} claims hold")


def evaluated(name, tables):
    """Whether the claim holds ("yes" or "no"), and its number."""
    predicate = CLAIMS[name][2]
    try:
        holds, number = predicate(tables)
    except KeyError as missing:
        sys.exit(f"claim {name} needs a cell or an estimator that this build does not have: {missing}")
    if np.isnan(number):
        sys.exit(f"claim {name} needs a cell or an estimator that this build does not have")
    return "yes" if holds else "no", float(number)


if __name__ == "__main__":
    main()
