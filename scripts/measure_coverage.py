"""Make every interval of every survey of a chunk, and note the truth that it should cover.

Intervals that take simulations are made of one survey in so many, those whose number can be divided by that.
"""

import argparse
import itertools
import warnings

import numpy as np

from surveyauc.coverage import INTERVALS, Survey, intervals_of
from surveyauc.estimators import score_surveys
from surveyauc.tables import write_table
from surveyauc.truth import ExactTruth


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--surveys", required=True, help="simulated surveys (.npz)")
    parser.add_argument("--cell", required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--first", type=int, required=True, help="number of the first survey")
    parser.add_argument("--alpha", type=float, required=True)
    parser.add_argument("--resamples", type=int, required=True)
    parser.add_argument("--one-in", type=int, required=True)
    parser.add_argument("--strengths", type=int, required=True)
    parser.add_argument("--draws", type=int, required=True)
    parser.add_argument("--pair-one-in", type=int, required=True)
    parser.add_argument("--pair-draws", type=int, required=True)
    parser.add_argument("--pair-at-most", type=int, required=True)
    parser.add_argument("--pair-sites-up-to", type=int, required=True, help="no inversion of leave-pair-out beyond")
    parser.add_argument("--output", required=True)
    args = parser.parse_args()

    with np.load(args.surveys) as drawn:
        drawn = dict(drawn)
    covariates, labels = drawn["covariates"], drawn["labels"].astype(int)
    coefficients = score_surveys(covariates, labels, {}, ["resub"])["coefficients"]
    truths = ExactTruth.under(drawn["intercept"], drawn["slope"]).of(coefficients)
    names = ("alpha", "resamples", "strengths", "draws", "pair_draws", "pair_at_most")
    settings = {name: getattr(args, name) for name in names}
    warnings.filterwarnings("ignore", message="the smaller class has")
    rows = []
    for k, truth in enumerate(truths):
        number = args.first + k
        survey = Survey(
            covariates[k], labels[k], drawn["stratified_folds"][k], args.seed, args.cell, number, **settings
        )
        made = intervals_of(survey, codes_of(number, labels.shape[1], args))
        smaller = min(labels[k].sum(), (1 - labels[k]).sum())
        row = {"survey": number, "smaller": smaller, "truth": truth, "lpo": survey.pairs.mean()}
        for code, part in itertools.product(INTERVALS, range(3)):
            row[f"{code}_{('lower', 'upper', 'refits')[part]}"] = made[code][part] if code in made else np.nan
        rows.append(row)
    write_table({name: [row[name] for row in rows] for name in rows[0]}, args.output)


def codes_of(number, sites, args):
    """The intervals that are made of this survey."""
    made = {"all"}
    if number % args.one_in == 0:
        made.add("some")
    if number % args.pair_one_in == 0 and sites <= args.pair_sites_up_to:
        made.add("few")
    return [code for code, interval in INTERVALS.items() if interval.surveys in made]


if __name__ == "__main__":
    main()
