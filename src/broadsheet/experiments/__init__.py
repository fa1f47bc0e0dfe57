"""Replications of published experiments, each run by name.

Other packages import only what `__all__` lists; modules whose names begin with an underscore are private.
"""

__all__ = [
    "annotation_study",
    "coreex_study",
    "experiment",
    "experiment_results",
    "memory_study",
    "news_articles",
    "registry",
    "source_study",
    "visual_study",
    "visual_time_study",
]
