"""The claims about the simulation study of the article."""

import numpy as np

from claims.registry import claim

SMALL = ["small_working", "small_weak", "small_null", "small_balanced"]
ONE_COVARIATE = [*SMALL, "n60_working", "n120_working", "n60_null", "n120_null"]
COVARIATES = ["multi_n30", "multi_n60"]
POOLED = ["loo", "rand5", "strat5"]
SIX = ["resub", *POOLED, "perfold", "lpo"]


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
