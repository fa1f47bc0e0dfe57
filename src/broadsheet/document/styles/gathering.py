"""A page's sheets in their order: `style` elements, and through a loader what `link` and `@import` name."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from tinycss2.bytes import decode_stylesheet_bytes

from broadsheet.base import urls
from broadsheet.document.styles.caps import Ledger
from broadsheet.document.styles.conditions import media_matches
from broadsheet.document.styles.sheets import Import, Layer, Rule, read_sheet
from broadsheet.document.tags import CODES

if TYPE_CHECKING:
    from lxml import etree

    from broadsheet.document.document import Document

#: Gives the text of a sheet by its address, None where it cannot be had.
Loader: TypeAlias = Callable[[str], str | bytes | None]


class Gathering:
    """Gathers the rules of one page."""

    def __init__(self, document: "Document", loader: Loader | None, ledger: Ledger) -> None:
        """Read every sheet that counts, in the order of the page."""
        self.rules: list[Rule] = []
        #: Layers in the order in which they were first named.
        self.layers: list[Layer] = []
        self.uses_variables = False
        self._loader = loader
        self._ledger = ledger
        self._bytes_left = ledger.limits.max_sheet_bytes
        self._imports_left = ledger.limits.max_imports
        self._known: set[Layer] = set()
        for address, text in _sources(document, ledger):
            if text is None:
                self._load(address, (), (), 0)
            else:
                self._take(text, address, (), (), 0)

    def _load(self, address: str, layer: Layer, chain: tuple[str, ...], depth: int) -> None:
        """Ask the loader for a sheet and take its rules."""
        if self._loader is None:
            self._ledger.drop("sheet not loaded: no loader")
            return
        if address in chain:
            self._ledger.drop("@import in a loop")
            return
        if depth > self._ledger.limits.max_import_depth:
            self._ledger.drop("@import too deep")
            return
        if self._imports_left <= 0:
            self._ledger.drop("too many sheets to load")
            return
        self._imports_left -= 1
        content = self._loader(address)
        if content is None:
            self._ledger.drop("sheet not loaded: not there")
            return
        if isinstance(content, bytes):
            # Undecodable bytes become replacement characters, as in a browser.
            content = decode_stylesheet_bytes(content[: self._bytes_left + 1], environment_encoding=None)[0]
        self._take(content, address, layer, (*chain, address), depth)

    def _take(self, text: str, address: str, layer: Layer, chain: tuple[str, ...], depth: int) -> None:
        """Take the rules of one text, and of the sheets that it imports."""
        if len(text) > self._bytes_left:
            self._ledger.drop("sheet cut: too many bytes")
            text = text[: self._bytes_left]
        self._bytes_left -= len(text)
        sheet = read_sheet(text, self._ledger.limits)
        self._ledger.dropped.update(sheet.dropped)
        self.uses_variables |= sheet.uses_variables
        for entry in sheet.entries:
            self._name((*layer, *entry.layer))
            if isinstance(entry, Rule):
                self._add(entry if not layer else entry._replace(layer=(*layer, *entry.layer)))
            elif isinstance(entry, Import):
                target = urls.resolve(entry.address, address) or entry.address
                self._load(target, (*layer, *entry.layer), chain, depth + 1)

    def _add(self, rule: Rule) -> None:
        if len(self.rules) >= self._ledger.limits.max_rules:
            self._ledger.drop("too many rules")
        else:
            self.rules.append(rule)

    def _name(self, layer: Layer) -> None:
        """Note the order of a layer and of those around it, which it names as well."""
        if not layer or layer in self._known:
            return
        for length in range(1, len(layer) + 1):
            if layer[:length] not in self._known:
                self._known.add(layer[:length])
                self.layers.append(layer[:length])


def _sources(document: "Document", ledger: Ledger) -> "Iterator[tuple[str, str | None]]":
    """Yield the address and, for a `style` element, the text of each sheet that applies."""
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
