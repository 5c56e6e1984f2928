"""What the data sets with nothing to find come to, and the tests of the source on them: one row per number.

Tests are of a mean against its right value: t tests of all data sets, of those with chosen balances, and of the means
over the repeats of a setting; Fisher's combination of the last over strengths; Wilcoxon's of two paired R-squared.
"""

import argparse

import pandas as pd
from scipy.stats import combine_pvalues, ttest_1samp, wilcoxon

from arguments import name_value
from surveyauc.no_signal import r_squared
from surveyauc.summaries import mean_and_error
from surveyauc.tables import write_table

RIGHT = 0.5  # the AUC where there is nothing to find


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", nargs="+", required=True, help="AUCs of an experiment each")
    parser.add_argument("--figures", nargs="+", type=name_value, required=True, help="EXPERIMENT=FIGURE of the source")
    parser.add_argument("--tested", nargs="*", type=name_value, default=[], help="EXPERIMENT=BALANCE,BALANCE,...")
    parser.add_argument("--mean-table", required=True, help="response and training means of every row")
    parser.add_argument("--regression-table", required=True, help="R-squared of every data set")
    parser.add_argument("--output", required=True)
    args = parser.parse_args()

    figures, tested = dict(args.figures), dict(args.tested)
    rows = []
    for path in args.tables:
        table = pd.read_csv(path)
        name = table["experiment"].iloc[0]
        balances = [float(word) for word in tested[name].split(",")] if name in tested else None
        rows += [(name, figures[name], *pair) for pair in of_experiment(table, balances).items()]
    means, regression = pd.read_csv(args.mean_table), pd.read_csv(args.regression_table)
    rows.append(("regression", "6C", "mean_truth", regression["truth"].mean()))
    for scheme in ("leave_one_out", "rebalanced"):
        above, error, _ = mean_and_error(regression[scheme] - regression["truth"])
        rows += [("regression", "6C", f"bias_{scheme}", above), ("regression", "6C", f"bias_{scheme}_mcse", error)]
        rows.append(("mean_of_others", "6B", scheme, r_squared(means["response"], means[scheme])))
        rows.append(("regression", "6C", f"median_{scheme}", regression[scheme].median()))
        rows.append(("regression", "6C", f"p_{scheme}", ttest_1samp(regression[scheme], 0.0).pvalue))
    paired = wilcoxon(regression["leave_one_out"], regression["rebalanced"]).pvalue
    rows.append(("regression", "6C", "p_paired", paired))
    write_table(pd.DataFrame(rows, columns=["experiment", "figure", "quantity", "value"]), args.output)


def of_experiment(table, tested):
    """Names and values; ``tested`` : the balances that the test of the source takes, or None."""
    mean, error, count = mean_and_error(table["auc"])
    settings = table.fillna({"strength": 0.0}).groupby(["left_out", "strength", "balance"])["auc"].mean()
    found = {"data_sets": count, "mean": mean, "mcse": error, "p": ttest_1samp(table["auc"], RIGHT).pvalue}
    found |= {"lowest_mean": settings.min(), "highest_mean": settings.max()}
    found["p_of_means"] = ttest_1samp(settings, RIGHT).pvalue
    by_strength = [ttest_1samp(of, RIGHT).pvalue for _, of in settings.groupby("strength")]
    if len(by_strength) > 1:
        found["p_fisher"] = combine_pvalues(by_strength, method="fisher").pvalue
    if tested:
        inside = table["balance"].isin(tested)
        found["p_tested"] = ttest_1samp(table["auc"][inside], RIGHT).pvalue
        found |= {"mean_tested": table["auc"][inside].mean(), "mean_others": table["auc"][~inside].mean()}
    return found


if __name__ == "__main__":
    main()
