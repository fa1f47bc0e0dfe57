"""Evaluates `@media`, for a viewport of 1280 by 720 px with a light colour scheme, and `@supports`."""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

import tinycss2

from broadsheet.document.styles.css_lengths import VIEWPORT_HEIGHT, VIEWPORT_WIDTH, parse_length

#: Tests a feature in brackets: returns whether it holds, or None if it is unknown.
Test: TypeAlias = Callable[[str], bool | None]

#: Features whose value is a length or a number, with their values for the viewport.
_NUMERIC: dict[str, float] = {
    "width": VIEWPORT_WIDTH,
    "height": VIEWPORT_HEIGHT,
    "device-width": VIEWPORT_WIDTH,
    "device-height": VIEWPORT_HEIGHT,
    "aspect-ratio": VIEWPORT_WIDTH / VIEWPORT_HEIGHT,
    "device-aspect-ratio": VIEWPORT_WIDTH / VIEWPORT_HEIGHT,
    "resolution": 1,
    "-webkit-device-pixel-ratio": 1,
    "color": 8,
    "color-index": 0,
    "monochrome": 0,
    "grid": 0,
    "-webkit-transform-3d": 1,
    "horizontal-viewport-segments": 1,
    "vertical-viewport-segments": 1,
}
#: Features whose value is a keyword; `none` means that the feature is absent.
_WORDS: dict[str, str] = {
    "orientation": "landscape",
    "prefers-color-scheme": "light",
    "prefers-reduced-motion": "no-preference",
    "prefers-reduced-data": "no-preference",
    "prefers-reduced-transparency": "no-preference",
    "prefers-contrast": "no-preference",
    "forced-colors": "none",
    "inverted-colors": "none",
    "hover": "hover",
    "any-hover": "hover",
    "pointer": "fine",
    "any-pointer": "fine",
    "scripting": "none",
    "display-mode": "browser",
    "update": "fast",
    "overflow-block": "scroll",
    "overflow-inline": "scroll",
    "dynamic-range": "standard",
    "color-gamut": "srgb",
    "scan": "progressive",
    "device-posture": "continuous",
}
#: A condition with more brackets counts as false, because serialising deeply nested ones takes recursion.
_MAX_BRACKETS = 100
_RESOLUTIONS = {"dppx": 1.0, "x": 1.0, "dpi": 1 / 96, "dpcm": 2.54 / 96}
_RATIO = re.compile(r"([\d.]++)\s*+/\s*+([\d.]++)\Z")
_NUMBER = re.compile(r"([+-]?(?:\d++\.?\d*+|\.\d++))(dppx|x|dpi|dpcm)?\Z")
_RANGE = re.compile(r"([^<>=]++)(<=|>=|<|>|=)([^<>=]++)(?:(<=|>=|<|>)([^<>=]++))?\Z")
_MIRROR = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "="}
#: Properties of other vendors, which sheets test to distinguish browsers.
_FOREIGN = re.compile(r"\s*(?:-ms-|-moz-|-o-|-webkit-touch-callout|-webkit-overflow-scrolling)")


@lru_cache(maxsize=1024)
def media_matches(text: str) -> bool:
    """Return whether any of a list of media queries holds; an empty list does."""
    text = text.strip().lower()
    if not text or text in {"all", "screen"}:
        return True
    if text.count("(") > _MAX_BRACKETS:
        return False
    if all(_WIDTHS.match(part) for part in text.split(",")):
        return any(_widths_hold(part) for part in text.split(","))
    queries: list[list[tinycss2.ast.Node]] = [[]]
    for value in tinycss2.parse_component_value_list(text, skip_comments=True):
        if value.type == "literal" and value.value == ",":
            queries.append([])
        elif value.type != "whitespace":
            queries[-1].append(value)
    return any(_query(query) for query in queries)


#: Nearly all queries only test the media type and the width.
_WIDTHS = re.compile(
    r"\s*(?:(?:only\s+)?(?:screen|all|print)|\((?:min|max)-width\s*:\s*[\d.]+(?:px|em|rem)\s*\))"
    r"(?:\s+and\s+\((?:min|max)-width\s*:\s*[\d.]+(?:px|em|rem)\s*\))*\s*\Z"
)
_WIDTH = re.compile(r"(min|max)-width\s*:\s*([\d.]+\w+)")


def _widths_hold(text: str) -> bool:
    """Return whether a query that only tests media type and width holds."""
    if "print" in text:
        return False
    widths = [(side, parse_length(width)) for side, width in _WIDTH.findall(text)]
    return all(
        length is not None and (length.resolve(16, 16) - VIEWPORT_WIDTH) * (1 if side == "max" else -1) >= 0
        for side, length in widths
    )


