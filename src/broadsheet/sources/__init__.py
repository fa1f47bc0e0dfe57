"""What the pages of a source are, judged by how the links to them behave over visits.

Other packages import only what `__all__` lists; modules whose names begin with an underscore are private.
"""

__all__ = [
    "address_shapes",
    "address_versions",
    "expected_quality",
    "link_features",
    "link_history",
    "link_words",
    "page_evidence",
    "recomputation",
    "site_evidence",
    "site_model",
    "source_judge",
    "source_links",
    "switch_evaluators",
    "target_counts",
    "temporal_features",
    "typed_hypergraph",
]
