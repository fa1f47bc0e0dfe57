"""What an element's own markup says about its appearance: legacy attributes, `hidden`, `href`, `style`."""

import re
from typing import NamedTuple

from broadsheet.document.styles._defaults import DEFAULTS, HIDDEN_CONTENT, QUIRKY_TABLE, TEXT_COLOUR
from broadsheet.document.styles._matching_tree import MatchingTree, split_words
from broadsheet.document.styles._selectors import index_keys
from broadsheet.document.styles.colours import parse_legacy_colour
from broadsheet.document.styles.families import parse_families
from broadsheet.document.styles.selector_features import SelectorFeatures
from broadsheet.document.styles.values import COLOUR, DISPLAY, FAMILY, SIZE, Keyword, Value


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
_SIZE = re.compile(r"[ \t\n\f\r]*([+-]?)(\d+)")


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


class PagePresentation(NamedTuple):
    """What applies to the whole page."""

    quirks: bool
    text_colour: int
    link_colour: int


def browser_values(markup: Markup, page: PagePresentation) -> dict[str, Value]:
    """Return an element's values in the browser's default style sheet."""
    values = DEFAULTS.get(markup.name, {})
    if markup.name == "table" and page.quirks:
        values = {**QUIRKY_TABLE, COLOUR: page.text_colour}
    if not markup.attributes and markup.name != "dialog":
        return values
    if markup.get("href") is not None:
        values = {**values, COLOUR: page.link_colour}
    closed = markup.name == "dialog" and markup.get("open") is None
    if closed or markup.get("hidden") is not None or _is_popover(markup):
        values = {**values, DISPLAY: False}
    return values


def _is_popover(markup: Markup) -> bool:
    popover = markup.get("popover")
    return popover is not None and popover.lower() in {"", "auto", "manual", "hint"}


def presentational_hints(markup: Markup) -> dict[str, Value]:
    """Return the values of legacy attributes, which any author style sheet overrides."""
    values: dict[str, Value] = {}
    if markup.name == "body" and (text := markup.get("text")) is not None:
        colour = parse_legacy_colour(text)
        if colour is not None:
            values[COLOUR] = colour
    if markup.name != "font":
        return values
    if (size := _font_size(markup.get("size"))) is not None:
        values[SIZE] = size
    if (text := markup.get("color")) is not None and (colour := parse_legacy_colour(text)) is not None:
        values[COLOUR] = colour
    if (text := markup.get("face")) is not None and (families := parse_families(text)) is not None:
        values[FAMILY] = families
    return values


def _font_size(text: str | None) -> Keyword | None:
    match = _SIZE.match(text or "")
    if match is None:
        return None
    number = int(match.group(2)[:6])
    number = 3 + number if match.group(1) == "+" else 3 - number if match.group(1) == "-" else number
    return Keyword(min(max(number, 1), 7) + 1)


def hides_content(markup: Markup) -> bool:
    """Return whether a browser hides the content of an element (except the first `summary` of `details`)."""
    if markup.name == "details":
        return markup.get("open") is None
    if markup.name == "select":
        size = re.match(r"\s*\+?(\d{1,9})", markup.get("size") or "")
        return markup.get("multiple") is None and (size is None or int(size.group(1)) < 2)
    return markup.name in HIDDEN_CONTENT


def page_colours(tree: MatchingTree, body: int | None) -> tuple[int, int]:
    """Return the colours of text and links set by the attributes of `body`."""
    if body is None:
        return TEXT_COLOUR, 0x0000EE
    text = parse_legacy_colour(tree.attribute(body, "text") or "")
    link = parse_legacy_colour(tree.attribute(body, "link") or "")
    return TEXT_COLOUR if text is None else text, 0x0000EE if link is None else link
