"""Follow news sites: the agenda of visits, the filters that pages pass, and the archive that people crawl with.

Other packages import only what `__all__` lists.
"""

__all__ = [
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
    "rereading",
    "review",
    "supervision",
    "webhook",
]
