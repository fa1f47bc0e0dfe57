"""Collects a page's metadata: cleans values, resolves URLs and counts what it drops."""

import re
from html import unescape

from broadsheet.base import urls
from broadsheet.base.frozen import FrozenMapping
from broadsheet.document.metadata._budget import Budget
from broadsheet.document.metadata._metadata_values import (
    VALUE_FIELDS,
    Crumb,
    LinkedPage,
    Metadata,
    TimeElement,
    Trail,
    Value,
)
from broadsheet.document.stray_tags import without_paired_tags

# The semicolon is required: `&copy` in `?a=1&copy=2` is not a character reference.
_REFERENCE = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_SURROGATE = re.compile("[\ud800-\udfff]")
_ABSOLUTE_URL = re.compile(r"\s*(?:https?:)?//", re.IGNORECASE)
# A date may have a comma after its weekday: `unavailable_after: Friday, 25-Jun-27 15:00:00 GMT`.
_DIRECTIVE = re.compile(r" ?unavailable_after ?: ?(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6} ?,[^,;]*|[^,;]+")
_SCHEME = re.compile(r"\s*[A-Za-z][A-Za-z0-9+.-]*:")


def clean(text: str) -> str:
    """Return the text with white space collapsed and any remaining character references decoded.

    Many sites escape twice, and JSON has no character references, so one that is still there is a mistake.
    """
    if "&" in text:
        text = _REFERENCE.sub(lambda reference: unescape(reference[0]), text)
    if not text.isascii():
        # JSON can contain lone surrogates, which cannot be encoded.
        text = _SURROGATE.sub("\ufffd", text)
    return " ".join(text.split())


class MetadataCollector:
    """Collects the metadata of one page within its budget; empty strings are skipped without being counted."""

    def __init__(self, base: str | None) -> None:
        """Start with no values, for a page whose relative URLs are resolved against `base`."""
        self.base = base
        self._values: dict[str, dict[tuple[str, str], Value]] = {name: {} for name in VALUE_FIELDS}
        self.times: list[TimeElement] = []
        self._trails: dict[tuple[str, tuple[Crumb, ...]], Trail] = {}
        self._linked: dict[str, dict[tuple[str | None, ...], LinkedPage]] = {"feeds": {}, "alternates": {}}
        self.json_ld: list[dict[str, object]] = []
        self.budget = Budget()
        self.dropped = self.budget.dropped

    def add(self, field: str, text: str, source: str, node: int | None) -> None:
        """Add a value, unless the same source has already stated it."""
        # Not by `text`: this is called more often than everything else here.
        if text and self.budget.afford_value(field, len(text)) and (value := clean(text)):
            if field == "titles" and "<" in value:
                value = clean(without_paired_tags(value)) or value
            values = self._values[field]
            if (source, value) not in values:
                values[source, value] = Value(value, source, node)

    def add_each(self, field: str, text: str, source: str, node: int | None) -> None:
        """Add each value in a list separated by commas or semicolons."""
        for part in self.text(field, text).replace(";", ",").split(","):
            self.add(field, part, source, node)

    def add_directives(self, field: str, text: str, source: str, node: int | None) -> None:
        """Add each directive in such a list, in lower case."""
        for directive in _DIRECTIVE.findall(self.text(field, text.lower())):
            self.add(field, directive, source, node)

    def add_author(self, text: str, source: str, node: int | None) -> None:
        """Add an author's name, or the URL that some pages give instead."""
        if _ABSOLUTE_URL.match(text):
            self.add_url("author_urls", text, source, node)
        else:
            self.add("authors", text, source, node)

    def add_url(self, field: str, href: str, source: str, node: int | None) -> None:
        """Add a URL."""
        if url := self.absolute(field, href):
            self._values[field].setdefault((source, url), Value(url, source, node))

    def add_linked(self, field: str, page: LinkedPage) -> None:
        """Add a feed or another edition, unless it has been added before."""
        self._linked[field].setdefault(page[:-1], page)

    def text(self, field: str, text: str) -> str:
        """Return the cleaned text, or an empty string if the field's budget is used up."""
        return clean(text) if text and self.budget.afford_value(field, len(text)) else ""

    def absolute(self, field: str, href: str) -> str | None:
        """Return the absolute URL of an href, or the href as written if it is relative and there is no base URL."""
        href = href.strip().replace("&amp;", "&")
        if not href or not self.budget.afford_value(field, len(href)):
            return None
        url = urls.resolve(href, self.base)
        if url is None and self.base is None and not _SCHEME.match(href) and not href.startswith("//"):
            return _SURROGATE.sub("\ufffd", href)
        if url is None:
            self.dropped["address: leads to no page"] += 1
        return url

    def add_trail(self, crumbs: list[Crumb], source: str, node: int | None) -> None:
        """Add a breadcrumb trail, unless it is empty or a duplicate."""
        if crumbs:
            trail = tuple(crumbs)
            self._trails.setdefault((source, trail), Trail(trail, source, node))

    def values(self, field: str) -> list[Value]:
        """Return the values collected for a field so far."""
        return list(self._values[field].values())

    def metadata(self) -> Metadata:
        """Return all the metadata collected."""
        return Metadata(
            **{field: tuple(values.values()) for field, values in self._values.items()},
            times=tuple(self.times),
            breadcrumbs=tuple(self._trails.values()),
            feeds=tuple(self._linked["feeds"].values()),
            alternates=tuple(self._linked["alternates"].values()),
            json_ld=tuple(self.json_ld),
            dropped=FrozenMapping(self.dropped),
        )
