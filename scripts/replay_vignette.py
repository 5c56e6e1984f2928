"""Replay the vignette on bootstrap and DeLong intervals: its data sets and resamples from R's streams, every table."""

import argparse

import numpy as np

from surveyauc.intervals import auc_boot, auc_ci, auc_delong, auc_diff
from surveyauc.precision_recall import precision_recall_area_on_grid
from surveyauc.streams import ReplayStream
from surveyauc.tables import write_table

LEVELS = {  # what the positives and the negatives of a level are drawn from, in the order of drawing
    "random": (("normal", 0.0), ("normal", 0.0)),
    "poor_er": (("beta", 4.0, 1.0), ("beta", 1.0, 1.0)),
    "good_er": (("beta", 1.0, 1.0), ("beta", 1.0, 4.0)),
    "excel": (("normal", 3.0), ("normal", 0.0)),
}
NAMES = {"modnames", "curvetypes", "modnames1", "modnames2"}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data-seed", type=int, required=True)
    parser.add_argument("--bootstrap-seed", type=int, required=True)
    parser.add_argument("--of-each-class", type=int, required=True)
    parser.add_argument("--resamples", type=int, required=True)
    parser.add_argument("--alpha", type=float, required=True)
    parser.add_argument("--output", required=True, help="every number: table, row, column, value")
    args = parser.parse_args()

    stream = ReplayStream.from_seed(args.data_seed)
    close, clear = (draw_levels(stream, args.of_each_class) for _ in range(2))
    labels = np.repeat([1, 0], args.of_each_class)
    draws = draw_resamples(ReplayStream.from_seed(args.bootstrap_seed), args.of_each_class, args.resamples)

    def boot(levels, *models):
        scores = {model: levels[model] for model in models}
        return auc_boot(scores, labels, draws=draws, area=precision_recall_area_on_grid)

    booted = boot(close, "poor_er", "good_er")
    delong = auc_delong({model: close[model] for model in ("poor_er", "good_er")}, labels)
    tables = {
        "boot_ci": auc_ci(booted, args.alpha),
        "boot_diff": auc_diff(booted, args.alpha),
        "boot_diff_clear": auc_diff(boot(clear, "poor_er", "excel"), args.alpha),
        "boot_diff_less": auc_diff(booted, args.alpha, "less"),
        "delong_ci": auc_ci(delong, args.alpha),
        "delong_diff": auc_diff(delong, args.alpha),
    }
    roc = tables["boot_ci"].query("curvetypes == 'ROC'")
    errors = roc[["modnames"]].assign(bootstrap=roc["error"], delong=tables["delong_ci"]["error"].to_numpy())
    numbers = [row for name, table in (tables | {"error_boot_vs_delong": errors}).items() for row in long(name, table)]
    write_table(dict(zip(("table", "row", "column", "value"), zip(*numbers, strict=True), strict=True)), args.output)


def draw_levels(stream, size):
    """Scores of every level, positives before negatives."""

    def draw(kind, *parameters):
        if kind == "beta":
            return stream.beta(*parameters, size)
        return parameters[0] + stream.normal(size)

    return {level: np.concatenate([draw(*side) for side in sides]) for level, sides in LEVELS.items()}


def draw_resamples(stream, size, resamples):
    """(resamples, 2 size) how often each site is drawn: positives among positives, then negatives among negatives."""
    draws = np.empty((resamples, 2 * size))
    for row in draws:
        for part in (row[:size], row[size:]):
            part[:] = np.bincount(stream.sample_with_replacement(size, size), minlength=size)
    return draws


def long(name, table):
    """(table, row, column, value) of every number of a tidy table."""
    for row in table.to_dict("records"):
        names = " ".join(f"{key}={value}" for key, value in row.items() if key in NAMES)
        for column, value in row.items():
            if column not in NAMES and column != "note":
                yield name, names, column, value


if __name__ == "__main__":
    main()
