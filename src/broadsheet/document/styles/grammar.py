"""Parses selectors; finds their index keys without parsing them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

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


class SelectorError(ValueError):
    """A selector that is invalid or not supported; the message is a short reason to be counted."""


class _SelectorTooDeepError(SelectorError):
    """A selector within more selectors than are read: even lists that accept invalid selectors are refused with it."""


ID, CLASS, TYPE = 1 << 20, 1 << 10, 1

_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})[ \t\n\r\f]?|(.))", re.DOTALL)
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


def unescape(text: str) -> str:
    """Return an identifier with its escapes decoded."""
    if "\\" not in text:
        return text
    return _ESCAPE.sub(_decode_escape, text)


def _decode_escape(match: re.Match[str]) -> str:
    if match.group(1) is None:
        return match.group(2)
    code = int(match.group(1), 16)
    return chr(code) if 0 < code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else "\N{REPLACEMENT CHARACTER}"


def split_list(text: str) -> Iterator[str]:
    """Split a list at the commas outside brackets and strings."""
    if not re.search(r"[(\[\"'\\]", text):
        yield from text.split(",")
        return
    depth, start = 0, 0
    for token in re.finditer(r"""\\.|"(?:[^"\\]|\\.)*+"?|'(?:[^'\\]|\\.)*+'?|\(|\)|\[|\]|,""", text, re.DOTALL):
        sign = token.group()
        if sign in "([":
            depth += 1
        elif sign in ")]":
            depth -= 1
        elif sign == "," and depth <= 0:
            yield text[start : token.start()]
            start = token.end()
    yield text[start:]


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
        end = _closing(text, position)
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


def _closing(text: str, position: int) -> int:
    depth = 1
    for token in re.compile(r"""\\.|"(?:[^"\\]|\\.)*+"?|'(?:[^'\\]|\\.)*+'?|\(|\)""", re.DOTALL).finditer(
        text, position
    ):
        sign = token.group()
        depth += (sign == "(") - (sign == ")")
        if not depth:
            return token.start()
    return len(text)


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


#: What makes it impossible to tell from the text of a selector, word by word, what it requires.
_INTRICATE = re.compile(r"""[(\[\\"']|[^\x00-\x7f]""")
#: Classes, ids and names, but not the names of pseudo-classes.
_REQUIRED = re.compile(r"[.#]-?[a-zA-Z_][\w-]*+|(?<![:\w.#-])[a-zA-Z][\w-]*+")
_COMBINATORS = re.compile(r"[\s>+~]+")
#: The last step of an intricate selector: name, ids and classes, then pseudo-classes and attributes if they are simple.
_END = re.compile(
    r"(?:(?<=[\s>+~])|(?<![\s\S]))([\w-]+|\*)?((?:[.#][\w-]+)*)"
    r"""((?:::?[\w-]+(?:\([^()]*\))?|\[[^\]\s"']*(?:"[^"]*"|'[^']*')?\])*)\Z""",
    re.ASCII,
)
_SIGN = re.compile(r"[.#][^.#]+")
_NEVER_MATCHING = NEVER_ON_STATIC_PAGES | LEGACY_ELEMENTS

#: The key of selectors that never match on a static page.
NEVER = ""


class TextKey(NamedTuple):
    """What the text of a selector says about elements that match, before it is parsed."""

    #: An `#id`, `.class` or name that they have; None if the selector must be parsed to know.
    key: str | None
    #: The names, `.classes` and `#ids` that occur on a page with such elements; None if that is not known.
    required: frozenset[str] | None


@lru_cache(maxsize=16384)
def text_key(selector: str) -> TextKey:
    """Return what can be said about a selector without parsing it."""
    if _INTRICATE.search(selector):
        return TextKey(_intricate_key(selector), None)
    required = [word if word[0] in ".#" else word.lower() for word in _REQUIRED.findall(selector)]
    last = _COMBINATORS.split(selector)[-1]
    if ":" in last and not _NEVER_MATCHING.isdisjoint(last.split(":")):
        return TextKey(NEVER, None)
    own = _REQUIRED.findall(last)
    signs = [word for word in own if word[0] in ".#"]
    key = next((word for word in signs if word[0] == "#"), signs[-1]) if signs else own[0].lower() if own else None
    return TextKey(key, frozenset(required))


def _intricate_key(selector: str) -> str | None:
    match = None if "\\" in selector else _END.search(selector)
    if match is None:
        return None
    name, signs, rest = match.groups()
    if rest and "(" not in rest and not _NEVER_MATCHING.isdisjoint(rest.split(":")):
        return NEVER
    if signs:
        tokens = _SIGN.findall(signs)
        return str(next((token for token in tokens if token[0] == "#"), tokens[-1]))
    # A name with an attribute is better indexed by the attribute.
    return name.lower() if name and name != "*" and "[" not in rest else None


_WORD = r"(?:[\w-]++|[^\x00-\x7f]|\\[0-9a-fA-F]{1,6}\s?|\\[^\n])++"
_SIGNED = re.compile(rf"([.#])({_WORD})")


def find_words(text: str) -> list[str]:
    """Return all `.classes` and `#ids` in the text of a selector, and perhaps other words like them."""
    return [sign + unescape(word) for sign, word in _SIGNED.findall(text)]
