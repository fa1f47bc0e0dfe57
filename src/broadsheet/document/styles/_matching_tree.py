"""The document tree for selector matching: names, ids, classes, attributes and siblings, cached."""

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

#: Public identifiers, and prefixes of them, that put a browser into quirks mode.
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
    """Return the words of an attribute; only HTML's own white space separates them."""
    return tuple(word for word in _SPACE.split(text) if word) if text else ()


class MatchingTree:
    """A document's nodes by row, with the lookups that selectors need."""

    def __init__(self, document: "Document") -> None:
        """Convert the columns to lists, which are faster to index from Python."""
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
        self._positions: dict[tuple[int, bool], dict[int, tuple[int, int]]] = {}

    def element(self, row: int) -> "etree._Element":
        """Return the lxml element for a row, cached."""
        element = self._elements.get(row)
        if element is None:
            element = self._elements[row] = self._document.element(row)
        return element

    def name(self, row: int) -> str:
        """Return the element's name in lower case."""
        code = self.tag[row]
        return NAMES[code] if code != UNKNOWN else self._document.tag_name(row).lower()

    def attribute(self, row: int, name: str) -> str | None:
        """Return the value of an attribute, None if the element does not have it."""
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
        # A row is included if its subtree contains one of the given rows.
        return np.flatnonzero(before[nodes.end] > before[:-1]).tolist()

    def kinds(
        self, valued: Set[str], named: Set[str], emptiness: bool
    ) -> tuple[list[int], Callable[[int], tuple[str, ...]]]:
        """Return a number for each row, and a function that returns a row's attributes as alternating names and values.

        Rows with the same number have the same name, the same attributes and, with `emptiness`, are both empty or not.
        """
        set_indices, attribute_sets = self._document.attribute_sets(sorted(valued), sorted(named))
        names = self._document.nodes.tag.astype(np.int64)
        unknown: dict[str, int] = {}
        for row in np.flatnonzero(names == UNKNOWN).tolist():
            names[row] = unknown.setdefault(self.name(row), len(NAMES) + len(unknown))
        numbers: list[int] = (names * len(attribute_sets) + set_indices).tolist()
        if emptiness:
            numbers = [2 * number + self.is_empty(row) for row, number in enumerate(numbers)]
        return numbers, lambda row: attribute_sets[set_indices[row]]

    def identity(self, row: int) -> tuple[str, tuple[str, ...]]:
        """Return the element's id and classes, in lower case if the page is in quirks mode."""
        identity = self._identities.get(row)
        if identity is None:
            # The columns have these tokens too, but the element is needed for its other attributes anyway.
            element_id, class_text = self.attribute(row, "id") or "", self.attribute(row, "class") or ""
            if self.quirks:
                element_id, class_text = element_id.lower(), class_text.lower()
            identity = self._identities[row] = element_id, split_words(class_text)
        return identity

    def children(self, row: int) -> list[int]:
        """Return the rows of an element's child elements."""
        children = self._siblings.get(row)
        if children is None:
            children, child, end = [], row + 1, self.end[row]
            while child < end:
                if self.tag[child] != COMMENT:
                    children.append(child)
                child = self.end[child]
            self._siblings[row] = children
        return children

    def position(self, row: int, *, of_type: bool) -> tuple[int, int]:
        """Return an element's position among its siblings (`of_type`: of its name), from the start and from the end."""
        parent = self.parent[row]
        if parent < 0:
            return 1, 1
        positions = self._positions.get((parent, of_type))
        if positions is None:
            groups: dict[str, list[int]] = {}
            for child in self.children(parent):
                groups.setdefault(self.name(child) if of_type else "", []).append(child)
            positions = self._positions[parent, of_type] = {
                child: (index + 1, len(group) - index) for group in groups.values() for index, child in enumerate(group)
            }
        return positions[row]

    def previous(self, row: int) -> int:
        """Return the row of the previous sibling element, -1 for the first."""
        position = self.position(row, of_type=False)[0]
        return -1 if position == 1 else self.children(self.parent[row])[position - 2]

    def is_empty(self, row: int) -> bool:
        """Return whether an element contains neither elements nor text."""
        return self._text_start[row] == self._text_end[row] and (self.end[row] == row + 1 or not self.children(row))


def is_quirky(root: "etree._Element") -> bool:
    """Return whether a browser would render the page in quirks mode, by its document type.

    The parser assigns HTML 4.0 Transitional to a page without a document type, which implies quirks mode too.
    """
    # lxml's type stubs lack some of these attributes.
    info: Any = root.getroottree().docinfo
    if not info.doctype or (info.root_name or "").lower() != "html":
        return True
    public, system = (info.public_id or "").lower(), (info.system_url or "").lower()
    if system == "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd" or _QUIRKY.match(public):
        return True
    return not system and _QUIRKY_WITHOUT_SYSTEM.match(public) is not None
