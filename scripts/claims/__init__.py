"""Every claim that the paper makes in words and that rests on results, as a predicate over the result tables.

A claim is a function: its name, the sentence it stands for, and whether it holds of the tables, with the number behind
it.
"""

from claims import article, communities, criteria, distributional, large, uncertainty
from claims.registry import CLAIMS as UNSORTED
from claims.registry import Tables

__all__ = ["CLAIMS", "Tables"]

ORDER = [module.__name__ for module in (article, uncertainty, criteria, distributional, large, communities)]
CLAIMS = dict(sorted(UNSORTED.items(), key=lambda item: ORDER.index(item[1][2].__module__)))
