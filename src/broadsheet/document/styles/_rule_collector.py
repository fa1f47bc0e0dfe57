"""Collects the rules of a page's style sheets: of `style` elements and, with a loader, of `link` and `@import`."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from tinycss2.bytes import decode_stylesheet_bytes

from broadsheet.base import urls
from broadsheet.document.styles.caps import StyleDrops
from broadsheet.document.styles.conditions import media_matches
from broadsheet.document.styles.sheets import Import, Layer, StyleRule, read_sheet
from broadsheet.document.tags import CODES

if TYPE_CHECKING:
    from lxml import etree

    from broadsheet.document.document import Document

#: Returns the text of a style sheet given its URL, or None if it cannot be loaded.
Loader: TypeAlias = Callable[[str], str | bytes | None]


class RuleCollector:
    """Collects the rules of one page."""

    def __init__(self, document: "Document", loader: Loader | None, ledger: StyleDrops) -> None:
        """Read every applicable sheet, in document order."""
        self.rules: list[StyleRule] = []
        #: The layers, in the order in which they were first named.
        self.layers: list[Layer] = []
        self.uses_variables = False
        self._loader = loader
        self._ledger = ledger
        self._bytes_left = ledger.limits.max_sheet_bytes
        self._imports_left = ledger.limits.max_imports
        self._known_layers: set[Layer] = set()
        for url, text in _sources(document, ledger):
            if text is None:
                self._load(url, (), (), 0)
            else:
                self._add_sheet(text, url, (), (), 0)

    def _load(self, url: str, layer: Layer, importers: tuple[str, ...], depth: int) -> None:
        """Load a sheet and add its rules."""
        if self._loader is None:
            self._ledger.drop("sheet not loaded: no loader")
            return
        if url in importers:
            self._ledger.drop("@import in a loop")
            return
        if depth > self._ledger.limits.max_import_depth:
            self._ledger.drop("@import too deep")
            return
        if self._imports_left <= 0:
            self._ledger.drop("too many sheets to load")
            return
        self._imports_left -= 1
        content = self._loader(url)
        if content is None:
            self._ledger.drop("sheet not loaded: not there")
            return
        if isinstance(content, bytes):
            # Undecodable bytes become replacement characters, as in a browser.
            content = decode_stylesheet_bytes(content[: self._bytes_left + 1], environment_encoding=None)[0]
        self._add_sheet(content, url, layer, (*importers, url), depth)

    def _add_sheet(self, text: str, url: str, layer: Layer, importers: tuple[str, ...], depth: int) -> None:
        """Add the rules of one sheet, and of the sheets that it imports."""
        if len(text) > self._bytes_left:
            self._ledger.drop("sheet cut: too many bytes")
            text = text[: self._bytes_left]
        self._bytes_left -= len(text)
        sheet = read_sheet(text, self._ledger.limits)
        self._ledger.dropped.update(sheet.dropped)
        self.uses_variables |= sheet.uses_variables
        for entry in sheet.entries:
            self._register_layer((*layer, *entry.layer))
            if isinstance(entry, StyleRule):
                self._add(entry if not layer else entry._replace(layer=(*layer, *entry.layer)))
            elif isinstance(entry, Import):
                target = urls.resolve(entry.address, url) or entry.address
                self._load(target, (*layer, *entry.layer), importers, depth + 1)

    def _add(self, rule: StyleRule) -> None:
        if len(self.rules) >= self._ledger.limits.max_rules:
            self._ledger.drop("too many rules")
        else:
            self.rules.append(rule)

    def _register_layer(self, layer: Layer) -> None:
        """Record the order of a layer and of its parent layers."""
        if not layer or layer in self._known_layers:
            return
        for length in range(1, len(layer) + 1):
            if layer[:length] not in self._known_layers:
                self._known_layers.add(layer[:length])
                self.layers.append(layer[:length])


def _sources(document: "Document", ledger: StyleDrops) -> "Iterator[tuple[str, str | None]]":
    """Yield the URL of each applicable sheet and, for a `style` element, its text."""
    base = document.base_url or ""
    tags = document.nodes.tag
    templates = np.flatnonzero(tags == CODES["template"]).tolist()
    for row in np.flatnonzero((tags == CODES["style"]) | (tags == CODES["link"])).tolist():
        if any(start < row < document.nodes.end[start] for start in templates):
            continue
        element = document.element(row)
        if not media_matches(str(element.get("media") or "")):
            ledger.drop("@media does not hold")
        elif document.nodes.tag[row] == CODES["style"]:
            if str(element.get("type") or "text/css").strip().lower() == "text/css":
                yield base, element.text or ""
        elif _is_sheet(element):
            href = str(element.get("href") or "").strip()
            yield urls.resolve(href, base or None) or href, None


def _is_sheet(element: "etree._Element") -> bool:
    words = str(element.get("rel") or "").lower().split()
    return (
        "stylesheet" in words
        and "alternate" not in words
        and element.get("disabled") is None
        and bool(str(element.get("href") or "").strip())
    )
