"""Computes an element's look from its own values and, for everything else, from its parent's look."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from broadsheet.document.styles._defaults import MEDIUM, ROOT_FAMILY, SIZES, SMALLEST, TEXT_COLOUR
from broadsheet.document.styles.caps import StyleDrops
from broadsheet.document.styles.colours import CURRENT
from broadsheet.document.styles.css_lengths import Choice, Scaled, Sum
from broadsheet.document.styles.declarations import (
    BOLDER,
    COLOUR,
    DISPLAY,
    FAMILY,
    LIGHTER,
    SIZE,
    VISIBILITY,
    WEIGHT,
    CssWideKeyword,
    Keyword,
    Pending,
    Step,
    Value,
    parse_value,
)
from broadsheet.document.styles.families import is_monospace

_VAR = re.compile(r"\bvar\(", re.IGNORECASE)
_BRACKET = re.compile(r"""\\.|"(?:[^"\\]|\\.)*+"?|'(?:[^'\\]|\\.)*+'?|\(|\)|,""", re.DOTALL)
#: Only hostile sheets nest fallbacks deeper.
_DEEPEST = 16


def substitute(text: str, custom: Mapping[str, str], ledger: StyleDrops, depth: int = 0) -> str | None:
    """Return a value with custom properties substituted, or None if one is missing or the value becomes too long."""
    parts, position, length = [], 0, 0
    while match := _VAR.search(text, position):
        end, comma = _arguments(text, match.end())
        name = text[match.end() : comma if comma >= 0 else end].strip()
        value = custom.get(name)
        if value is None and comma >= 0 and depth < _DEEPEST:
            value = substitute(text[comma + 1 : end], custom, ledger, depth + 1)
        if value is None:
            return None
        parts += [text[position : match.start()], value]
        length += len(value)
        if length > ledger.limits.max_value_bytes:
            ledger.drop("value too long")
            return None
        position = end + 1
    return "".join([*parts, text[position:]])


def _arguments(text: str, start: int) -> tuple[int, int]:
    """Return the end of the argument list that starts at `start`, and the position of its first comma, or -1."""
    depth, comma = 1, -1
    for token in _BRACKET.finditer(text, start):
        sign = token.group()
        depth += (sign == "(") - (sign == ")")
        if sign == "," and depth == 1 and comma < 0:
            comma = token.start()
        if not depth:
            return token.start(), comma
    return len(text), comma


def resolve(declared: Mapping[str, str], inherited: Mapping[str, str], ledger: StyleDrops) -> dict[str, str]:
    """Return the custom properties of an element, without those in a reference cycle and those that refer to one."""
    custom = dict(inherited)
    dependent = {name for name, text in declared.items() if _VAR.search(text)}
    for name, text in declared.items():
        if text.lower() in {"initial", "unset", "inherit", "revert"}:
            if text.lower() == "initial":
                custom.pop(name, None)
        elif name not in dependent:
            custom[name] = text
        else:
            custom.pop(name, None)
    for name in _in_dependency_order(declared, dependent):
        value = substitute(declared[name], custom, ledger)
        if value is not None:
            custom[name] = value
    return custom


def _in_dependency_order(declared: Mapping[str, str], dependent: set[str]) -> list[str]:
    """Return the properties that refer to others, each after its references, without those in a cycle."""
    unresolved = {name: _references(declared[name]) & dependent for name in dependent}
    dependents: dict[str, list[str]] = {}
    for name, references in unresolved.items():
        for reference in references:
            dependents.setdefault(reference, []).append(name)
    ready = sorted(name for name, references in unresolved.items() if not references)
    ordered = []
    while ready:
        name = ready.pop()
        ordered.append(name)
        for other in dependents.get(name, ()):
            unresolved[other].discard(name)
            if not unresolved[other]:
                ready.append(other)
    return ordered


def _references(text: str) -> set[str]:
    return set(re.findall(r"\bvar\(\s*(--[^\s,()]+)", text, re.IGNORECASE))


T = TypeVar("T", int, bool, tuple[str, ...])

#: The default size of `monospace` relative to that of other families.
_MONO_SCALE = 13 / 16
#: Values that depend on something else than the parent.
_UNFINISHED = (Pending, CssWideKeyword)
#: The size in px to which browsers limit computed sizes.
_LARGEST = 10_000.0


