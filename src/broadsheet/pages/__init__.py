"""Page classification: what a page is, judged by its URL and a link to it, or by the page itself.

Other packages import only what `__all__` lists; modules whose names begin with an underscore are private.
"""

__all__ = [
    "address",
    "analysis",
    "content",
    "extraction",
    "identify",
    "link_signs",
    "location",
    "page_features",
    "page_model",
    "page_reasons",
    "reserved",
    "term_model",
    "url_features",
    "url_verdicts",
]
