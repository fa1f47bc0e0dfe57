"""The markup that matters to an element's look: what HTML itself or one of the page's selectors refers to."""

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from broadsheet.document.styles._matching import MatchingTree, split_words
from broadsheet.document.styles._selectors import VARIED, Attribute, index_keys
from broadsheet.document.styles.grammar import find_attributes


@dataclass(frozen=True, slots=True)
class SelectorFeatures:
    """What a page's selectors refer to besides names, ids and classes."""

    #: The attributes that selectors refer to.
    named: frozenset[str]
    #: The conditions on the values of each attribute, except attributes that differ from element to element.
    conditions: Mapping[str, tuple[Attribute, ...]]
    #: Whether some selector refers to elements without content.
    emptiness: bool

    @classmethod
    def of_selectors(cls, selectors: Iterable[str]) -> "SelectorFeatures":
        """Extract the features from the texts of a page's selectors; false positives do no harm."""
        return read_features("\n".join(text for text in selectors if "[" in text or ":" in text))


@lru_cache(maxsize=32)
def read_features(text: str) -> SelectorFeatures:
    """Return the features in a text of selectors."""
    conditions: dict[str, tuple[Attribute, ...]] = {}
    attributes = dict.fromkeys(find_attributes(text))
    for attribute in attributes:
        if attribute.operator and attribute.name not in VARIED:
            conditions[attribute.name] = (*conditions.get(attribute.name, ()), attribute)
    names = frozenset(attribute.name for attribute in attributes)
    return SelectorFeatures(names, conditions, ":empty" in text.lower())


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
        for own, value in self.attributes:
            if own == name:
                return value
        return None

    def has(self, name: str) -> bool:
        """Return whether the element has a relevant attribute."""
        return self.get(name) is not None

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
        self.kinds, self._set_indices, self._attribute_sets = tree.kinds(valued, named, features.emptiness)
        self._by_kind: dict[int, Markup] = {}
        self._distinct: dict[Markup, Markup] = {}
        #: The relevant part of each attribute's value, by name and value.
        self._relevant_values: dict[tuple[str, str], str] = {}
        self._classes: dict[str, tuple[str, ...]] = {"": ()}
        self._ids: set[str] = set()
        self._relevant_classes: set[str] = set()

    def words(self) -> set[str]:
        """Return the names, `.classes` and `#ids` on the page, in lower case if it is in quirks mode."""
        ids, texts = set(), set()
        for pairs in self._attribute_sets:
            for key, value in zip(pairs[::2], pairs[1::2], strict=True):
                if key == "class":
                    texts.add(value)
                elif key == "id":
                    ids.add(f"#{value}")
        classes = {f".{word}" for text in texts for word in split_words(text)}
        words = classes | ids
        return self._tree.names() | (set(map(str.lower, words)) if self._tree.quirks else words)

    def narrow(self, words: Set[str]) -> None:
        """Read only these `.classes` and `#ids`."""
        self._relevant_classes = {word[1:] for word in words if word[0] == "."}
        self._ids = {word[1:] for word in words if word[0] == "#"}

    def read(self, row: int) -> Markup:
        """Return an element's markup; elements with equal markup share one object."""
        markup = self._by_kind.get(self.kinds[row])
        if markup is None:
            empty = self._features.emptiness and self._tree.is_empty(row)
            markup = self._make(self._tree.name(row), self._attribute_sets[self._set_indices[row]], empty)
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
            relevant_classes = self._relevant_classes
            classes = tuple([word for word in split_words(class_text) if word in relevant_classes])
            self._classes[class_text] = classes
        return Markup(name, element_id if element_id in self._ids else "", classes, attributes)

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
