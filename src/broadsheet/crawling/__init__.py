"""Fetch pages; what a page means is decided elsewhere.

Other packages import only what `__all__` lists; modules whose names begin with an underscore are private.
"""

__all__ = [
    "capture",
    "crawl_errors",
    "encodings",
    "fetch_messages",
    "fetch_process",
    "fetching",
    "live_crawl",
    "media",
    "one_page",
    "rendering",
    "simulated",
    "stop",
]
