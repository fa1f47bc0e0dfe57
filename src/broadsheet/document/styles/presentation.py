"""What an element's own markup says of its looks: old attributes, `hidden`, whether it is a link, its `style`."""

import re
from typing import NamedTuple

from broadsheet.document.styles.asking import Asked
from broadsheet.document.styles.colours import parse_legacy_colour
from broadsheet.document.styles.defaults import CLOSED, DEFAULTS, QUIRKY_TABLE, TEXT_COLOUR
from broadsheet.document.styles.families import parse_families
from broadsheet.document.styles.matching_tree import MatchingTree, split_words
from broadsheet.document.styles.selectors import marks
from broadsheet.document.styles.values import COLOUR, DISPLAY, FAMILY, SIZE, Keyword, Value


class Markup(NamedTuple):
    """Everything about an element that its looks depend on, beside its place: equal ones look alike."""

    name: str
    #: The id, where some selector asks for it.
    id: str
    #: The classes that some selector asks for.
    classes: tuple[str, ...]
    #: The attributes of interest, by name; `:empty` stands for having no contents, where a selector asks for it.
    attributes: tuple[tuple[str, str], ...]

    def get(self, name: str) -> str | None:
        """Return the value of an attribute of interest."""
        return next((value for own, value in self.attributes if own == name), None)

    def has(self, name: str) -> bool:
        """Tell whether the element has an attribute of interest."""
        return any(own == name for own, _ in self.attributes)

    def hints(self) -> tuple[tuple[str, str], ...]:
        """Return the attributes that HTML itself gives a meaning."""
        return tuple(pair for pair in self.attributes if pair[0] in _HINTS) if self.attributes else ()

    def marks(self) -> list[str]:
        """Return what selectors can find the element by."""
        names = [name for name, _ in self.attributes]
        return marks(self.name, (self.id,) if self.id else (), self.classes, names)


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
    """Reads the markup of elements, as far as HTML or one of the page's selectors gives it a meaning."""

    def __init__(self, tree: MatchingTree, asked: Asked) -> None:
        """Look for nothing but what is asked for."""
        self._tree = tree
        self._asked = asked
        anywhere = _ANYWHERE | asked.named
        self._wanted = {name: anywhere | own for name, own in _BY_NAME.items()}
        self._wanted_anywhere = anywhere
        valued = {"class", "id"} | _VALUED | asked.conditions.keys()
        named = anywhere.union(*_BY_NAME.values()) - valued
        #: A number for each row: rows that share it have equal markup.
        self.kinds, self._attributes = tree.kinds(valued, named, asked.emptiness)
        self._read: dict[int, Markup] = {}
        self._distinct: dict[Markup, Markup] = {}
        #: What counts of each attribute's value, by name and value.
        self._told: dict[tuple[str, str], str] = {}
        self._classes: dict[str, tuple[str, ...]] = {"": ()}

    def read(self, row: int) -> Markup:
        """Return an element's markup, the same object for all that are equal."""
        markup = self._read.get(self.kinds[row])
        if markup is None:
            empty = self._asked.emptiness and self._tree.is_empty(row)
            markup = self._make(self._tree.name(row), self._attributes(row), empty)
            markup = self._read[self.kinds[row]] = self._distinct.setdefault(markup, markup)
        return markup

    def _make(self, name: str, pairs: tuple[str, ...], empty: bool) -> Markup:
        own = words = ""
        attributes: tuple[tuple[str, str], ...] = ((":empty", ""),) if empty else ()
        wanted = self._wanted.get(name, self._wanted_anywhere)
        for key, value in zip(pairs[::2], pairs[1::2], strict=True):
            if key == "class":
                words = value
            elif key == "id":
                own = value
            if key in wanted:
                attributes += ((key, self._tell(key, value)),)
        if self._tree.quirks:
            own, words = own.lower(), words.lower()
        classes = self._classes.get(words)
        if classes is None:
            classes = self._classes[words] = self._known(words)
        return Markup(name, own if own in self._asked.ids else "", classes, attributes)

    def _tell(self, key: str, value: str) -> str:
        """Return what counts of a value: all of it, which conditions it meets, or only that it is there."""
        if key in _VALUED:
            return value
        conditions = self._asked.conditions.get(key)
        if conditions is None:
            return ""
        told = self._told.get((key, value))
        if told is None:
            told = " ".join(str(place) for place, asked in enumerate(conditions) if asked.holds(value))
            self._told[key, value] = told
        return told

    def _known(self, words: str) -> tuple[str, ...]:
        return tuple(word for word in split_words(words) if word in self._asked.classes)


class PagePresentation(NamedTuple):
    """What holds for the whole page."""

    quirks: bool
    text_colour: int
    link_colour: int


def browser_values(markup: Markup, page: PagePresentation) -> dict[str, Value]:
    """Return what the browser's own sheet says of an element."""
    values = DEFAULTS.get(markup.name, {})
    if markup.name == "table" and page.quirks:
        values = {**QUIRKY_TABLE, COLOUR: page.text_colour}
    if not markup.attributes and markup.name != "dialog":
        return values
    if markup.get("href") is not None:
        values = {**values, COLOUR: page.link_colour}
    shut = markup.name == "dialog" and markup.get("open") is None
    if shut or markup.get("hidden") is not None or _is_popover(markup):
        values = {**values, DISPLAY: False}
    return values


def _is_popover(markup: Markup) -> bool:
    stated = markup.get("popover")
    return stated is not None and stated.lower() in {"", "auto", "manual", "hint"}


def hinted_values(markup: Markup) -> dict[str, Value]:
    """Return what old attributes say, which any author's sheet overrules."""
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
    found = _SIZE.match(text or "")
    if found is None:
        return None
    number = int(found.group(2)[:6])
    number = 3 + number if found.group(1) == "+" else 3 - number if found.group(1) == "-" else number
    return Keyword(min(max(number, 1), 7) + 1)


def shuts_in(markup: Markup) -> bool:
    """Tell whether a browser keeps the contents of an element out of sight: all of them, but the first `summary`."""
    if markup.name == "details":
        return markup.get("open") is None
    if markup.name == "select":
        size = re.match(r"\s*\+?(\d{1,9})", markup.get("size") or "")
        return markup.get("multiple") is None and (size is None or int(size.group(1)) < 2)
    return markup.name in CLOSED


def page_colours(tree: MatchingTree, body: int | None) -> tuple[int, int]:
    """Return the colours of text and links that the attributes of `body` ask for."""
    if body is None:
        return TEXT_COLOUR, 0x0000EE
    text = parse_legacy_colour(tree.attribute(body, "text") or "")
    link = parse_legacy_colour(tree.attribute(body, "link") or "")
    return TEXT_COLOUR if text is None else text, 0x0000EE if link is None else link
