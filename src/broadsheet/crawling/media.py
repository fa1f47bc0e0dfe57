"""Whether an answer is a page of HTML, by what it says of itself and how it begins."""

import re

from broadsheet.base.reasons import EMPTY, FEED, NOT_HTML, Reason

_HTML = frozenset({"text/html", "application/xhtml+xml", ""})
_FEEDS = frozenset({"application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/feed+json"})
_XML = frozenset({"application/xml", "text/xml", *_HTML})
_JSON = frozenset({"application/json", "text/json"})
#: The root stands at the beginning, after a declaration, comments and stylesheets; so many bytes are looked at.
_BEGINNING = 4_096
_PROLOGUE = re.compile(rb"(?:\xef\xbb\xbf)?+(?:\s++|<\?[^>]*+>|<!--(?:(?!-->).)*+-->)*+", re.DOTALL)
_FEED_ROOT = re.compile(rb"<(?:rss|rdf:RDF|feed)[\s>/]")
_JSON_FEED = re.compile(rb'"version"\s*+:\s*+"https?:\\?/\\?/jsonfeed\.org\\?/')


def media_type(content_type: str) -> str:
    """Return the type that a `Content-Type` names, without its parameters."""
    return content_type.partition(";")[0].strip().lower()


def not_a_page(content: bytes, content_type: str) -> Reason | None:
    """Return why an answer is not a page that could be read; None where it is one."""
    kind = media_type(content_type)
    if _is_feed(content[:_BEGINNING], kind):
        return FEED
    if kind not in _HTML:
        return NOT_HTML
    return None if content.strip() else EMPTY


def _is_feed(beginning: bytes, kind: str) -> bool:
    if kind in _FEEDS:
        return True
    if kind in _JSON:
        return _JSON_FEED.search(beginning) is not None
    if kind not in _XML:
        return False
    prologue = _PROLOGUE.match(beginning)
    return _FEED_ROOT.match(beginning, prologue.end() if prologue else 0) is not None
