"""Splits for cross-validation that keep the class counts of every training set the same, or the mean of its response.

Whatever is held out is missing from the training set, so that the share of a class, or the mean, moves away from it,
and predictions that follow the share lean against the label ("stratification bias": Parker, Gunter and Bedo 2007, BMC
Bioinformatics 8:326; "distributional bias": Austin, Pe'er and Korem 2025, Science Advances 11:eadx6976). Rebalanced
splits drop a few more training rows, so that nothing is left to lean.

They have the interface of scikit-learn's splitters: ``split(X, y)`` and ``get_n_splits``. ``random_state`` is a seed,
with which every call splits alike, or a NumPy Generator or RandomState, from which all is drawn before the first
split is handed out.
"""

from itertools import combinations
from math import comb
from numbers import Integral

import numpy as np
import pandas as pd


class _Rebalanced:
    """Splits whose training sets are thinned at random to the same count of every class."""

    random_state = None

    def split(self, X, y=None, groups=None):
        """Yield (training rows, held-out rows), both ascending.

        X : anything of length rows; y : (rows,) labels of any type. Raises ValueError without labels, or for a class
        that is too small.
        """
        yield from self._splits(_classes(X, y), _generator(self.random_state))

    def __repr__(self):
        settings = ", ".join(f"{name}={value!r}" for name, value in sorted(vars(self).items()))
        return f"{type(self).__name__}({settings})"


class RebalancedLeaveOneOut(_Rebalanced):
    """Leave out each row in turn and drop with it one random row of every other class."""

    def __init__(self, random_state=None):
        self.random_state = random_state

    def get_n_splits(self, X=None, y=None, groups=None):
        return _rows(y if X is None else X)

    def _splits(self, classes, generator):
        _check_sizes(classes, 1)
        rows = np.arange(len(classes))
        draw = getattr(generator, "integers", None) or generator.randint  # what `choice` draws, in less time
        members = [np.flatnonzero(classes == number) for number in range(classes.max() + 1)]
        splits = []
        for row in rows:
            others = (of for number, of in enumerate(members) if number != classes[row])
            kept = np.ones(len(rows), bool)
            kept[[row, *(of[draw(0, len(of))] for of in others)]] = False
            splits.append((rows[kept], rows[row : row + 1]))
        return splits


class RebalancedLeavePOut(_Rebalanced):
    """Leave out every set of ``p`` rows and thin the others to ``n_c - p`` of each class."""

    def __init__(self, p, random_state=None):
        self.p, self.random_state = p, random_state

    def get_n_splits(self, X=None, y=None, groups=None):
        return comb(_rows(y if X is None else X), self.p)

    def _splits(self, classes, generator):
        if not (isinstance(self.p, Integral) and self.p >= 1):
            raise ValueError(f"p is {self.p!r}; it must be a whole number of 1 or more")
        _check_sizes(classes, self.p)
        kept = np.bincount(classes) - self.p
        held_out = combinations(range(len(classes)), self.p)
        return [_thinned(classes, np.array(rows), kept, generator) for rows in held_out]


class RebalancedKFold(_Rebalanced):
    """Parts as of scikit-learn's KFold, in order or shuffled; the others thinned to what the part that holds most of a
    class leaves of it."""

    def __init__(self, n_splits=5, shuffle=False, random_state=None):
        self.n_splits, self.shuffle, self.random_state = n_splits, shuffle, random_state

    def get_n_splits(self, X=None, y=None, groups=None):
        return self.n_splits

    def _splits(self, classes, generator):
        rows = len(classes)
        if not (isinstance(self.n_splits, Integral) and 2 <= self.n_splits <= rows):
            raise ValueError(f"n_splits is {self.n_splits!r}; it must be a whole number from 2 to the {rows} rows")
        order = generator.permutation(rows) if self.shuffle else np.arange(rows)
        parts = [np.sort(part) for part in np.array_split(order, self.n_splits)]
        of_class = np.array([np.bincount(classes[part], minlength=classes.max() + 1) for part in parts])
        kept = np.bincount(classes) - of_class.max(axis=0)
        if kept.min() < 1:
            raise ValueError("a part holds all rows of a class, which leaves none to fit; use fewer parts or shuffle")
        return [_thinned(classes, part, kept, generator) for part in parts]


class RebalancedLeaveOneOutRegression:
    """Leave out each row in turn and drop, where there is one, another that brings the mean of the training responses
    back towards the mean of all and never across it, nearly always as near as one row can. Nothing is random."""

    def split(self, X, y=None, groups=None):
        """Yield (training rows, held-out rows). y : (rows,) numbers. Raises ValueError without three of them at least.

        With ``m`` the mean of all and ``t`` the response held out: for ``t >= m`` the smallest training response in
        ``[2 m - t, m]`` is dropped, for others the largest in ``[m, 2 m - t]``.
        """
        if y is None:
            raise ValueError("rebalanced splits need y")
        y = np.asarray(y, dtype=float)
        if y.ndim != 1 or len(y) != _rows(y if X is None else X) or len(y) < 3 or not np.isfinite(y).all():
            raise ValueError("y must be three or more finite numbers, one for each row")
        scale = np.abs(y).max()
        distance = y / scale - (y / scale).mean() if scale > 0 else y  # from the mean, also of huge and of tiny numbers
        rounding = 1e-12 * np.abs(distance).max() + 4 * np.finfo(float).eps
        rows = np.arange(len(y))
        for row, own in enumerate(distance):
            side = distance if own >= 0 else -distance
            others = rows[(rows != row) & (side >= -abs(own) - rounding) & (side <= rounding)]
            drop = [row, others[np.argmin(side[others])]] if len(others) else [row]
            yield np.delete(rows, drop), rows[row : row + 1]

    def get_n_splits(self, X=None, y=None, groups=None):
        return _rows(y if X is None else X)

    def __repr__(self):
        return f"{type(self).__name__}()"


def _classes(X, y):
    """(rows,) numbers of the classes, from 0."""
    if y is None:
        raise ValueError("rebalanced splits need y, the labels")
    labels = y if hasattr(y, "ndim") else np.array(list(y), dtype=object)
    if labels.ndim != 1 or len(labels) != _rows(y if X is None else X):
        raise ValueError("y must hold one label for each row of X")
    if pd.isna(labels).any():
        raise ValueError("y has missing labels; leave these rows out")
    labels = np.asarray(labels)
    try:
        classes = np.unique(labels, return_inverse=True)[1]
    except TypeError:  # labels of several types, which have no order
        classes = np.unique(labels.astype(str), return_inverse=True)[1]
    if classes.max(initial=0) == 0:
        raise ValueError("y holds one class only; rebalancing takes two or more")
    return classes


def _rows(X):
    if X is None:
        raise ValueError("there are neither X nor y")
    return X.shape[0] if hasattr(X, "shape") else len(X)


def _check_sizes(classes, held_out):
    counts = np.bincount(classes)
    if counts.min() <= held_out:
        raise ValueError(
            f"a class has {counts.min()} rows; leaving {held_out} out of each takes {held_out + 1} at least"
        )


def _generator(random_state):
    return random_state if hasattr(random_state, "choice") else np.random.default_rng(random_state)


def _thinned(classes, held_out, kept, generator):
    """(training rows with ``kept`` of each class, held-out rows)."""
    others = np.setdiff1d(np.arange(len(classes)), held_out)
    chosen = [
        generator.choice(others[classes[others] == number], count, replace=False) for number, count in enumerate(kept)
    ]
    return np.sort(np.concatenate(chosen)), held_out
