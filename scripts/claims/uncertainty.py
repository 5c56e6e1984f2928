"""The claims about intervals: those of scores on a test set, and how often those of a survey cover."""

from claims.registry import claim

SMALL = ["small_working", "small_weak", "small_null", "small_balanced"]
ONE_COVARIATE = [*SMALL, "n60_working", "n120_working", "n60_null", "n120_null"]


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
