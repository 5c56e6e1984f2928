"""The tables that claims are about, and the registry of claims."""

from dataclasses import dataclass

import pandas as pd


@dataclass(frozen=True)
class Tables:
    """bias : bias table by (cell, estimator); tilt : mean tilt by cell; channels : share by (cell, refit);
    example : sites of the one survey; numbers : those that the article prints, unrounded, by key; coverage : coverage
    table by (cell, interval); coverage_by_size : the same by signal and size of the smaller class; f1 : bias of F1 by
    (cell, threshold, estimator); consistency : of a fixed rule, by (criterion, prevalence, sites); adjusted : F1 at a
    target prevalence by design; replayed : numbers of the data sets with nothing to find that are replayed, by (figure,
    quantity); large : tables of the large study by name, where it was built; communities : the same of real species;
    rebalanced : the same of the study of rebalancing"""

    bias: pd.DataFrame
    tilt: pd.DataFrame
    channels: pd.Series
    example: pd.DataFrame
    numbers: pd.Series
    coverage: pd.DataFrame
    coverage_by_size: pd.DataFrame
    f1: pd.DataFrame
    consistency: pd.DataFrame
    adjusted: pd.DataFrame
    replayed: pd.Series
    large: dict
    communities: dict
    rebalanced: dict

    def of(self, column, cells, estimators):
        """A column of the bias table as a table of cells (rows) and estimators (columns)."""
        return self.bias[column].unstack("estimator").loc[cells, estimators]

    def f1_bias(self):
        """Bias of F1 at fixed thresholds, a row for each cell and threshold, a column for each estimator."""
        return self.f1["bias"].unstack("estimator").drop(index=["chosen", "chosen once"], level="threshold")

    def f1_above_pooled_folds(self, estimator):
        """The most by which F1 of an estimator is above that of pooled 5-fold counts at fixed thresholds."""
        return (self.f1_bias()[estimator] - self.f1_bias()["pooled5"]).max()

    def repairs(self, column, penalty="none"):
        """A column of the study of rebalancing as a table of cells (rows) and estimators (columns)."""
        table = self.rebalanced["bias"]
        return table[table["penalty"] == penalty].set_index(["cell", "estimator"])[column].unstack("estimator")

    def nothing_to_find(self, experiment, quantity):
        """A number of the data sets with nothing to find."""
        return self.rebalanced["no_signal"].set_index(["experiment", "quantity"]).at[(experiment, quantity), "value"]

    def losses(self):
        """What the choice of a penalty costs, by (cell, estimator)."""
        return self.rebalanced["tuning_losses"].set_index(["cell", "estimator"])

    def of_real_tables(self):
        """Mean AUC of real tables by (features, table, strength), a column for each form of leave-one-out."""
        aucs = self.rebalanced["classification"]
        return aucs.groupby(["features", "table", "strength", "scheme"])["auc"].mean().unstack("scheme")

    def squared_error_difference(self, key):
        """Mean difference between the squared errors of two estimators on the same surveys, in standard errors."""
        return self.numbers[f"{key}_mean"] / self.numbers[f"{key}_se"]


CLAIMS = {}


def claim(sentence, measure, study=None):
    """Register a predicate under its own name; it returns (holds, the number behind it), and ``measure`` says in words
    what that number is and where it has to lie. A claim about a ``study`` with a target of its own, "large" or
    "communities", is made where that was built; so is one about "rebalanced"."""

    def register(predicate):
        CLAIMS[predicate.__name__] = (sentence, measure, predicate, study)
        return predicate

    return register
