"""Parses a style sheet into its relevant rules, in order, and counts what it drops."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from broadsheet.document.styles._keys import text_key
from broadsheet.document.styles.caps import StyleLimits
from broadsheet.document.styles.conditions import media_matches, supports
from broadsheet.document.styles.declarations import is_relevant
from broadsheet.document.styles.grammar import split_list
from broadsheet.document.styles.scanner import Cut, cut_block, cut_sheet, without_comments

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
    #: The individual selectors, and the index key of each.
    parts: tuple[str, ...]
    keys: tuple[str | None, ...]


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
            parts = tuple(part.strip() for part in split_list(selectors))
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