def _query(values: "list[tinycss2.ast.Node]") -> bool:
    """Return whether a media query holds; one that is not understood does not."""
    negated = False
    words = [value.value if value.type == "ident" else "" for value in values[:2]]
    if len(words) == 2 and words[0] in {"only", "not"} and words[1]:
        negated = words[0] == "not"
        values = values[1:]
    if not values:
        return False
    if values[0].type == "ident" and values[0].value != "not":
        holds: bool | None = values[0].value in {"all", "screen"}
        if len(values) > 1:
            if values[1].type != "ident" or values[1].value != "and":
                return False
            rest = evaluate(values[2:], _feature, 0)
            holds = None if rest is None else bool(holds and rest)
    else:
        holds = evaluate(values, _feature, 0)
    return holds is not None and holds != negated


def evaluate(values: "list[tinycss2.ast.Node]", test: Test, depth: int) -> bool | None:
    """Evaluate features joined by `and`, `or` and `not`; return None if they are not understood."""
    values = [value for value in values if value.type not in {"whitespace", "comment"}]
    if not values or depth > 16:
        return None
    if values[0].type == "ident" and values[0].value.lower() == "not":
        inner = evaluate(values[1:], test, depth + 1) if len(values) == 2 else None
        return None if inner is None else not inner
    results: list[bool | None] = []
    connective = ""
    for index, value in enumerate(values):
        if index % 2:
            word = value.value.lower() if value.type == "ident" else ""
            if word not in {"and", "or"} or (connective and word != connective):
                return None
            connective = word
        else:
            results.append(_operand(value, test, depth))
    if len(values) % 2 == 0 or any(result is None for result in results):
        return None
    return any(results) if connective == "or" else all(results)


def _operand(value: "tinycss2.ast.Node", test: Test, depth: int) -> bool | None:
    if value.type == "function":
        # Sheets use `selector(…)` and `font-tech(…)` to test for features that current browsers have.
        return True if value.lower_name in {"selector", "font-tech", "font-format"} else None
    if value.type != "() block":
        return None
    inside = [part for part in value.content if part.type not in {"whitespace", "comment"}]
    if inside and (inside[0].type in {"() block", "function"} or getattr(inside[0], "lower_value", "") == "not"):
        return evaluate(inside, test, depth + 1)
    return test(tinycss2.serialize(value.content).strip())


def _feature(text: str) -> bool | None:
    """Return whether a media feature holds, or None if it is unknown."""
    name, colon, value = (part.strip() for part in text.partition(":"))
    if colon:
        if name in _WORDS:
            return _WORDS[name] == value
        for prefix, sign in (("min-", ">="), ("max-", "<="), ("-webkit-min-", ">="), ("-webkit-max-", "<=")):
            if name.startswith(prefix):
                bare = f"-webkit-{name.removeprefix(prefix)}" if "webkit" in prefix else name.removeprefix(prefix)
                return _compare(bare, sign, value)
        return _compare(name, "=", value)
    if match := _RANGE.match(text):
        left, sign, middle, second, right = (part and part.strip() for part in match.groups())
        if second:
            first = _compare(middle, _MIRROR[sign], left)
            return None if first is None else first and _compare(middle, second, right)
        return _compare(left, sign, middle) if left in _NUMERIC else _compare(middle, _MIRROR[sign], left)
    if name in _WORDS:
        return _WORDS[name] not in {"none", "no-preference"}
    return bool(_NUMERIC[name]) if name in _NUMERIC else None


def _compare(name: str, sign: str, text: str) -> bool | None:
    """Compare a feature of the viewport with a value."""
    wanted = _quantity(text.strip())
    if name not in _NUMERIC or wanted is None:
        return None
    actual = _NUMERIC[name]
    return {
        "=": actual == wanted,
        ">=": actual >= wanted,
        "<=": actual <= wanted,
        ">": actual > wanted,
        "<": actual < wanted,
    }[sign]


def _quantity(text: str) -> float | None:
    if ratio := _RATIO.match(text):
        return float(ratio.group(1)) / (float(ratio.group(2)) or 1.0)
    if number := _NUMBER.match(text):
        return float(number.group(1)) * _RESOLUTIONS[number.group(2) or "x"]
    length = parse_length(text)
    return None if length is None else length.resolve(16, 16)


@lru_cache(maxsize=1024)
def supports(text: str) -> bool:
    """Return whether an `@supports` condition holds in a current browser."""
    if text.count("(") > _MAX_BRACKETS:
        return False
    values = tinycss2.parse_component_value_list(text, skip_comments=True)
    return evaluate(values, _supported, 0) is True


def _supported(text: str) -> bool | None:
    return ":" in text and not _FOREIGN.match(text)