# Not frozen, because frozen ones take three times as long to make; elements share looks, so never change one.
@dataclass(slots=True, eq=False)
class Look:
    """The computed style of an element's text."""

    size: float = 16.0
    #: The index of the size in the table of size keywords, 0 if it is not one of them.
    keyword: int = 4
    #: Whether the size is independent of the ancestors' sizes, so that the font family does not change it.
    absolute: bool = False
    family: tuple[str, ...] = ROOT_FAMILY
    weight: int = 400
    colour: int = TEXT_COLOUR
    visible: bool = True
    #: Whether the element or an ancestor is not displayed at all.
    display_none: bool = False
    #: Whether the element hides its own text and children.
    hides_content: bool = False
    custom: Mapping[str, str] | None = None

    @property
    def shown_size(self) -> float:
        """The size in px at which a browser renders the text."""
        return SMALLEST if 0 < self.size < SMALLEST and not self.absolute else self.size


INITIAL = Look()


class Computer:
    """Computes the looks of elements of one page."""

    def __init__(self, ledger: StyleDrops, *, quirks: bool) -> None:
        """Set the page's mode, and the ledger that counts drops."""
        self._ledger = ledger
        self._quirks = quirks
        self.root_size = 16.0

    def look(
        self,
        parent: Look,
        declared: Mapping[str, Value],
        browser: Mapping[str, Value],
        custom: Mapping[str, str] | None,
    ) -> Look:
        """Return an element's look, given its parent's look and its winning declarations."""
        final = {
            prop: self._final(prop, value, browser, custom) if isinstance(value, _UNFINISHED) else value
            for prop, value in declared.items()
        }
        family = final.get(FAMILY, parent.family)
        weight = final.get(WEIGHT, parent.weight)
        colour = final.get(COLOUR, parent.colour)
        display_none = parent.display_none or final.get(DISPLAY, True) is False
        families = _specified_or_default(family, parent.family, ROOT_FAMILY)
        size, keyword, absolute = self._size(parent, final.get(SIZE), is_monospace(families))
        return Look(
            size=size,
            keyword=keyword,
            absolute=absolute,
            family=families,
            weight=self._weight(weight, parent.weight),
            colour=_specified_or_default(parent.colour if colour == CURRENT else colour, parent.colour, TEXT_COLOUR),
            visible=_specified_or_default(final.get(VISIBILITY, parent.visible), parent.visible, True),
            display_none=display_none,
            custom=custom,
        )

    def _final(self, prop: str, value: Value, browser: Mapping[str, Value], custom: Mapping[str, str] | None) -> Value:
        """Return a value with custom properties substituted and `revert` resolved."""
        if isinstance(value, Pending):
            text = substitute(value.text, custom or {}, self._ledger)
            parts = None if text is None else parse_value(value.prop, text.strip(), self._quirks)
            value = (parts or {}).get(prop, CssWideKeyword("unset"))
            if isinstance(value, Pending):
                value = CssWideKeyword("unset")
        if isinstance(value, CssWideKeyword) and value.word.startswith("revert"):
            return browser.get(prop, CssWideKeyword("unset"))
        if prop == DISPLAY and isinstance(value, CssWideKeyword):
            # `display` is not inherited, and whether the parent is displayed is tracked separately.
            return True
        return value

    def _weight(self, value: Value, inherited: int) -> int:
        if isinstance(value, CssWideKeyword):
            return 400 if value.word == "initial" else inherited
        if value == BOLDER:
            return 400 if inherited < 350 else 700 if inherited < 550 else 900
        if value == LIGHTER:
            return min(inherited, 100) if inherited < 550 else 400 if inherited < 750 else 700
        return value if isinstance(value, int) else inherited

    def _size(self, parent: Look, value: Value | None, mono: bool) -> tuple[float, int, bool]:
        """Return the size, its keyword's index and whether it is absolute; `monospace` has its own default size."""
        if isinstance(value, CssWideKeyword):
            value = MEDIUM if value.word == "initial" else None
        sizes = SIZES[mono, self._quirks]
        size, keyword, absolute = parent.size, parent.keyword, parent.absolute
        if isinstance(value, Keyword):
            return float(sizes[value.index]), value.index, False
        if isinstance(value, Step):
            size, keyword = size * value.factor, 0
        elif isinstance(value, Sum | Choice | Scaled):
            size, keyword = min(max(value.resolve(parent.size, self.root_size), 0.0), _LARGEST), 0
            absolute = value.absolute or parent.absolute
        if not absolute and mono != is_monospace(parent.family):
            size = float(sizes[keyword]) if keyword else size * _MONO_SCALE if mono else size / _MONO_SCALE
        return size, keyword, absolute


def _specified_or_default(value: Value, inherited: T, initial: T) -> T:
    """Return a value, or the initial or inherited value that a CSS-wide keyword stands for."""
    if isinstance(value, CssWideKeyword):
        return initial if value.word == "initial" else inherited
    return value if isinstance(value, type(initial)) else inherited
