"""Whole crawls of the invented news web: without sockets, or over HTTP as a demonstration, compared with the truth.

Other packages import only what `__all__` lists; modules whose names begin with an underscore are private.
"""

__all__ = [
    "archive_score",
    "crawl_savings",
    "demonstration",
    "simulated_crawl",
]
