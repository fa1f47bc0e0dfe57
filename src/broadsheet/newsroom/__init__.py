"""Follow news sites: the agenda of visits, the filters that pages pass, and the archive that people crawl with.

Other packages import only what `__all__` lists.
"""

__all__ = [
    "archive_reread",
    "archiving",
    "assignment",
    "crawl",
    "crawl_job",
    "crawl_log",
    "cycle",
    "desk",
    "event_listener",
    "line",
    "newsroom_errors",
    "page_visit",
    "progress",
    "raw_pages",
    "rereading",
    "review",
    "scripted_pages",
    "source_changes",
    "source_files",
    "source_lists",
    "source_orders",
    "source_values",
    "supervision",
    "target_judges",
    "webhook",
]
