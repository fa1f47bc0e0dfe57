"""A document as matching sees it: names, ids, classes, attributes and neighbours, each looked up once."""

import re
from collections.abc import Callable, Set
from typing import TYPE_CHECKING, Any

import numpy as np

from broadsheet.document.columns import Ints
from broadsheet.document.tags import COMMENT, NAMES, UNKNOWN

if TYPE_CHECKING:
    from lxml import etree

    from broadsheet.document.document import Document

_SPACE = re.compile(r"[ \t\n\f\r]+")

#: Public identifiers, and beginnings of them, that put a browser into quirks mode.
_QUIRKY = re.compile(
    r"\+//silmaril//dtd html pro v0r11 19970101//|-//as//dtd html 3\.0 aswedit|-//advasoft ltd//|-//ietf//dtd html|"
    r"-//metrius//|-//microsoft//dtd internet explorer [23]\.0|-//netscape comm\. corp\.//|-//o'reilly|"
    r"-//sq//dtd html 2|"
    r"-//softquad|-//spyglass|-//sun microsystems|-//w3c//dtd html 3|-//w3c//dtd html 4\.0 (?:frameset|transitional)//|"
    r"-//w3c//dtd html experimental|-//w3c//dtd w3 html 3|-//w3o//|-//webtechs//|"
    r"-/w3c/dtd html 4\.0 transitional/en\Z|html\Z"
)
_QUIRKY_WITHOUT_SYSTEM = re.compile(r"-//w3c//dtd html 4\.01 (?:frameset|transitional)//")


def split_words(text: str) -> tuple[str, ...]:
    """Return the words of an attribute, divided by the white space of HTML alone."""
    return tuple(word for word in _SPACE.split(text) if word) if text else ()


class MatchingTree:
    """The rows of a document's nodes, with what selectors ask of them."""

    def __init__(self, document: "Document") -> None:
        """Take the columns as lists, which Python reads faster one by one."""
        self._document = document
        self.tag: list[int] = document.nodes.tag.tolist()
        self.parent: list[int] = document.nodes.parent.tolist()
        self.end: list[int] = document.nodes.end.tolist()
        self._text_start: list[int] = document.nodes.text_start.tolist()
        self._text_end: list[int] = document.nodes.text_end.tolist()
        self.quirks = is_quirky(document.element(0))
        self._elements: dict[int, etree._Element] = {}
        self._identities: dict[int, tuple[str, tuple[str, ...]]] = {}
        self._siblings: dict[int, list[int]] = {}
        self._places: dict[tuple[int, bool], dict[int, tuple[int, int]]] = {}

    def element(self, row: int) -> "etree._Element":
        """Return lxml's element for a row, made once."""
        element = self._elements.get(row)
        if element is None:
            element = self._elements[row] = self._document.element(row)
        return element

    def name(self, row: int) -> str:
        """Return the element's name in lower case."""
        code = self.tag[row]
        return NAMES[code] if code != UNKNOWN else self._document.tag_name(row).lower()

    def attribute(self, row: int, name: str) -> str | None:
        """Return the value of an attribute, None where the element has none of that name."""
        if self.tag[row] == COMMENT:
            return None
        value = self.element(row).get(name)
        return None if value is None else str(value)

    def with_ancestors(self, rows: Ints) -> list[int]:
        """Return these rows and those of all their ancestors, in document order."""
        nodes = self._document.nodes
        before = np.zeros(len(nodes) + 1, np.int32)
        before[rows + 1] = 1
        np.cumsum(before, out=before)
        # A row is needed where one of these lies in its subtree.
        return np.flatnonzero(before[nodes.end] > before[:-1]).tolist()

    def kinds(
        self, valued: Set[str], named: Set[str], emptiness: bool
    ) -> tuple[list[int], Callable[[int], tuple[str, ...]]]:
        """Return a number for each row, and what gives a row's attributes: names and values in turn.

        Rows that share a number share their name, these attributes and, where it is asked for, whether they are empty.
        """
        sets, written = self._document.attribute_sets(sorted(valued), sorted(named))
        names = self._document.nodes.tag.astype(np.int64)
        unknown: dict[str, int] = {}
        for row in np.flatnonzero(names == UNKNOWN).tolist():
            names[row] = unknown.setdefault(self.name(row), len(NAMES) + len(unknown))
        numbers: list[int] = (names * len(written) + sets).tolist()
        if emptiness:
            numbers = [2 * number + self.is_empty(row) for row, number in enumerate(numbers)]
        return numbers, lambda row: written[sets[row]]

    def identity(self, row: int) -> tuple[str, tuple[str, ...]]:
        """Return the element's id and classes; in quirks mode their case does not count."""
        found = self._identities.get(row)
        if found is None:
            # The columns hold these tokens too, but the element is needed for its other attributes anyway.
            own, words = self.attribute(row, "id") or "", self.attribute(row, "class") or ""
            if self.quirks:
                own, words = own.lower(), words.lower()
            found = self._identities[row] = own, split_words(words)
        return found

    def children(self, row: int) -> list[int]:
        """Return the rows of an element's child elements."""
        found = self._siblings.get(row)
        if found is None:
            found, child, end = [], row + 1, self.end[row]
            while child < end:
                if self.tag[child] != COMMENT:
                    found.append(child)
                child = self.end[child]
            self._siblings[row] = found
        return found

    def place(self, row: int, *, of_type: bool) -> tuple[int, int]:
        """Return an element's place among its siblings, or those of its name, from the first and from the last."""
        parent = self.parent[row]
        if parent < 0:
            return 1, 1
        places = self._places.get((parent, of_type))
        if places is None:
            groups: dict[str, list[int]] = {}
            for child in self.children(parent):
                groups.setdefault(self.name(child) if of_type else "", []).append(child)
            places = self._places[parent, of_type] = {
                child: (index + 1, len(group) - index) for group in groups.values() for index, child in enumerate(group)
            }
        return places[row]

    def previous(self, row: int) -> int:
        """Return the row of the element before this one among its siblings, -1 for the first."""
        place = self.place(row, of_type=False)[0]
        return -1 if place == 1 else self.children(self.parent[row])[place - 2]

    def is_empty(self, row: int) -> bool:
        """Tell whether an element holds neither elements nor text."""
        return self._text_start[row] == self._text_end[row] and (self.end[row] == row + 1 or not self.children(row))


def is_quirky(root: "etree._Element") -> bool:
    """Tell whether a browser would read the page in quirks mode, by its document type.

    The parser gives a page without any the type HTML 4.0 Transitional, which is one of those that do.
    """
    # The stubs know only some of these.
    info: Any = root.getroottree().docinfo
    if not info.doctype or (info.root_name or "").lower() != "html":
        return True
    public, system = (info.public_id or "").lower(), (info.system_url or "").lower()
    if system == "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd" or _QUIRKY.match(public):
        return True
    return not system and _QUIRKY_WITHOUT_SYSTEM.match(public) is not None
