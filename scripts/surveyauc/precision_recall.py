"""The area under the precision-recall curve of Davis and Goadrich.

Between two neighbouring thresholds the curve is not a straight line: false positives grow in proportion to true ones,
and precision follows (Davis and Goadrich 2006, The relationship between precision-recall and ROC curves, ICML,
section 4). Average precision, a sum of steps, and the area under straight lines are other quantities.
"""

import numpy as np

from surveyauc.ranks import tied


def precision_recall_area(scores, labels):
    """Area under the curve in closed form, groups of `tied` scores taken at once.

    scores : (sites,) finite floats; labels : (sites,) 0/1, both present. Returns a float.
    """
    order, group = groups_from_the_top(scores)
    labels = np.asarray(labels)[order]
    true = np.bincount(group, weights=labels)
    return float(area_of_groups(true[None], np.bincount(group)[None] - true[None])[0])


def groups_from_the_top(scores):
    """(order, group): site numbers from the highest score down, and for each of them which group of ties it is in."""
    scores = np.asarray(scores, dtype=float)
    order = np.argsort(-scores, kind="stable")
    falling = scores[order]
    return order, np.concatenate([[0], np.cumsum(~tied(falling[1:], falling[:-1]))])


def area_of_groups(true, false):
    """Area from the positives ``true`` and negatives ``false`` in each group of ties, from the highest scores down.

    Both (samples, groups), in numbers or weights; groups may be empty, but every sample holds positives. Returns
    (samples,). A group that starts after t positives and f negatives and adds dt and df contributes the integral of
    ``(t + x) / (t + f + b x)`` over x from 0 to dt, where ``b = 1 + df / dt``.
    """
    before_true, before_false = np.cumsum(true, axis=1) - true, np.cumsum(false, axis=1) - false
    above = before_true + before_false
    with np.errstate(divide="ignore", invalid="ignore"):
        b = 1.0 + false / true
        first = true**2 / (true + false)
        later = true / b + (before_true - above / b) / b * np.log1p(b * true / above)
        area = np.where(true > 0, np.where(above > 0, later, first), 0.0)
    return area.sum(axis=1) / true.sum(axis=1)


def precision_recall_area_on_grid(true, false, steps=1000):
    """The same area as the vignette's source computes it, by trapezoids: points at every rank, and between them on the
    curve at recalls that are multiples of ``1 / steps``. It differs from the closed form by less than 1e-5.

    true, false : (samples, groups), positives and negatives in each group of ties, from the highest scores down. Inside
    a group both are spread evenly over its ranks. Returns (samples,).
    """
    return np.array([_area_on_grid(*sample, steps) for sample in zip(true, false, strict=True)])


def _area_on_grid(true, false, steps):
    sizes = true + false
    there = sizes > 0
    found = np.concatenate([[0.0], np.cumsum(np.repeat(true[there] / sizes[there], sizes[there].astype(int)))])
    ranks = np.arange(len(found))
    missed = ranks - found
    recall = found / found[-1]
    precision = np.concatenate([found[1:2], found[1:] / ranks[1:]])

    grid = np.arange(1, steps) / steps
    end = np.searchsorted(recall, grid)  # each lies between the ranks before this one and this one
    start = end - 1
    hits = grid * found[-1]
    false_per_hit = (missed[end] - missed[start]) / (found[end] - found[start])
    on_curve = hits / (hits + missed[start] + false_per_hit * (hits - found[start]))
    x, y = np.concatenate([recall, grid]), np.concatenate([precision, on_curve])
    order = np.lexsort((x, np.concatenate([ranks, end - 0.5])))
    return np.trapezoid(y[order], x[order])
