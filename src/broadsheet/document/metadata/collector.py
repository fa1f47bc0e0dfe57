"""What has been found so far: values cleaned, addresses made absolute, and what is left out counted."""

import re
from html import unescape
from typing import TypeAlias

from lxml import etree

from broadsheet.base import urls
from broadsheet.base.frozen import FrozenMapping
from broadsheet.document.metadata.budget import Budget
from broadsheet.document.metadata.metadata_values import (
    VALUE_FIELDS,
    Crumb,
    LinkedPage,
    Metadata,
    TimeElement,
    Trail,
    Value,
)

#: Elements, each with its row.
Elements: TypeAlias = list[tuple[int, etree._Element]]  # noqa: SLF001 -- the class has no public name

# Only with its semicolon: `&copy` in `?a=1&copy=2` is no reference.
_REFERENCE = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_SURROGATE = re.compile("[\ud800-\udfff]")
_ADDRESS = re.compile(r"\s*(?:https?:)?//", re.IGNORECASE)
# A date may have a comma behind its day: `unavailable_after: Friday, 25-Jun-27 15:00:00 GMT`.
_DIRECTIVE = re.compile(r" ?unavailable_after ?: ?(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6} ?,[^,;]*|[^,;]+")
_SCHEME = re.compile(r"\s*[A-Za-z][A-Za-z0-9+.-]*:")


def clean(text: str) -> str:
    """Return the text with white space collapsed and references decoded once more than the markup asks for.

    Many sites escape twice, and JSON needs no references at all, so one that is still there is a mistake.
    """
    if "&" in text:
        text = _REFERENCE.sub(lambda reference: unescape(reference[0]), text)
    if not text.isascii():
        # JSON can spell half a character, which could not be written to any file.
        text = _SURROGATE.sub("\ufffd", text)
    return " ".join(text.split())


class MetadataCollector:
    """Collects the metadata of one page within its budget; strings that say nothing are left out without a count."""

    def __init__(self, base: str | None) -> None:
        """Begin with nothing found, on a page whose relative addresses are relative to `base`."""
        self.base = base
        self._values: dict[str, dict[tuple[str, str], Value]] = {name: {} for name in VALUE_FIELDS}
        self.times: list[TimeElement] = []
        self._trails: dict[tuple[str, tuple[Crumb, ...]], Trail] = {}
        self._linked: dict[str, dict[tuple[str | None, ...], LinkedPage]] = {"feeds": {}, "alternates": {}}
        self.json_ld: list[dict[str, object]] = []
        self.budget = Budget()
        self.dropped = self.budget.dropped

    def add(self, field: str, text: str, source: str, node: int | None) -> None:
        """Keep a value, unless the same source said the same before."""
        if value := self.text(field, text):
            self._values[field].setdefault((source, value), Value(value, source, node))

    def add_each(self, field: str, text: str, source: str, node: int | None) -> None:
        """Keep each of the values in a list with commas or semicolons."""
        for part in self.text(field, text).replace(";", ",").split(","):
            self.add(field, part, source, node)

    def add_directives(self, field: str, text: str, source: str, node: int | None) -> None:
        """Keep each of the directives in such a list, in lower case."""
        for directive in _DIRECTIVE.findall(self.text(field, text.lower())):
            self.add(field, directive, source, node)

    def add_author(self, text: str, source: str, node: int | None) -> None:
        """Keep an author's name, or the address that some pages give in its place."""
        if _ADDRESS.match(text):
            self.add_url("author_urls", text, source, node)
        else:
            self.add("authors", text, source, node)

    def add_url(self, field: str, href: str, source: str, node: int | None) -> None:
        """Keep an address."""
        if url := self.absolute(field, href):
            self._values[field].setdefault((source, url), Value(url, source, node))

    def add_linked(self, field: str, page: LinkedPage) -> None:
        """Keep a feed or another edition, unless it was named before."""
        self._linked[field].setdefault(page[:-1], page)

    def text(self, field: str, text: str) -> str:
        """Return a text for a field, cleaned; nothing if the field has no room left for it."""
        return clean(text) if text and self.budget.afford_value(field, len(text)) else ""

    def absolute(self, field: str, href: str) -> str | None:
        """Return where an href leads; as written if it is relative and the page's own address is unknown."""
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
        """Keep a breadcrumb trail, unless there is nothing in it or the page has it twice."""
        if crumbs:
            trail = tuple(crumbs)
            self._trails.setdefault((source, trail), Trail(trail, source, node))

    def values(self, field: str) -> list[Value]:
        """Return what has been found for a field so far."""
        return list(self._values[field].values())

    def metadata(self) -> Metadata:
        """Return all that was found."""
        return Metadata(
            **{field: tuple(values.values()) for field, values in self._values.items()},
            times=tuple(self.times),
            breadcrumbs=tuple(self._trails.values()),
            feeds=tuple(self._linked["feeds"].values()),
            alternates=tuple(self._linked["alternates"].values()),
            json_ld=tuple(self.json_ld),
            dropped=FrozenMapping(self.dropped),
        )
