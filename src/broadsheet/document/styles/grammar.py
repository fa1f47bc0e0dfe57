"""The grammar of selectors: parses them, and computes their specificity."""

import re
from dataclasses import dataclass, field
from functools import lru_cache

from broadsheet.document.styles._selectors import (
    ALWAYS,
    CASELESS_ATTRIBUTES,
    LEGACY_ELEMENTS,
    LOGICAL,
    NEVER_ON_STATIC_PAGES,
    NTHS,
    POSITIONS,
    STATES,
    Attribute,
    Compound,
    Logical,
    Nth,
    Selector,
    is_pseudo_element,
)
from broadsheet.document.styles.scanner import without_comments
from broadsheet.document.styles.selector_text import closing_bracket, split_list, unescape


class SelectorError(ValueError):
    """A selector that is invalid or not supported; the message is a short reason to be counted."""


class _SelectorTooDeepError(SelectorError):
    """A selector within more selectors than are read: even lists that accept invalid selectors are refused with it."""


ID, CLASS, TYPE = 1 << 20, 1 << 10, 1

_IDENTIFIER = r"(?:--|-?(?:[a-zA-Z_]|[^\x00-\x7f]|\\[^\n]))(?:[\w-]|[^\x00-\x7f]|\\[^\n])*+"
_NAME = re.compile(_IDENTIFIER)
_HASH = re.compile(r"#((?:[\w-]|[^\x00-\x7f]|\\[^\n])++)")
_SPACE = re.compile(r"\s*+([>+~]|\|\|)?\s*+")
_ATTRIBUTE = re.compile(
    rf"""\[\s*+(?:[\w*]*+\|)?({_IDENTIFIER})\s*+(?:([~|^$*]?=)\s*+"""
    r"""(?:"((?:[^"\\]++|\\.)*+)"|'((?:[^'\\]++|\\.)*+)'|((?:[\w-]|[^\x00-\x7f]|\\.)++))\s*+([iIsS])?\s*+)?\]""",
    re.DOTALL,
)
_PSEUDO = re.compile(rf"(::?)({_IDENTIFIER})(\(?)")
_NTH = re.compile(r"([+-]?\d*)n\s*(?:([+-])\s*(\d+))?\Z|([+-]?\d+)\Z", re.IGNORECASE)


@lru_cache(maxsize=16384)
def parse_selector(text: str, max_nesting: int = 12, *, fold: bool = False) -> Selector:
    """Parse one selector; raise a `SelectorError` with the reason if it is invalid or not supported.

    With `fold`, ids and classes are converted to lower case, because quirks mode ignores their case.
    """
    text = without_comments(text).strip()
    if is_simple(text):
        return _parse_simple(text, fold=fold)
    compounds: list[Compound] = []
    combinators: list[str] = []
    position, specificity = 0, 0
    while True:
        compound, weight, position = _parse_compound(text, position, _CompoundParts(fold, max_nesting))
        compounds.append(compound)
        specificity += weight
        if position >= len(text):
            break
        space = _SPACE.match(text, position)
        if space is None or space.end() == position or space.end() >= len(text):
            raise SelectorError("invalid selector")
        combinators.append(space.group(1) or " ")
        position = space.end()
    return Selector(tuple(reversed(compounds)), tuple(reversed(combinators)), specificity)


#: Names, ids and classes without escapes, combined by spaces and `>`: this covers most selectors.
_SIMPLE = re.compile(
    r"\s*+(?:(?:[a-zA-Z][\w-]*+|\*|(?=[.#]))(?:[.#]-?[a-zA-Z_][\w-]*+)*+(?:\s*+>\s*+|\s++|\Z))++\Z", re.ASCII
)
_SIMPLE_PART = re.compile(r"(?:(>)\s*+)?([^\s>]++)")


def is_simple(text: str) -> bool:
    """Return whether a selector is so simple that it cannot be invalid."""
    return _SIMPLE.match(text) is not None and text[-1:] != ">"


def _parse_simple(text: str, *, fold: bool) -> Selector:
    compounds, combinators, specificity = [], [], 0
    for sign, part in reversed(_SIMPLE_PART.findall(text)):
        compound, weight = simple_compound(part, fold)
        compounds.append(compound)
        combinators.append(sign or " ")
        specificity += weight
    return Selector(tuple(compounds), tuple(combinators[:-1]), specificity)


@lru_cache(maxsize=4096)
def simple_compound(text: str, fold: bool) -> tuple[Compound, int]:
    """Parse a compound of name, ids and classes, and return it with its specificity."""
    compound, weight, _ = _parse_compound(text, 0, _CompoundParts(fold, 0))
    return compound, weight


@dataclass
class _CompoundParts:
    """The parts of a compound while it is being parsed."""

    fold: bool
    max_nesting: int
    tag: str = ""
    ids: list[str] = field(default_factory=list)
    classes: list[str] = field(default_factory=list)
    attributes: list[Attribute] = field(default_factory=list)
    nths: list[Nth] = field(default_factory=list)
    logicals: list[Logical] = field(default_factory=list)
    states: list[str] = field(default_factory=list)
    never: bool = False
    specificity: int = 0

    def word(self, text: str) -> str:
        return unescape(text).lower() if self.fold else unescape(text)

    def freeze(self) -> Compound:
        return Compound(
            self.tag,
            tuple(self.ids),
            tuple(self.classes),
            tuple(self.attributes),
            tuple(self.nths),
            tuple(self.logicals),
            tuple(self.states),
            self.never,
        )


