"""Sheets: a text to its rules of interest, in order, with what was left out."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from broadsheet.document.styles.caps import StyleLimits
from broadsheet.document.styles.conditions import media_matches, supports
from broadsheet.document.styles.declarations import is_interesting
from broadsheet.document.styles.grammar import split_list
from broadsheet.document.styles.keys import text_key
from broadsheet.document.styles.scanner import Cut, cut_block, cut_sheet, without_comments

#: The names of the cascade layers that a rule stands in, outermost first.
Layer: TypeAlias = tuple[str, ...]

#: At-rules that never hold rules for elements.
_SKIPPED = re.compile(
    r"font-face|(?:-\w+-)?keyframes|page|charset|namespace|counter-style|font-feature-values|property|"
    r"view-transition|font-palette-values|position-try|(?:-\w+-)?viewport|color-profile|function"
)


class Rule(NamedTuple):
    """Selectors and a block, neither of them parsed yet."""

    selectors: str
    block: str
    layer: Layer
    #: The selectors one by one, and what each can be filed under.
    parts: tuple[str, ...]
    keys: tuple[str | None, ...]


class Import(NamedTuple):
    """A sheet that stands in the place of the statement that names it."""

    address: str
    layer: Layer


class Named(NamedTuple):
    """A statement that fixes the order of layers."""

    layer: Layer


@dataclass(slots=True)
class Sheet:
    """What one text holds."""

    entries: list[Rule | Import | Named] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)
    #: Whether any value asks for a custom property.
    uses_variables: bool = False


_IMPORT = re.compile(
    r"""(?:url\(\s*+(?:"([^"]*+)"\s*+|'([^']*+)'\s*+|([^)"']*+))\)|"([^"]*+)"|'([^']*+)')\s*+"""
    r"""(layer\b(?:\(([^)]*+)\))?)?\s*+(supports\((.*?)\)(?=\s*(?:$|\w|\()))?\s*(.*)\Z""",
    re.IGNORECASE | re.DOTALL,
)


@lru_cache(maxsize=32)
def read_sheet(text: str, limits: StyleLimits) -> Sheet:
    """Cut a text into rules and keep those that may set anything of interest; the result must not be changed."""
    reader = _Reader(limits)
    reader.sheet.uses_variables = "var(" in text
    reader.read(cut_sheet(text), (), 0)
    return reader.sheet


class _Reader:
    """Reads one sheet."""

    def __init__(self, limits: StyleLimits) -> None:
        self.sheet = Sheet()
        self.limits = limits
        self.anonymous = 0
        #: `@import` counts only before the first rule.
        self.imports_allowed = True

    def read(self, cuts: Iterator[Cut], layer: Layer, depth: int) -> None:
        """Keep the rules of interest among the pieces of a sheet or a group."""
        for cut in cuts:
            if cut.at:
                self._at_rule(cut, layer, depth)
                continue
            self.imports_allowed = False
            if cut.block is not None:
                self._style_rule(cut.prelude, cut.block, layer, depth)

    def _style_rule(self, selectors: str, block: str, layer: Layer, depth: int) -> None:
        sheet = self.sheet
        if not is_interesting(block):
            sheet.dropped["rule sets nothing of interest"] += 1
            return
        if len(sheet.entries) >= self.limits.max_rules:
            sheet.dropped["too many rules"] += 1
        elif len(selectors) > self.limits.max_selector_bytes:
            sheet.dropped["selector too long"] += 1
        else:
            parts = tuple(part.strip() for part in split_list(selectors))
            sheet.entries.append(Rule(selectors, block, layer, parts, tuple(map(text_key, parts))))
            if "{" in block:
                self._nested(selectors, block, layer, depth)

    def _nested(self, selectors: str, block: str, layer: Layer, depth: int) -> None:
        """Keep the rules that stand inside another."""
        if depth >= self.limits.max_nesting:
            self.sheet.dropped["nested too deep"] += 1
            return
        for cut in cut_block(block):
            if cut.block is None:
                continue
            if not cut.at:
                joined = join(selectors, cut.prelude, self.limits.max_selector_bytes)
                self._style_rule(joined, cut.block, layer, depth + 1)
            elif self._holds(cut):
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
                self.sheet.entries += [Named((*layer, *name.strip().split("."))) for name in names]
            return
        if _SKIPPED.fullmatch(cut.at):
            return
        if depth >= self.limits.max_nesting:
            self.sheet.dropped["nested too deep"] += 1
        elif cut.at == "layer":
            inner = (*layer, *self._layer_name(cut.prelude))
            self.sheet.entries.append(Named(inner))
            self.read(cut_sheet(cut.block), inner, depth + 1)
        elif self._holds(cut):
            self.read(cut_sheet(cut.block), layer, depth + 1)

    def _holds(self, cut: Cut) -> bool:
        """Tell whether the rules of a conditional group count."""
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
        # No sheet can name a layer with a space, so this one stays its own.
        return (f"anonymous {self.anonymous}",)

    def _import(self, prelude: str, layer: Layer) -> None:
        found = _IMPORT.match(without_comments(prelude).strip())
        if found is None or not self.imports_allowed:
            self.sheet.dropped["misplaced @import"] += 1
            return
        address = next((part for part in found.groups()[:5] if part is not None), "")
        into = (*layer, *self._layer_name(found.group(7) or "")) if found.group(6) else layer
        if not media_matches(found.group(10)):
            self.sheet.dropped["@media does not hold"] += 1
        elif address:
            self.sheet.entries.append(Import(address.strip(), into))


def join(outer: str, inner: str, max_length: int) -> str:
    """Return the selectors of a nested rule as they would stand outside."""
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
