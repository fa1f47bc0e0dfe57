"""The keys of selectors: what their text says about elements that match, found without parsing them."""

import re
from functools import lru_cache
from typing import NamedTuple

from broadsheet.document.styles._selectors import LEGACY_ELEMENTS, NEVER_ON_STATIC_PAGES
from broadsheet.document.styles.selector_text import unescape

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
