"""No regular expression takes more than linear time, whatever stands in the page or the header that it is used on."""

import re
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import pytest

from tests.attacks.growth import superlinear
from tests.attacks.patterns import ANCHORED, METHODS, SCANNING, Used, find, hidden, sources
from tests.attacks.pumps import pumped

pytestmark = pytest.mark.long

#: Enough for a quadratic pattern to stand out by a factor of a hundred.
SIZE = 4_000

#: Functions that put patterns together, each called for the globals of its module alone.
BUILDERS = frozenset({"document.metadata._json_repair._string", "newsweb._url_patterns._numbered"})


def slow(used: Used) -> str | None:
    """Say with what a pattern takes more than linear time, if with anything."""
    for prefix, pump, suffix in pumped(used.pattern):
        make = partial(text, used.pattern, prefix, pump, suffix)
        for act in acts(used):
            if grown := superlinear(act, make, (SIZE,)):
                return f"{used.where} {used.pattern.pattern!r} on {prefix!r} + {pump!r} × n + {suffix!r}: {grown}"
    return None


def text(pattern: re.Pattern[Any], prefix: str, pump: str, suffix: str, size: int) -> str | bytes:
    made = prefix + pump * (size // len(pump)) + suffix
    return made if isinstance(pattern.pattern, str) else made.encode("utf-8")


def acts(used: Used) -> list[Callable[[Any], object]]:
    found: list[Callable[[Any], object]] = [getattr(used.pattern, method) for method in sorted(used.methods & ANCHORED)]
    # All the methods that look further than the beginning do what this does.
    return [*found, lambda given: sum(1 for _ in used.pattern.finditer(given))] if used.methods & SCANNING else found


@cache
def patterns() -> list[Used]:
    # Finding them takes seconds, which every process would spend on collecting tests if each had one of its own.
    return find()


def test_every_pattern_takes_linear_time() -> None:
    assert [found for used in patterns() if (found := slow(used))] == []


def test_no_pattern_is_put_together_where_it_is_not_found() -> None:
    assert set(hidden(sources())) <= BUILDERS


#: Textbook cases, and patterns of this project as they once were.
BAD = {
    "nested repeats": (r"(a+)+$", "match"),
    "alternatives that overlap": (r"(?:a|a)*b", "match"),
    "neighbours that overlap": (r"\d+\.?\d*\Z", "match"),
    "space before what never comes": (r"\s*=\s*x", "search"),
    "a beginning without an end": (r"<!--.*?-->", "search"),
    "a character set in a header": (r"""charset\s*=\s*["']?\s*([^\s;"']+)""", "search"),
    "a font in quotes": (r"""\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^,"']+?))\s*(?:,|$)""", "match"),
    "a range of widths": (r"([^<>=]+?)\s*(<=|>=|<|>|=)\s*([^<>=]+?)\s*(?:(<=|>=|<|>)\s*([^<>=]+))?\Z", "match"),
    "a colour for light and dark": (r"light-dark\(\s*([^,()]+(?:\([^()]*\))?)\s*,.*\)\Z", "match"),
    "an attribute in a selector": (r"\[([a-z]+)=((?:[\w-]|[^\x00-\x7f]|\\.)+)\]", "match"),
    "declarations": (r"(?<![\w-])(?:color|--[^\s:;{}]+)\s*(?:/\*.*?\*/\s*)?:", "search"),
    "separators of titles": (r"\s+[|:-]+\s+|\s*[|»]\s*|:\s+", "finditer"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_a_slow_pattern_is_caught(name: str) -> None:
    pattern, method = BAD[name]

    assert slow(Used(name, re.compile(pattern, re.DOTALL), frozenset({method}))) is not None


def test_patterns_are_found_wherever_they_stand() -> None:
    found = {used.where.partition(":")[0] for used in patterns()}

    assert {"base.urls._NORMAL", "document.metadata._json_repair._KEYS", "document.styles.selector_text"} <= found
    assert all(used.methods <= METHODS for used in patterns())
