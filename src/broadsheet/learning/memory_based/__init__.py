"""Memory-based learning: classify by the most similar stored instances (IB1), or by their compressed tree (IGTree).

Other packages import only what `__all__` lists; modules whose names begin with an underscore are private.
"""

from broadsheet.learning.memory_based._feature_weights import WEIGHTINGS, FeatureCounts, Weighting
from broadsheet.learning.memory_based._group_holdout import Algorithm, GroupHoldout
from broadsheet.learning.memory_based._memory_classifier import (
    IGTreeClassifier,
    MemoryClassifier,
    heaviest_first,
    tie_ranks,
)

__all__ = [
    "WEIGHTINGS",
    "Algorithm",
    "FeatureCounts",
    "GroupHoldout",
    "IGTreeClassifier",
    "MemoryClassifier",
    "Weighting",
    "heaviest_first",
    "tie_ranks",
]
