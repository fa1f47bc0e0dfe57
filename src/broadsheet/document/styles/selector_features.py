"""The classes, ids and attributes that a page's selectors refer to, so that nothing else needs to be looked up."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from broadsheet.document.styles._selectors import VARIED, Attribute
from broadsheet.document.styles.grammar import find_attributes, unescape

_WORD = r"(?:[\w-]|[^\x00-\x7f]|\\[0-9a-fA-F]{1,6}\s?|\\[^\n])+"
_TOKEN = re.compile(rf"([.#])({_WORD})")


@dataclass(frozen=True, slots=True)
class SelectorFeatures:
    """The names that occur in some selector; elements that differ only in others match the same selectors."""

    ids: frozenset[str]
    classes: frozenset[str]
    #: The attributes that selectors refer to.
    named: frozenset[str]
    #: The conditions on the values of each attribute, except attributes that differ from element to element.
    conditions: Mapping[str, tuple[Attribute, ...]]
    #: Whether some selector refers to elements without content.
    emptiness: bool

    @classmethod
    def of_selectors(cls, selectors: Iterable[str], *, fold: bool) -> "SelectorFeatures":
        """Extract the features from the texts of a page's selectors; false positives do no harm."""
        return read_features("\n".join(selectors), fold)


@lru_cache(maxsize=32)
def read_features(text: str, fold: bool) -> SelectorFeatures:
    """Return the features in a text of selectors; `fold` converts classes and ids to lower case."""
    words: dict[str, set[str]] = {".": set(), "#": set()}
    for sign, word in set(_TOKEN.findall(text)):
        unescaped = unescape(word)
        words[sign].add(unescaped.lower() if fold else unescaped)
    conditions: dict[str, tuple[Attribute, ...]] = {}
    attributes = dict.fromkeys(find_attributes(text))
    for attribute in attributes:
        if attribute.operator and attribute.name not in VARIED:
            conditions[attribute.name] = (*conditions.get(attribute.name, ()), attribute)
    return SelectorFeatures(
        frozenset(words["#"]),
        frozenset(words["."]),
        frozenset(attribute.name for attribute in attributes),
        conditions,
        ":empty" in text.lower(),
    )
