"""Text made to keep a regular expression busy, from the expression's own parse tree."""

import itertools
import re
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    import re._compiler as compiler  # type: ignore[import-not-found]
    import re._constants as codes  # type: ignore[import-not-found]
    import re._parser as parser  # type: ignore[import-not-found]

ALPHABET = [chr(code) for code in (*range(9, 14), *range(32, 127))] + list("\u00a0éßα日\u3000")
#: What pages are pumped with whatever the pattern.
GENERIC = [
    *" \n\t0a<-\"'\\/([{.,:;%&=é日@#", "\t ", "a ", "0 ", "a-", "0.", "--", "/*", "<!--", "a,", "\\ ", "\\\\", "()",
    "\"'", "a b-", "A1", " :",
]  # fmt: skip
SUFFIXES = ["", "\x00"]
MAX_CHARACTERS = 5
MAX_PREFIXES = 4
_REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)


def pumped(pattern: re.Pattern[Any]) -> Iterator[tuple[str, str, str]]:
    """Yield prefixes, what to repeat behind them, and suffixes that the pattern should fail at."""
    tree = parser.parse(
        pattern.pattern, pattern.flags & ~re.UNICODE if isinstance(pattern.pattern, bytes) else pattern.flags
    )
    repeats = list(_repeats(tree, ""))
    popular = Counter(character for _, body in repeats for character in _accepted(body, tree))
    common = [character for character, _ in popular.most_common(MAX_CHARACTERS)]
    pairs = ["".join(pair) for pair in itertools.permutations(common[:4], 2)]
    prefixes = list(dict.fromkeys(("", *(prefix for prefix, _ in repeats))))[:MAX_PREFIXES]
    # What few repeats take ends all that the others took.
    refused = sorted((character for character in ALPHABET if ord(character) < 127), key=lambda c: popular[c])[:3]
    own: dict[tuple[str, str], None] = {}
    for prefix, body in repeats:
        accepted = sorted(_accepted(body, tree), key=lambda character: -popular[character])
        inside = [*accepted[:MAX_CHARACTERS], _sample(body)]
        own |= dict.fromkeys((prefix, pump) for pump in inside)
        own |= dict.fromkeys((prefix + _sample(body), pump) for pump in common[:2])
        own |= dict.fromkeys(("", prefix + pump) for pump in (*inside[:2], ""))
    others = itertools.product(prefixes, (*pairs, *common, *GENERIC))
    for (prefix, pump), suffix in itertools.chain(
        itertools.product(own, (*SUFFIXES, *refused)), itertools.product(others, SUFFIXES)
    ):
        if pump:
            yield prefix, pump, suffix


def _repeats(items: Iterable[Any], before: str) -> Iterator[tuple[str, Any]]:
    """Yield the bodies of the repeats that may go on for long, each with text that leads up to it."""
    for item in items:
        for body, is_repeat in _bodies(item):
            if is_repeat:
                yield before, body
            yield from _repeats(body, before)
        before += _sample([item])


def _bodies(item: tuple[Any, Any]) -> list[tuple[Any, bool]]:
    """Return what an item of a parse tree holds, and whether it may come again and again."""
    kind, value = item
    if kind in _REPEATS:
        return [(value[2], value[1] > 20)]
    if kind is codes.SUBPATTERN:
        return [(value[3], False)]
    if kind is codes.ATOMIC_GROUP:
        return [(value, False)]
    if kind in (codes.ASSERT, codes.ASSERT_NOT):
        return [(value[1], False)]
    return [(branch, False) for branch in value[1]] if kind is codes.BRANCH else []


def _accepted(body: Any, tree: Any) -> frozenset[str]:
    """Return the characters that a repeat takes one by one."""
    single = _compiled(body, tree)
    is_bytes = isinstance(tree.state.str, bytes)
    letters = [letter for letter in ALPHABET if not is_bytes or ord(letter) < 256]
    return frozenset(letter for letter in letters if single.fullmatch(letter.encode("latin-1") if is_bytes else letter))


def _compiled(body: Any, tree: Any) -> re.Pattern[Any]:
    body = body if isinstance(body, parser.SubPattern) else parser.SubPattern(tree.state, list(body))
    flags = tree.state.flags
    made: re.Pattern[Any] = compiler.compile(body, flags)
    return made


def _sample(items: Iterable[Any]) -> str:
    """Return short text that items of a parse tree match, as far as that is seen without trying."""
    return "".join(map(_sample_of, items))


def _sample_of(item: tuple[Any, Any]) -> str:
    kind, value = item
    if kind is codes.LITERAL:
        return chr(value)
    if kind is codes.NOT_LITERAL:
        return "a" if value != ord("a") else "b"
    if kind is codes.ANY:
        return "a"
    if kind is codes.IN:
        return _one_of(tuple(value))
    if kind in _REPEATS:
        return _sample(value[2]) * int(value[0])
    if kind is codes.BRANCH:
        return _sample(value[1][0])
    bodies = _bodies(item)
    return _sample(bodies[0][0]) if bodies and kind not in (codes.ASSERT, codes.ASSERT_NOT) else ""


@cache
def _one_of(value: tuple[Any, ...]) -> str:
    made: re.Pattern[str] = compiler.compile(parser.SubPattern(parser.State(), [(codes.IN, list(value))]), 0)
    found: str = next((letter for letter in ALPHABET[::-1] if made.fullmatch(letter)), "a")
    return found
