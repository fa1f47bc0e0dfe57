"""What a page's selectors ask of elements at all, read off their texts, so that nothing else is looked up."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from broadsheet.document.styles.grammar import find_attributes, unescape
from broadsheet.document.styles.selectors import VARIED, Attribute

_WORD = r"(?:[\w-]|[^\x00-\x7f]|\\[0-9a-fA-F]{1,6}\s?|\\[^\n])+"
_TOKEN = re.compile(rf"([.#])({_WORD})")


@dataclass(frozen=True, slots=True)
class Asked:
    """The words and attributes that some selector asks for: elements that differ in others look alike."""

    ids: frozenset[str]
    classes: frozenset[str]
    #: Attributes that an element must have.
    named: frozenset[str]
    #: The conditions on the values of attributes, as far as elements can share them, by attribute.
    conditions: Mapping[str, tuple[Attribute, ...]]
    #: Whether it counts that an element has no contents.
    emptiness: bool

    @classmethod
    def by(cls, selectors: Iterable[str], *, fold: bool) -> "Asked":
        """Read it off the selectors of a page; what is no selector but looks like one does no harm."""
        return read_texts("\n".join(selectors), fold)


@lru_cache(maxsize=32)
def read_texts(text: str, fold: bool) -> Asked:
    """Return what the texts of some selectors ask for."""
    words: dict[str, set[str]] = {".": set(), "#": set()}
    for sign, word in set(_TOKEN.findall(text)):
        plain = unescape(word)
        words[sign].add(plain.lower() if fold else plain)
    conditions: dict[str, tuple[Attribute, ...]] = {}
    attributes = dict.fromkeys(find_attributes(text))
    for attribute in attributes:
        if attribute.operator and attribute.name not in VARIED:
            conditions[attribute.name] = (*conditions.get(attribute.name, ()), attribute)
    return Asked(
        frozenset(words["#"]),
        frozenset(words["."]),
        frozenset(attribute.name for attribute in attributes),
        conditions,
        ":empty" in text.lower(),
    )
