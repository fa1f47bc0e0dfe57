"""The rules of a page: cuts each of its style sheets into relevant rules, in order, and counts what it drops."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
from tinycss2.bytes import decode_stylesheet_bytes

from broadsheet.base import urls
from broadsheet.document.styles.caps import StyleDrops, StyleLimits
from broadsheet.document.styles.conditions import media_matches, supports
from broadsheet.document.styles.declarations import is_relevant
from broadsheet.document.styles.scanner import Cut, cut_block, cut_sheet, without_comments
from broadsheet.document.styles.selector_keys import TextKey, text_key
from broadsheet.document.styles.selector_text import split_list
from broadsheet.document.tags import CODES

if TYPE_CHECKING:
    from lxml import etree

    from broadsheet.document.document import Document

#: The names of the cascade layers that contain a rule, outermost first.
Layer: TypeAlias = tuple[str, ...]

#: At-rules that never contain rules for elements.
_SKIPPED = re.compile(
    r"font-face|(?:-\w+-)?keyframes|page|charset|namespace|counter-style|font-feature-values|property|"
    r"view-transition|font-palette-values|position-try|(?:-\w+-)?viewport|color-profile|function"
)


class StyleRule(NamedTuple):
    """The unparsed selectors and block of a rule."""

    selectors: str
    block: str
    layer: Layer
    #: The individual selectors, and what their texts say about each.
    parts: tuple[str, ...]
    keys: tuple[TextKey, ...]


class Import(NamedTuple):
    """An `@import` statement, to be replaced by the sheet it refers to."""

    address: str
    layer: Layer


class LayerStatement(NamedTuple):
    """A statement that fixes the order of layers."""

    layer: Layer


@dataclass(slots=True)
class Sheet:
    """The content of one sheet."""

    entries: list[StyleRule | Import | LayerStatement] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)
    #: Whether any value refers to a custom property.
    uses_variables: bool = False


_IMPORT = re.compile(
    r"""(?:url\(\s*+(?:"([^"]*+)"\s*+|'([^']*+)'\s*+|([^)"']*+))\)|"([^"]*+)"|'([^']*+)')\s*+"""
    r"""(layer\b(?:\(([^)]*+)\))?)?\s*+(supports\((.*?)\)(?=\s*(?:$|\w|\()))?\s*(.*)\Z""",
    re.IGNORECASE | re.DOTALL,
)


@lru_cache(maxsize=32)
def read_sheet(text: str, limits: StyleLimits) -> Sheet:
    """Split a sheet into rules and keep those that may set relevant properties; do not modify the cached result."""
    reader = _SheetReader(limits)
    reader.sheet.uses_variables = "var(" in text
    reader.read(cut_sheet(text), (), 0)
    return reader.sheet


class _SheetReader:
    """Reads one sheet."""

    def __init__(self, limits: StyleLimits) -> None:
        self.sheet = Sheet()
        self.limits = limits
        self.anonymous = 0
        #: `@import` is only valid before the first rule.
        self.imports_allowed = True

    def read(self, cuts: Iterator[Cut], layer: Layer, depth: int) -> None:
        """Add the relevant rules of a sheet or a group."""
        for cut in cuts:
            if cut.at:
                self._at_rule(cut, layer, depth)
                continue
            self.imports_allowed = False
            if cut.block is not None:
                self._style_rule(cut.prelude, cut.block, layer, depth)

    def _style_rule(self, selectors: str, block: str, layer: Layer, depth: int) -> None:
        sheet = self.sheet
        if not is_relevant(block):
            sheet.dropped["rule sets nothing of interest"] += 1
            return
        if len(sheet.entries) >= self.limits.max_rules:
            sheet.dropped["too many rules"] += 1
        elif len(selectors) > self.limits.max_selector_bytes:
            sheet.dropped["selector too long"] += 1
        else:
            parts = tuple([part.strip() for part in split_list(selectors)])
            sheet.entries.append(StyleRule(selectors, block, layer, parts, tuple(map(text_key, parts))))
            if "{" in block:
                self._nested(selectors, block, layer, depth)

    def _nested(self, selectors: str, block: str, layer: Layer, depth: int) -> None:
        """Add the rules nested in another."""
        if depth >= self.limits.max_nesting:
            self.sheet.dropped["nested too deep"] += 1
            return
        for cut in cut_block(block):
            if cut.block is None:
                continue
            if not cut.at:
                joined = join_nested(selectors, cut.prelude, self.limits.max_selector_bytes)
                self._style_rule(joined, cut.block, layer, depth + 1)
            elif self._applies(cut):
                self._style_rule(selectors, cut.block, layer, depth + 1)

    def _at_rule(self, cut: Cut, layer: Layer, depth: int) -> None:
        if cut.at == "import":
            self._import(cut.prelude, layer)
            return
        if cut.at != "charset" and not (cut.at == "layer" and cut.block is None):
            self.imports_allowed = False
        if cut.block is None:
            if cut.at == "layer":
                names = without_comments(cut.prelude).split(",")
                self.sheet.entries += [LayerStatement((*layer, *name.strip().split("."))) for name in names]
            return
        if _SKIPPED.fullmatch(cut.at):
            return
        if depth >= self.limits.max_nesting:
            self.sheet.dropped["nested too deep"] += 1
        elif cut.at == "layer":
            inner = (*layer, *self._layer_name(cut.prelude))
            self.sheet.entries.append(LayerStatement(inner))
            self.read(cut_sheet(cut.block), inner, depth + 1)
        elif self._applies(cut):
            self.read(cut_sheet(cut.block), layer, depth + 1)

    def _applies(self, cut: Cut) -> bool:
        """Return whether the rules of a conditional group apply."""
        if cut.at == "media":
            if not media_matches(without_comments(cut.prelude)):
                self.sheet.dropped["@media does not hold"] += 1
                return False
            return True
        if cut.at == "supports":
            if not supports(without_comments(cut.prelude)):
                self.sheet.dropped["@supports does not hold"] += 1
                return False
            return True
        self.sheet.dropped["unsupported at-rule"] += 1
        return False

    def _layer_name(self, prelude: str) -> Layer:
        name = without_comments(prelude).strip()
        if name:
            return tuple(name.split("."))
        self.anonymous += 1
        # Layer names cannot contain a space, so this one is unique.
        return (f"anonymous {self.anonymous}",)

    def _import(self, prelude: str, layer: Layer) -> None:
        match = _IMPORT.match(without_comments(prelude).strip())
        if match is None or not self.imports_allowed:
            self.sheet.dropped["misplaced @import"] += 1
            return
        address = next((part for part in match.groups()[:5] if part is not None), "")
        target_layer = (*layer, *self._layer_name(match.group(7) or "")) if match.group(6) else layer
        if not media_matches(match.group(10)):
            self.sheet.dropped["@media does not hold"] += 1
        elif address:
            self.sheet.entries.append(Import(address.strip(), target_layer))


def join_nested(outer: str, inner: str, max_length: int) -> str:
    """Return the selectors of a nested rule as equivalent top-level selectors."""
    parent = f":is({outer})" if "," in outer else outer.strip()
    joined = []
    for part in split_list(without_comments(inner)):
        selector = part.strip()
        if len(selector) * len(parent) > max_length**2:
            return " " * (max_length + 1)
        if selector.startswith("&") and "&" not in selector[1:]:
            joined.append(parent + selector[1:])
        elif "&" in selector:
            joined.append(selector.replace("&", f":is({outer})"))
        else:
            joined.append(f"{parent} {selector}")
    return ", ".join(joined)


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
