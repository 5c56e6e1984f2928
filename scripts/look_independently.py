"""An independent look: score a random sample of surveys from every cell again with statsmodels, one fit at a time.

Nothing of the batched solver, the masks or the ranks is used here. Surveys with a refit at the edge, at the iteration
limit or with one class only have no unique answer; they are listed apart. The others must agree.
"""

import argparse
import sys
import warnings
import zlib
from pathlib import Path

import numpy as np
import pandas as pd
from statsmodels.genmod.families import Binomial
from statsmodels.genmod.generalized_linear_model import GLM

from surveyauc.ranks import TIE_TOLERANCE
from surveyauc.tables import write_table


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--surveys", nargs="+", required=True, help="simulated surveys, named CELL.npz")
    parser.add_argument("--scores", nargs="+", required=True, help="their scores, in the same order")
    parser.add_argument("--surveys-per-cell", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--tolerance", type=float, required=True, help="of an estimate")
    parser.add_argument("--tolerance-of-truth", type=float, required=True, help="of the AUC on fresh sites")
    parser.add_argument("--output", required=True)
    args = parser.parse_args()

    warnings.simplefilter("ignore")  # statsmodels warns of separation, which is listed here
    rows = []
    for drawn_path, scores_path in zip(args.surveys, args.scores, strict=True):
        scores = pd.read_csv(scores_path)
        with np.load(drawn_path) as drawn:
            drawn = dict(drawn)
        cell = Path(scores_path).stem
        generator = np.random.default_rng([args.seed, zlib.crc32(cell.encode())])  # whatever other cells there are
        chosen = generator.choice(len(scores), min(args.surveys_per_cell, len(scores)), replace=False)
        for survey in np.sort(chosen):
            rows += compare(cell, survey, scores.iloc[survey], drawn)
    table = pd.DataFrame(rows)
    write_table(table, args.output)

    limit = np.where(table["estimator"] == "truth", args.tolerance_of_truth, args.tolerance)
    wrong = table[~table["apart"] & ~(table["difference"].abs() <= limit)]
    print(f"{len(table)} numbers looked at, {table['apart'].sum()} of them apart, {len(wrong)} wrong")
    if len(wrong):
        sys.exit(f"the independent look differs:\n{wrong.to_string(index=False)}")


def compare(cell, survey, scores, drawn):
    """Rows for one survey: every number that its cell reports, here and from statsmodels."""
    drawn = {name: values[survey] for name, values in drawn.items() if values.ndim}
    apart = bool(scores["at_edge"] or scores["at_limit"] or scores["one_class"])
    return [
        {
            "cell": cell,
            "survey": survey,
            "estimator": name,
            "here": scores[name],
            "statsmodels": (value := look(name, drawn)),
            "difference": scores[name] - value,
            "apart": apart,
        }
        for name in LOOKS
        if not np.isnan(scores[name])
    ]


def look(name, drawn):
    return LOOKS[name](np.column_stack([np.ones(len(drawn["labels"])), drawn["covariates"]]), drawn["labels"], drawn)


def fit(design, labels, **options):
    return GLM(labels, design, family=Binomial(), **options).fit().params


def ordered(presence, absence):
    """1, 1/2 or 0 for every presence (rows) and absence (columns): above, tied, below."""
    presence, absence = np.asarray(presence)[:, None], np.asarray(absence)[None, :]
    close = np.abs(presence - absence) < TIE_TOLERANCE * np.maximum(1, np.maximum(abs(presence), abs(absence)))
    return np.where(close, 0.5, presence > absence)


def pair_share(scores, labels):
    return ordered(scores[labels == 1], scores[labels == 0]).mean()


def truth(design, labels, drawn):
    fresh = np.column_stack([np.ones(len(drawn["fresh_labels"])), drawn["fresh_covariates"]])
    return pair_share(fresh @ fit(design, labels), drawn["fresh_labels"])


def resubstitution(design, labels, drawn):
    return pair_share(design @ fit(design, labels), labels)


def leave_one_out(design, labels, drawn):
    others = ~np.eye(len(labels), dtype=bool)
    scores = [row @ fit(design[keep], labels[keep]) for row, keep in zip(design, others, strict=True)]
    return pair_share(np.array(scores), labels)


def slope_only(design, labels, drawn):
    intercept, scores = fit(design, labels)[0], []
    for site in range(len(labels)):
        keep = np.arange(len(labels)) != site
        slope = fit(design[keep, 1:], labels[keep], offset=np.full(keep.sum(), intercept))
        scores.append(intercept + design[site, 1] * slope[0])
    return pair_share(np.array(scores), labels)


def fold_scores(design, labels, folds):
    scores = np.empty(len(labels))
    for fold in np.unique(folds):
        scores[folds == fold] = design[folds == fold] @ fit(design[folds != fold], labels[folds != fold])
    return scores


def per_fold(design, labels, drawn):
    folds = drawn["stratified_folds"]
    scores = fold_scores(design, labels, folds)
    inside = [(scores[folds == fold], labels[folds == fold]) for fold in np.unique(folds)]
    return np.mean([pair_share(s, y) for s, y in inside if 0 < y.sum() < len(y)])


def leave_pair_out(design, labels, drawn):
    results = []
    for presence, absence in drawn["pairs"][drawn["pairs"][:, 0] >= 0]:
        keep = ~np.isin(np.arange(len(labels)), (presence, absence))
        coefficients = fit(design[keep], labels[keep])
        results.append(ordered([design[presence] @ coefficients], [design[absence] @ coefficients])[0, 0])
    return np.mean(results)


LOOKS = {
    "truth": truth,
    "resub": resubstitution,
    "loo": leave_one_out,
    "rand5": lambda design, labels, drawn: pair_share(fold_scores(design, labels, drawn["random_folds"]), labels),
    "strat5": lambda design, labels, drawn: pair_share(fold_scores(design, labels, drawn["stratified_folds"]), labels),
    "perfold": per_fold,
    "lpo": leave_pair_out,
    "slope_only": slope_only,
}


if __name__ == "__main__":
    main()
