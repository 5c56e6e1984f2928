"""Hold-out schemes: which sites each refit of a survey leaves out, and which of its predictions count.

A scheme is a pair of masks of shape (surveys, fits, sites): ``left_out`` of the training set, and ``scored``. They
are the same sites except in resubstitution, which leaves out none and scores all, and where a second site is dropped
with the one that is held out.

What a scheme draws at random is drawn with the survey and kept beside it, so that scoring needs no random numbers.
Only presence and absence decide what is drawn, never a fit.
"""

import numpy as np


def random_folds(stream, labels, folds, **_):
    """(sites,) fold numbers ``0 .. folds-1``: equal parts of all sites, shuffled."""
    sites = len(labels)
    return stream.sample(sites, sites) % folds


def stratified_folds(stream, labels, folds, **_):
    """(sites,) fold numbers: presences and absences are each dealt out to the folds like `random_folds`."""
    fold = np.empty(len(labels), dtype=np.int64)
    for value in (1, 0):
        members = np.flatnonzero(labels == value)
        fold[members] = stream.sample(len(members), len(members)) % folds
    return fold


def pairs(stream, labels, pairs_at_most, **_):
    """(pairs, 2) site numbers (presence, absence): all pairs, the presence running fastest, or ``pairs_at_most`` of
    them at random without replacement."""
    every = every_pair(labels)
    return every[stream.sample(len(every), pairs_at_most)] if len(every) > pairs_at_most else every


def every_pair(labels):
    """(presences * absences, 2) site numbers (presence, absence), the presence running fastest."""
    presences, absences = np.flatnonzero(labels == 1), np.flatnonzero(labels == 0)
    return np.column_stack([np.tile(presences, len(absences)), np.repeat(absences, len(presences))])


def tilt_absences(stream, labels, tilt_absences, **_):
    """Site numbers of ``tilt_absences`` absences drawn without replacement, or of all where there are fewer."""
    absences = np.flatnonzero(labels == 0)
    return absences[stream.sample(len(absences), min(tilt_absences, len(absences)))]


def companions(stream, labels, **_):
    """(sites,) for each site the number of a random site of the other class, in order of the sites."""
    others = [np.flatnonzero(labels != value) for value in (0, 1)]
    return np.array([others[value][stream.sample(len(others[value]), 1)[0]] for value in labels])


def stacked(draws):
    """The draws of several surveys as one array (surveys, ...), shorter ones filled up with -1, which is no site."""
    longest = max(len(draw) for draw in draws)
    result = np.full((len(draws), longest, *draws[0].shape[1:]), -1, dtype=np.int64)
    for k, draw in enumerate(draws):
        result[k, : len(draw)] = draw
    return result


# In the order in which they are drawn.
DRAWS = {
    "random_folds": random_folds,
    "stratified_folds": stratified_folds,
    "pairs": pairs,
    "tilt_absences": tilt_absences,
    "companions": companions,
}


def _nothing(labels, drawn):
    surveys, sites = labels.shape
    return np.zeros((surveys, 1, sites), bool), np.ones((surveys, 1, sites), bool)


def _one_site(labels, drawn):
    surveys, sites = labels.shape
    each = np.broadcast_to(np.eye(sites, dtype=bool), (surveys, sites, sites))
    return each, each


def _with_companions(labels, drawn):
    surveys, sites = labels.shape
    each = np.broadcast_to(np.eye(sites, dtype=bool), (surveys, sites, sites))
    return each | (np.arange(sites) == drawn[..., None]), each


def _folds(labels, drawn):
    numbers = np.arange(drawn.max() + 1)
    members = drawn[:, None, :] == numbers[:, None]
    return members, members


def _all_pairs(labels, drawn):
    return _pairs(labels, stacked([every_pair(y) for y in labels]))


def _every_two_sites(labels, drawn):
    surveys, sites = labels.shape
    both = np.column_stack(np.triu_indices(sites, 1))
    return _pairs(labels, np.broadcast_to(both, (surveys, *both.shape)))


def _pairs(labels, drawn):
    members = (np.arange(labels.shape[1]) == drawn[..., None]).any(axis=2)
    return members, members


# name: (which draw it needs, masks from labels (surveys, sites) and that draw (surveys, ...))
SCHEMES = {
    "nothing": (None, _nothing),
    "one site": (None, _one_site),
    "one site, one dropped": ("companions", _with_companions),
    "random folds": ("random_folds", _folds),
    "stratified folds": ("stratified_folds", _folds),
    "pair": ("pairs", _pairs),
    "every pair": (None, _all_pairs),
    "every two sites": (None, _every_two_sites),
}
