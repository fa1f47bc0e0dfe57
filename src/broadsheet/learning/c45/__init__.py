"""C4.5: decision trees with multiway nominal splits, missing values and pessimistic pruning."""

from broadsheet.learning.c45._classifier import C45Classifier

__all__ = ["C45Classifier"]
