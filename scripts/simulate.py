"""Draw the surveys of one cell, and with each of them what its estimators draw at random.

The replay engine draws the cells of a stream one after the other: it starts from the state that the cell before left
and leaves its own. The independent engine starts every survey from (seed, cell, survey number), so that a cell can be
drawn in chunks.
"""

import argparse
import json

import numpy as np

from surveyauc.holdout import DRAWS, stacked
from surveyauc.streams import IndependentStream, ReplayStream
from surveyauc.surveys import GeneratingModel


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cell", required=True)
    parser.add_argument("--engine", choices=["replay", "independent"], required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--sites", type=int, required=True)
    parser.add_argument("--slope", type=float, required=True)
    parser.add_argument("--prevalence", type=float, required=True)
    parser.add_argument("--noise-covariates", type=int, required=True)
    parser.add_argument("--first", type=int, default=0, help="number of the first survey (independent engine)")
    parser.add_argument("--surveys", type=int, required=True)
    parser.add_argument("--presences", type=int, help="draw exactly so many; the other sites are absences")
    parser.add_argument("--least-of-each-class", type=int, required=True)
    parser.add_argument("--fresh-sites", type=int, default=0, help="0: draw none")
    parser.add_argument("--draws", nargs="*", default=[], choices=list(DRAWS))
    parser.add_argument("--folds", type=int)
    parser.add_argument("--pairs-at-most", type=int)
    parser.add_argument("--tilt-absences", type=int)
    parser.add_argument("--state-before", nargs="*", help="where the cell before left the stream; none: from the seed")
    parser.add_argument("--state-after", help="where this cell leaves the stream (replay engine)")
    parser.add_argument("--output", required=True)
    args = parser.parse_args()

    model = GeneratingModel.with_prevalence(args.slope, args.prevalence, args.noise_covariates)
    stream = None
    if args.engine == "replay":
        stream = continued(args.state_before[0]) if args.state_before else ReplayStream.from_seed(args.seed)
    surveys = [
        draw(stream or IndependentStream(args.seed, args.cell, number), model, args)
        for number in range(args.first, args.first + args.surveys)
    ]
    arrays = {name: stack(name, [survey[name] for survey in surveys]) for name in surveys[0]}
    np.savez(args.output, intercept=model.intercept, slope=model.slope, **arrays)
    if args.state_after:
        state = {name: np.asarray(value).tolist() for name, value in stream.state().items()} if stream else {}
        with open(args.state_after, "w", encoding="utf-8") as file:
            json.dump(state, file)
    print(f"{args.cell}: {args.surveys} surveys of {args.sites} sites, {arrays['labels'].sum()} presences")


def draw(stream, model, args):
    """One survey: its sites, the fresh sites that measure its truth, and what its hold-out schemes draw."""
    if args.presences is None:
        covariates, labels = model.draw_survey(stream, args.sites, args.least_of_each_class)
    else:
        covariates, labels = model.draw_classes(stream, args.presences, args.sites - args.presences)
    survey = {"covariates": covariates, "labels": labels}
    if args.fresh_sites:
        survey["fresh_covariates"], survey["fresh_labels"] = model.draw_sites(stream, args.fresh_sites)
    for name, function in DRAWS.items():
        if name in args.draws:
            survey[name] = function(
                stream, labels, folds=args.folds, pairs_at_most=args.pairs_at_most, tilt_absences=args.tilt_absences
            )
    return survey


def stack(name, values):
    return stacked(values) if name in DRAWS else np.stack(values)


def continued(path):
    with open(path, encoding="utf-8") as file:
        return ReplayStream(json.load(file))


if __name__ == "__main__":
    main()
