"""Learners as scikit-learn estimators, and their measures.

Other packages import only what `__all__` lists; modules whose names begin with an underscore are private.
"""

__all__ = [
    "c45",
    "calibration",
    "cluster_labels",
    "confusion",
    "intervals",
    "memory_based",
    "significance",
    "subset_voting",
]
