"""What the pages of a source are, judged by how the links to them behave over visits.

Other packages import only what `__all__` lists; modules whose names begin with an underscore are private.
"""

__all__ = [
    "link_history",
    "recomputation",
    "target_counts",
    "temporal_features",
]
