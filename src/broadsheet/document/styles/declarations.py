"""The relevant declarations in a rule or a `style` attribute and their values, parsed on demand."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from broadsheet.document.styles.colours import parse_colour, parse_loose_colour
from broadsheet.document.styles.css_lengths import Length, Sum, parse_length
from broadsheet.document.styles.families import parse_families
from broadsheet.document.styles.scanner import cut_block, without_comments

SIZE, FAMILY, WEIGHT, COLOUR, DISPLAY, VISIBILITY = (
    "font-size",
    "font-family",
    "font-weight",
    "color",
    "display",
    "visibility",
)
#: The properties from which the columns are computed.
LONGHANDS = (SIZE, FAMILY, WEIGHT, COLOUR, DISPLAY, VISIBILITY)
FONT_PARTS = (SIZE, FAMILY, WEIGHT)
#: The relevant properties, besides custom properties.
RELEVANT = frozenset({*LONGHANDS, "font", "all"})
CSS_WIDE_KEYWORDS = frozenset({"inherit", "initial", "unset", "revert", "revert-layer"})

#: The size keywords, with their indices in the browser's table.
SIZE_KEYWORDS = {
    "xx-small": 1, "x-small": 2, "small": 3, "medium": 4, "large": 5, "x-large": 6, "xx-large": 7, "xxx-large": 8,
    "-webkit-xxx-large": 8,
}  # fmt: skip

_RELATIVE_WEIGHTS = {"bolder": -1, "lighter": -2}
BOLDER, LIGHTER = -1, -2
_SYSTEM_FONTS = frozenset({"caption", "icon", "menu", "message-box", "small-caption", "status-bar"})
_DISPLAYS = frozenset(
    "none block inline inline-block flex inline-flex grid inline-grid table table-cell table-row table-row-group "
    "table-header-group table-footer-group table-column table-column-group table-caption inline-table list-item "
    "contents flow-root flow ruby ruby-text math run-in -webkit-box -webkit-inline-box -webkit-flex "
    "-webkit-inline-flex".split()
)
_FONT_WORDS = frozenset(
    "normal italic oblique small-caps ultra-condensed extra-condensed condensed semi-condensed semi-expanded expanded "
    "extra-expanded ultra-expanded".split()
)


@dataclass(frozen=True, slots=True)
class Keyword:
    """A size given by a keyword."""

    index: int


@dataclass(frozen=True, slots=True)
class Step:
    """A size larger or smaller than the parent's."""

    factor: float


@dataclass(frozen=True, slots=True)
class CssWideKeyword:
    """A CSS-wide keyword, such as `inherit`, which every property accepts."""

    word: str


@dataclass(frozen=True, slots=True)
class Pending:
    """A value that can only be parsed after custom properties have been substituted."""

    prop: str
    text: str


Size: TypeAlias = Length | Keyword | Step
Value: TypeAlias = Size | tuple[str, ...] | int | bool | CssWideKeyword | Pending


@lru_cache(maxsize=8192)
def parse_value(prop: str, text: str, quirks: bool) -> dict[str, Value] | None:
    """Return the values that a declaration sets, by property, or None if a browser would ignore it."""
    lowered = text.strip().lower()
    targets = FONT_PARTS if prop == "font" else LONGHANDS if prop == "all" else (prop,)
    if "var(" in lowered or "env(" in lowered:
        return dict.fromkeys(targets, Pending(prop, text))
    if lowered in CSS_WIDE_KEYWORDS:
        return dict.fromkeys(targets, CssWideKeyword(lowered))
    if prop == "font":
        return _parse_font(text)
    value = None if prop == "all" else _parse_longhand(prop, text, lowered, quirks=quirks)
    return None if value is None else {prop: value}


def _parse_longhand(prop: str, text: str, lowered: str, *, quirks: bool) -> Value | None:
    if prop == SIZE:
        return _parse_size(lowered, quirks=quirks)
    if prop == FAMILY:
        return parse_families(text)
    if prop == WEIGHT:
        return _parse_weight(lowered)
    if prop == COLOUR:
        return parse_loose_colour(lowered) if quirks else parse_colour(lowered)
    if prop == DISPLAY:
        return lowered != "none" if _is_display(lowered) else None
    return lowered == "visible" if lowered in {"visible", "hidden", "collapse"} else None


def _is_display(lowered: str) -> bool:
    return lowered in _DISPLAYS or (" " in lowered and all(word in _DISPLAYS for word in lowered.split()))


