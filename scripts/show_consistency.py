"""A fixed rule on samples of growing size: how AUC and F1 come to their population values, how often each needs its
convention, how the variance of the AUC compares with a bound and with what independent pairs would give; and how often
an interval for F1 at a target prevalence covers it.
"""

import argparse

import numpy as np
import pandas as pd
from scipy.special import logit

from arguments import name_value
from surveyauc.f_measure import adjusted_f1, confusion, f1, f1_at_prevalence
from surveyauc.ranks import auc
from surveyauc.rates import exact_rates
from surveyauc.streams import IndependentStream
from surveyauc.surveys import GeneratingModel, logistic
from surveyauc.tables import write_table
from surveyauc.truth import ExactTruth

RULE = np.array([0.0, 1.0])  # the covariate that works is the score


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--slope", type=float, required=True)
    parser.add_argument("--prevalences", nargs="+", type=float, required=True)
    parser.add_argument("--sizes", nargs="+", type=int, required=True)
    parser.add_argument("--samples", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--empty", type=float, required=True)
    parser.add_argument("--designs", nargs="+", type=name_value, required=True, help="NAME=PRESENCES,ABSENCES")
    parser.add_argument("--target", type=float, required=True, help="prevalence that F1 is adjusted to")
    parser.add_argument("--design-samples", type=int, required=True)
    parser.add_argument("--design-seed", type=int, required=True)
    parser.add_argument("--alpha", type=float, required=True)
    parser.add_argument("--consistency-table", required=True)
    parser.add_argument("--coverage-table", required=True)
    args = parser.parse_args()

    rows = []
    for prevalence in args.prevalences:
        model = GeneratingModel.with_prevalence(args.slope, prevalence)
        for sites in args.sizes:
            stream = IndependentStream(args.seed, f"consistency {prevalence:g}", sites)
            sample = Sample(model, prevalence, sites, args.samples, stream, args.empty)
            rows += [
                {"prevalence": prevalence, "sites": sites, "samples": args.samples} | row
                for row in (sample.auc_row(), sample.f1_row())
            ]
    write_table(pd.DataFrame(rows), args.consistency_table)

    model = GeneratingModel.with_prevalence(args.slope, args.prevalences[0])
    rates = exact_rates(model.intercept, model.slope, RULE, threshold_at(model, args.prevalences[0]))[1:]
    designs = {name: tuple(map(int, sizes.split(","))) for name, sizes in args.designs}
    rows = [
        {"design": name} | coverage(*sizes, rates, args, IndependentStream(args.design_seed, name, 0))
        for name, sizes in designs.items()
    ]
    write_table(pd.DataFrame(rows), args.coverage_table)


def threshold_at(model, probability):
    """The covariate at which sites are occupied with this probability."""
    return (logit(probability) - model.intercept) / model.slope


class Sample:
    """Samples of one size from a model, scored by `RULE`, a presence being called where the chance of one is at least
    the prevalence."""

    def __init__(self, model, prevalence, sites, samples, stream, empty):
        self.model, self.sites, self.samples, self.empty = model, sites, samples, empty
        self.threshold = threshold_at(model, prevalence)
        self.prevalence, self.sensitivity, self.false_rate = exact_rates(
            model.intercept, model.slope, RULE, self.threshold
        )
        self.scores = stream.normal(samples * sites).reshape(samples, sites)
        self.labels = (stream.uniform((samples, sites)) < logistic(model.intercept + model.slope * self.scores)).astype(
            int
        )
        self.fixed = self._with_fixed_classes(stream)

    def _with_fixed_classes(self, stream):
        """(presences, absences, AUC of samples that have so many of each)."""
        presences = max(2, round(self.prevalence * self.sites))
        absences, kept = self.sites - presences, {0: np.empty(0), 1: np.empty(0)}
        wanted = {1: presences * self.samples, 0: absences * self.samples}
        while any(len(kept[value]) < wanted[value] for value in kept):
            scores = stream.normal(self.samples * self.sites)
            labels = stream.uniform(scores.shape) < logistic(self.model.intercept + self.model.slope * scores)
            kept = {value: np.concatenate([kept[value], scores[labels == value]]) for value in kept}
        of_class = [kept[value][: wanted[value]].reshape(self.samples, -1) for value in (1, 0)]
        classes = np.broadcast_to(np.repeat([1, 0], [presences, absences]), (self.samples, self.sites))
        return presences, absences, auc(np.concatenate(of_class, axis=1), classes)

    def auc_row(self):
        """With the variance at fixed class counts (measured, by a bound, and as of independent pairs)."""
        truth = float(ExactTruth.under(self.model.intercept, self.model.slope).of(RULE))
        values = auc(self.scores, self.labels)
        undefined = np.isnan(values)
        presences, absences, fixed = self.fixed
        absent = (1.0 - self.prevalence) ** self.sites + self.prevalence**self.sites
        return _row("auc", values[~undefined], truth, undefined, absent, absent) | {
            "presences": presences,
            "variance": fixed.var(ddof=1),
            "variance_mcse": fixed.var(ddof=1) * np.sqrt(2.0 / (len(fixed) - 1)),
            "variance_bound": 1.0 / (presences * absences) + 1.0 / presences + 1.0 / absences,
            "variance_of_independent_pairs": truth * (1.0 - truth) / (presences * absences),
        }

    def f1_row(self):
        truth = float(f1_at_prevalence(self.sensitivity, self.false_rate, self.prevalence))
        found = f1(*confusion(self.scores, self.labels, self.threshold)[:3], empty=self.empty)
        empty = ((1.0 - self.prevalence) * (1.0 - self.false_rate)) ** self.sites
        bound = (1.0 - self.prevalence) ** self.sites
        return _row("f1", found.value, truth, found.was_empty, empty, bound)


def _row(criterion, values, truth, by_convention, share, bound):
    """by_convention : where the statistic is undefined; share, bound : its probability, and the most that it can be."""
    error = values - truth
    return {
        "criterion": criterion,
        "truth": truth,
        "mean": values.mean(),
        "mcse": values.std(ddof=1) / np.sqrt(len(values)),
        "rmse": np.sqrt((error**2).mean()),
        "share_by_convention": by_convention.mean(),
        "share_expected": float(share),
        "share_at_most": float(bound),
    }


def coverage(presences, absences, rates, args, stream):
    """How often the interval of one validation sample covers F1 at the target prevalence."""
    sensitivity, false_rate = map(float, rates)
    found = (stream.uniform((args.design_samples, presences)) < sensitivity).sum(axis=1)
    called = (stream.uniform((args.design_samples, absences)) < false_rate).sum(axis=1)
    counts = found, called, presences - found, absences - called
    truth = float(f1_at_prevalence(sensitivity, false_rate, args.target))
    made = adjusted_f1(counts, args.target, args.alpha)
    covered = ((made["lower"] <= truth) & (truth <= made["upper"])).mean()
    own = presences / (presences + absences)
    return {
        "presences": presences,
        "absences": absences,
        "target_prevalence": args.target,
        "own_prevalence": own,
        "truth": truth,
        "raw_f1": f1(*counts[:3], empty=args.empty).value.mean(),
        "adjusted_f1": made["value"].mean(),
        "coverage": covered,
        "mcse": np.sqrt(covered * (1.0 - covered) / args.design_samples),
        "width": (made["upper"] - made["lower"]).mean(),
    }


if __name__ == "__main__":
    main()