def _parse_compound(text: str, position: int, parts: _CompoundParts) -> tuple[Compound, int, int]:
    start = position
    if text[position : position + 2] in {"*|", "|*"}:
        raise SelectorError("namespace in a selector")
    if text[position : position + 1] == "*":
        position += 1
    elif name := _NAME.match(text, position):
        parts.tag = unescape(name.group()).lower()
        parts.specificity += TYPE
        position = name.end()
    while position < len(text) and text[position] in _PARSERS:
        position = _PARSERS[text[position]](text, position, parts)
    if position == start:
        raise SelectorError("invalid selector")
    return parts.freeze(), parts.specificity, position


def _parse_class(text: str, position: int, parts: _CompoundParts) -> int:
    match = _NAME.match(text, position + 1)
    if match is None:
        raise SelectorError("invalid selector")
    parts.classes.append(parts.word(match.group()))
    parts.specificity += CLASS
    return match.end()


def _parse_id(text: str, position: int, parts: _CompoundParts) -> int:
    match = _HASH.match(text, position)
    if match is None:
        raise SelectorError("invalid selector")
    parts.ids.append(parts.word(match.group(1)))
    parts.specificity += ID
    return match.end()


def _parse_attribute(text: str, position: int, parts: _CompoundParts) -> int:
    match = _ATTRIBUTE.match(text, position)
    if match is None:
        raise SelectorError("invalid selector")
    parts.attributes.append(_condition(match))
    parts.specificity += CLASS
    return match.end()


def find_attributes(text: str) -> list[Attribute]:
    """Return the attribute conditions in a text of selectors."""
    return [_condition(match) for match in _ATTRIBUTE.finditer(text)] if "[" in text else []


def _condition(match: re.Match[str]) -> Attribute:
    name, operator, double, single, bare, flag = match.groups()
    value = next((part for part in (double, single, bare) if part is not None), "")
    lowered = unescape(name).lower()
    ignore_case = flag in {"i", "I"} or (flag is None and lowered in CASELESS_ATTRIBUTES)
    return Attribute(lowered, operator or "", unescape(value), ignore_case)


def _parse_pseudo(text: str, position: int, parts: _CompoundParts) -> int:
    """Parse a pseudo-class or pseudo-element into `parts` and return the position after it."""
    match = _PSEUDO.match(text, position)
    if match is None:
        raise SelectorError("invalid selector")
    colons, name, bracket = match.group(1), match.group(2).lower(), match.group(3)
    argument, position = None, match.end()
    if bracket:
        end = closing_bracket(text, position)
        argument, position = text[position:end].strip(), end + 1
    if colons == "::" or name in LEGACY_ELEMENTS:
        if not is_pseudo_element(name):
            raise SelectorError("unknown pseudo-element")
        parts.never = True
        parts.specificity += TYPE
    elif argument is None:
        _parse_state(name, parts)
    else:
        _parse_function(name, argument, parts)
    return position


_PARSERS = {".": _parse_class, "#": _parse_id, "[": _parse_attribute, ":": _parse_pseudo}


def _parse_state(name: str, parts: _CompoundParts) -> None:
    parts.specificity += CLASS
    if name in POSITIONS:
        step, offset, of_type, from_end = POSITIONS[name]
        parts.nths.append(Nth(step, offset, of_type, from_end))
    elif name in {"only-child", "only-of-type"}:
        of_type = name == "only-of-type"
        parts.nths += [Nth(0, 1, of_type, False), Nth(0, 1, of_type, True)]
    elif name in STATES:
        parts.states.append(STATES[name])
    elif name in NEVER_ON_STATIC_PAGES:
        parts.never = True
    elif name not in ALWAYS:
        raise SelectorError("unknown pseudo-class")


def _parse_function(name: str, argument: str, parts: _CompoundParts) -> None:
    if name in NTHS:
        of_type, from_end = NTHS[name]
        step, offset = _parse_nth(argument)
        parts.nths.append(Nth(step, offset, of_type, from_end))
        parts.specificity += CLASS
    elif name == "lang":
        parts.states.append(f"lang({argument.strip(chr(34) + chr(39)).lower()})")
        parts.specificity += CLASS
    elif name in LOGICAL:
        _parse_logical(name, argument, parts)
    elif name in {"host", "host-context", "dir", "state", "active-view-transition-type"}:
        parts.never = True
    else:
        raise SelectorError("unsupported :has()" if name == "has" else "unknown pseudo-class")


def _parse_logical(name: str, argument: str, parts: _CompoundParts) -> None:
    if parts.max_nesting <= 0:
        raise _SelectorTooDeepError("selector nested too deep")
    selectors = []
    for part in split_list(argument):
        try:
            selectors.append(parse_selector(part, parts.max_nesting - 1, fold=parts.fold))
        except _SelectorTooDeepError:
            raise
        except SelectorError:
            # Only `:is` and `:where` accept lists with invalid selectors.
            if name == "not":
                raise
    parts.logicals.append(Logical(name == "not", tuple(selectors)))
    if name != "where":
        parts.specificity += max((selector.specificity for selector in selectors), default=0)


def _parse_nth(argument: str) -> tuple[int, int]:
    lowered = argument.lower()
    if lowered in {"odd", "even"}:
        return 2, lowered == "odd"
    match = _NTH.match(lowered)
    if match is None:
        raise SelectorError("invalid selector")
    step, sign, offset, only = match.groups()
    if only is not None:
        return 0, int(only[:9])
    factor = int(f"{step}1") if step in {"", "+", "-"} else int(step[:9])
    return factor, int(f"{sign}{offset[:9]}") if offset else 0
