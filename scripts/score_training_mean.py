"""Score every row of one survey by minus the mean of its training labels: leave-one-out and its rebalanced form."""

import argparse

import numpy as np

from surveyauc.no_signal import leave_one_out_masks, training_means
from surveyauc.streams import independent_generator
from surveyauc.tables import write_table


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, required=True)
    parser.add_argument("--presences", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--output", required=True)
    args = parser.parse_args()

    generator = independent_generator(args.seed, "training_mean", 0)
    labels = generator.permutation(np.arange(args.rows) < args.presences).astype(int)
    scores = {name: -training_means(labels, *masks) for name, masks in leave_one_out_masks(labels, generator).items()}
    write_table({"label": labels} | scores, args.output)


if __name__ == "__main__":
    main()
