"""From labelled data to the models that Broadsheet ships with: reproducible, to the byte.

Other packages import only what `__all__` lists; modules whose names begin with an underscore are private.
"""

__all__ = [
    "annotated_pages",
    "corpus_training",
    "fact_training",
    "fine_tuning",
    "labelled_documents",
    "line_model",
    "link_thresholds",
    "memory_adaptation",
    "memory_training",
    "page_examples",
    "page_training",
    "reader_training",
    "shipped_models",
    "site_training",
    "title_weights",
    "url_training",
    "visual_training",
    "whole_training",
]
