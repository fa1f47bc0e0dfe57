"""Detect whether a response is an HTML page, by its content type and its first bytes."""

import re

from broadsheet.base.reasons import EMPTY, FEED, NOT_HTML, Reason

_HTML = frozenset({"text/html", "application/xhtml+xml", ""})
_FEEDS = frozenset({"application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/feed+json"})
_XML = frozenset({"application/xml", "text/xml", *_HTML})
_JSON = frozenset({"application/json", "text/json"})
#: How many bytes are searched for the root element, which follows declarations, comments and stylesheets.
_PREFIX = 4_096
_PROLOGUE = re.compile(rb"(?:\xef\xbb\xbf)?+(?:\s++|<\?[^>]*+>|<!--(?:(?!-->).)*+-->)*+", re.DOTALL)
_FEED_ROOT = re.compile(rb"<(?:rss|rdf:RDF|feed)[\s>/]")
_JSON_FEED = re.compile(rb'"version"\s*+:\s*+"https?:\\?/\\?/jsonfeed\.org\\?/')


def media_type(content_type: str) -> str:
    """Return the media type of a `Content-Type`, without its parameters."""
    return content_type.partition(";")[0].strip().lower()


def not_a_page(content: bytes, content_type: str) -> Reason | None:
    """Return why a response is not a readable page, or None if it is one."""
    kind = media_type(content_type)
    if _is_feed(content[:_PREFIX], kind):
        return FEED
    if kind not in _HTML:
        return NOT_HTML
    return None if content.strip() else EMPTY


def _is_feed(prefix: bytes, kind: str) -> bool:
    if kind in _FEEDS:
        return True
    if kind in _JSON:
        return _JSON_FEED.search(prefix) is not None
    if kind not in _XML:
        return False
    prologue = _PROLOGUE.match(prefix)
    return _FEED_ROOT.match(prefix, prologue.end() if prologue else 0) is not None