def _parse_size(lowered: str, *, quirks: bool) -> Size | None:
    if lowered in SIZE_KEYWORDS:
        return Keyword(SIZE_KEYWORDS[lowered])
    if lowered in {"larger", "smaller"}:
        return Step(1.2 if lowered == "larger" else 1 / 1.2)
    length = parse_length(lowered, quirks=quirks)
    if isinstance(length, Sum) and min(length.px, length.em, length.rem) < 0 and "(" not in lowered:
        return None
    return length


def _parse_weight(lowered: str) -> int | None:
    if lowered in {"normal", "bold"}:
        return 400 if lowered == "normal" else 700
    if lowered in _RELATIVE_WEIGHTS:
        return _RELATIVE_WEIGHTS[lowered]
    if re.fullmatch(r"\+?\d{1,4}(\.\d+)?", lowered) and 1 <= float(lowered) <= 1000:
        return int(float(lowered))
    return None


#: A word with its brackets, and the white space after it.
_WORD = re.compile(r"""((?:[^\s"'(/]++|\((?:[^()]++|\((?:[^()]++|\([^()]*+\))*+\))*+\))++)\s*+""")


def _parse_font(text: str) -> dict[str, Value] | None:
    """Return the size, family and weight set by the shorthand."""
    if text.strip().lower() in _SYSTEM_FONTS:
        return {SIZE: Sum(px=16), FAMILY: ("system-ui",), WEIGHT: 400}
    weight, position = 400, 0
    text = text.strip()
    while word := _WORD.match(text, position):
        lowered, end, after = word.group(1).lower(), word.end(1), word.end()
        parsed_weight = _parse_weight(lowered)
        if lowered in _FONT_WORDS or re.fullmatch(r"-?[\d.]+deg", lowered):
            position = after
        elif parsed_weight is not None and end < after:
            weight, position = parsed_weight, after
        else:
            size = _parse_size(lowered, quirks=False)
            rest = re.sub(r"^\s*/\s*[^\s,(]+(?:\([^)]*\))?", "", text[end:])
            families = parse_families(rest.strip())
            return None if size is None or families is None else {SIZE: size, FAMILY: families, WEIGHT: weight}
    return None


#: Matches in every block in lower case that sets a relevant property, and in few others. Every alternative starts with
#: a letter of its own and looks back only then, so that the search skips all other letters.
_RELEVANT = re.compile(
    r"(?:c(?<![\w-]c)olor|f(?<![\w-]f)ont(?:-size|-family|-weight)?|d(?<![\w-]d)isplay|v(?<![\w-]v)isibility|a(?<![\w-]a)ll)"
    r"\s*+(?::|/\*)|-(?<![^\s;{}/]-)-[^\s:;{}]"
)
_IMPORTANT = re.compile(r"!\s*important\s*\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Declarations:
    """The declarations of a block: values by property and the texts of custom properties, normal and important."""

    normal: dict[str, Value]
    important: dict[str, Value]
    custom: dict[str, str]
    important_custom: dict[str, str]
    #: The number of relevant declarations with a value that is not understood.
    invalid: int


NO_DECLARATIONS = Declarations({}, {}, {}, {}, 0)


def is_relevant(block: str) -> bool:
    """Return whether a block may set a relevant property, without parsing it."""
    return _RELEVANT.search(block.lower()) is not None


@lru_cache(maxsize=4096)
def parse_declarations(block: str, quirks: bool) -> Declarations:
    """Parse the declarations of a block, without its nested rules."""
    declarations = Declarations({}, {}, {}, {}, 0)
    invalid = 0
    for cut in cut_block(block):
        if cut.at or cut.block is not None:
            continue
        name, colon, text = without_comments(cut.prelude).partition(":")
        name = name.strip()
        if not colon or not (name.startswith("--") or name.lower() in RELEVANT):
            continue
        value = _IMPORTANT.sub("", text)
        important = len(value) != len(text)
        if name.startswith("--"):
            (declarations.important_custom if important else declarations.custom)[name] = value.strip()
            continue
        parsed = parse_value(name.lower(), value.strip(), quirks)
        if parsed is None:
            invalid += 1
            continue
        for prop, part in parsed.items():
            if important:
                declarations.important[prop] = part
            else:
                declarations.normal[prop] = part
    if not invalid:
        return declarations
    return Declarations(
        declarations.normal, declarations.important, declarations.custom, declarations.important_custom, invalid
    )


def count_declarations(block: str) -> tuple[int, int]:
    """Return the number of declarations in a block, and the number of relevant ones."""
    names = [
        cut.prelude.partition(":")[0].strip().lower()
        for cut in cut_block(block)
        if not cut.at and cut.block is None and ":" in cut.prelude
    ]
    return len(names), sum(name.startswith("--") or name in RELEVANT for name in names)
