"""Labelled pages on disk: their formats, labels per text piece by alignment, splits by site, and measures.

Other packages import only what `__all__` lists; modules whose names begin with an underscore are private.
"""

__all__ = [
    "alignment",
    "annotation",
    "author_labels",
    "corpus_errors",
    "corpus_folder",
    "corrected_labels",
    "eras",
    "evaluation",
    "evaluation_report",
    "evaluation_tables",
    "field_evaluation",
    "field_measures",
    "field_systems",
    "followed_site",
    "kind_errata",
    "label_errata",
    "labelled_page",
    "made_sites",
    "measures",
    "page_readers",
    "page_scoring",
    "page_words",
    "peers",
    "quality",
    "results",
    "saved_visit",
    "site_splits",
    "snapshot_folder",
    "summary",
    "systems",
]
