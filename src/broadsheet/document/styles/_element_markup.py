"""The markup that matters to an element's look: what HTML itself or one of the page's selectors refers to."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from broadsheet.document.styles._matching import MatchingTree, split_words
from broadsheet.document.styles._selectors import VARIED, Attribute, index_keys
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


class Markup(NamedTuple):
    """The parts of an element's markup that affect its style; elements with equal markup in equal places look alike."""

    name: str
    #: The id, if some selector refers to it.
    id: str
    #: The classes that some selector refers to.
    classes: tuple[str, ...]
    #: The relevant attributes; `:empty` is set for an element without content, if some selector refers to that.
    attributes: tuple[tuple[str, str], ...]

    def get(self, name: str) -> str | None:
        """Return the value of a relevant attribute."""
        return next((value for own, value in self.attributes if own == name), None)

    def has(self, name: str) -> bool:
        """Return whether the element has a relevant attribute."""
        return any(own == name for own, _ in self.attributes)

    def hints(self) -> tuple[tuple[str, str], ...]:
        """Return the attributes that have a meaning in HTML itself."""
        return tuple(pair for pair in self.attributes if pair[0] in _HINTS) if self.attributes else ()

    def index_keys(self) -> list[str]:
        """Return the keys under which the selectors that could match the element are indexed."""
        names = [name for name, _ in self.attributes]
        return index_keys(self.name, (self.id,) if self.id else (), self.classes, names)


_ANYWHERE = frozenset({"style", "hidden", "popover"})
_VALUED = frozenset({"style", "popover", "size", "color", "face", "text"})
_BY_NAME: dict[str, frozenset[str]] = {
    "font": frozenset({"size", "color", "face"}),
    "body": frozenset({"text"}),
    "a": frozenset({"href"}),
    "area": frozenset({"href"}),
    "details": frozenset({"open"}),
    "dialog": frozenset({"open"}),
    "select": frozenset({"multiple", "size"}),
}
_HINTS = _ANYWHERE.union(*_BY_NAME.values())


class MarkupReader:
    """Reads the markup of elements, as far as it matters to HTML or to one of the page's selectors."""

    def __init__(self, tree: MatchingTree, features: SelectorFeatures) -> None:
        """Read only the given features."""
        self._tree = tree
        self._features = features
        anywhere = _ANYWHERE | features.named
        self._relevant = {name: anywhere | own for name, own in _BY_NAME.items()}
        self._relevant_anywhere = anywhere
        valued = {"class", "id"} | _VALUED | features.conditions.keys()
        named = anywhere.union(*_BY_NAME.values()) - valued
        #: A number for each row; rows with the same number have equal markup.
        self.kinds, self._attributes = tree.kinds(valued, named, features.emptiness)
        self._by_kind: dict[int, Markup] = {}
        self._distinct: dict[Markup, Markup] = {}
        #: The relevant part of each attribute's value, by name and value.
        self._relevant_values: dict[tuple[str, str], str] = {}
        self._classes: dict[str, tuple[str, ...]] = {"": ()}

    def read(self, row: int) -> Markup:
        """Return an element's markup; elements with equal markup share one object."""
        markup = self._by_kind.get(self.kinds[row])
        if markup is None:
            empty = self._features.emptiness and self._tree.is_empty(row)
            markup = self._make(self._tree.name(row), self._attributes(row), empty)
            markup = self._by_kind[self.kinds[row]] = self._distinct.setdefault(markup, markup)
        return markup

    def _make(self, name: str, pairs: tuple[str, ...], empty: bool) -> Markup:
        element_id = class_text = ""
        attributes: tuple[tuple[str, str], ...] = ((":empty", ""),) if empty else ()
        relevant = self._relevant.get(name, self._relevant_anywhere)
        for key, value in zip(pairs[::2], pairs[1::2], strict=True):
            if key == "class":
                class_text = value
            elif key == "id":
                element_id = value
            if key in relevant:
                attributes += ((key, self._relevant_value(key, value)),)
        if self._tree.quirks:
            element_id, class_text = element_id.lower(), class_text.lower()
        classes = self._classes.get(class_text)
        if classes is None:
            classes = self._classes[class_text] = self._relevant_classes(class_text)
        return Markup(name, element_id if element_id in self._features.ids else "", classes, attributes)

    def _relevant_value(self, key: str, value: str) -> str:
        """Return the part of a value that matters: all of it, the conditions that it meets, or nothing."""
        if key in _VALUED:
            return value
        conditions = self._features.conditions.get(key)
        if conditions is None:
            return ""
        relevant = self._relevant_values.get((key, value))
        if relevant is None:
            relevant = " ".join(str(index) for index, condition in enumerate(conditions) if condition.holds(value))
            self._relevant_values[key, value] = relevant
        return relevant

    def _relevant_classes(self, class_text: str) -> tuple[str, ...]:
        return tuple(word for word in split_words(class_text) if word in self._features.classes)
