"""Matches selectors against the elements of a document."""

import re
from collections.abc import Set
from typing import TYPE_CHECKING, Any

import numpy as np

from broadsheet.document.columns import Ints
from broadsheet.document.tags import COMMENT, NAMES, UNKNOWN

if TYPE_CHECKING:
    from lxml import etree

    from broadsheet.document.document import Document
from broadsheet.document.styles._selectors import Attribute, Compound, Logical, Nth, Selector
from broadsheet.document.styles.caps import AttemptsExhausted, StyleDrops

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
    # `split` would also separate at white space that HTML does not know, none of which is printable ASCII.
    words = text.split() if text.isascii() and text.isprintable() else [word for word in _SPACE.split(text) if word]
    return tuple(words)


class MatchingTree:
    """A document's nodes by row, with the lookups that selectors need."""

    def __init__(self, document: "Document") -> None:
        """Convert the columns to lists, which are faster to index from Python."""
        self._document = document
        self.tag: list[int] = document.nodes.tag.tolist()
        self.parent: list[int] = document.nodes.parent.tolist()
        self.end: list[int] = document.nodes.end.tolist()
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

    def names(self) -> set[str]:
        """Return the names of all elements."""
        codes = self._document.nodes.tag
        names = {NAMES[code] for code in np.unique(codes).tolist() if code != UNKNOWN}
        return names.union(self.name(row) for row in np.flatnonzero(codes == UNKNOWN).tolist())

    def kinds(
        self, valued: Set[str], named: Set[str], emptiness: bool
    ) -> tuple[list[int], Ints, list[tuple[str, ...]]]:
        """Return for each row a number and the index of its attributes, and the attributes by index.

        Rows with the same number have the same name, the same attributes and, with `emptiness`, are both empty or not.
        Attributes are alternating names and values.
        """
        set_indices, attribute_sets = self._document.attribute_sets(sorted(valued), sorted(named))
        names = self._document.nodes.tag.astype(np.int64)
        unknown: dict[str, int] = {}
        for row in np.flatnonzero(names == UNKNOWN).tolist():
            names[row] = unknown.setdefault(self.name(row), len(NAMES) + len(unknown))
        numbers: list[int] = (names * len(attribute_sets) + set_indices).tolist()
        if emptiness:
            numbers = [2 * number + self.is_empty(row) for row, number in enumerate(numbers)]
        return numbers, set_indices, attribute_sets

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
        nodes = self._document.nodes
        has_text = nodes.text_start[row] != nodes.text_end[row]
        return not has_text and (self.end[row] == row + 1 or not self.children(row))


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


#: The result of a match; a failure rules out this element only, its siblings as well, or any other way to match.
_MATCH, _NOT_HERE, _NOT_SIBLINGS, _NOWHERE = range(4)


class Matcher:
    """Matches selectors against the elements of one document, within a limit of attempts."""

    def __init__(self, tree: MatchingTree, ledger: StyleDrops) -> None:
        """Match within a tree, with the attempts that the ledger's limits allow."""
        self.tree = tree
        self._attempts_left = ledger.limits.max_attempts

    def matches(self, selector: Selector, row: int) -> bool:
        """Return whether an element matches; raise `AttemptsExhausted` when the limit is reached."""
        return self._match_from(selector, 0, row) == _MATCH

    def _match_from(self, selector: Selector, index: int, row: int) -> int:
        """Match the compounds from `index` leftwards, the first of them against `row`."""
        if not self._compound(selector.compounds[index], row):
            return _NOT_HERE
        if index == len(selector.combinators):
            return _MATCH
        combinator, parent = selector.combinators[index], self.tree.parent[row]
        if combinator == " ":
            return self._match_ancestors(selector, index + 1, parent)
        if combinator == ">":
            return _NOWHERE if parent < 0 else self._match_from(selector, index + 1, parent)
        sibling = self.tree.previous(row)
        if combinator == "+":
            return _NOT_SIBLINGS if sibling < 0 else self._match_from(selector, index + 1, sibling)
        return self._match_siblings(selector, index + 1, sibling) if combinator == "~" else _NOWHERE

    def _match_ancestors(self, selector: Selector, index: int, ancestor: int) -> int:
        """Match against an ancestor or any one above it."""
        while ancestor >= 0:
            result = self._match_from(selector, index, ancestor)
            # If there are too few ancestors here, there are too few above as well.
            if result in {_MATCH, _NOWHERE}:
                return result
            ancestor = self.tree.parent[ancestor]
        return _NOWHERE

    def _match_siblings(self, selector: Selector, index: int, sibling: int) -> int:
        """Match against a sibling or any one before it."""
        while sibling >= 0:
            result = self._match_from(selector, index, sibling)
            if result != _NOT_HERE:
                return result
            sibling = self.tree.previous(sibling)
        return _NOT_SIBLINGS

    def _compound(self, compound: Compound, row: int) -> bool:
        self._spend()
        tree = self.tree
        if compound.tag and compound.tag != tree.name(row):
            return False
        if compound.classes or compound.ids:
            element_id, classes = tree.identity(row)
            for name in compound.classes:
                if name not in classes:
                    return False
            for name in compound.ids:
                if name != element_id:
                    return False
        return (compound.is_simple and not compound.never) or self._conditions(compound, row)

    def _spend(self) -> None:
        """Count one attempt."""
        self._attempts_left -= 1
        if self._attempts_left < 0:
            raise AttemptsExhausted

    def _conditions(self, compound: Compound, row: int) -> bool:
        if compound.never:
            return False
        for attribute in compound.attributes:
            if not self._attribute(attribute, row):
                return False
        for state in compound.states:
            if not self._state(state, row):
                return False
        for nth in compound.nths:
            if not self._nth(nth, row):
                return False
        return all(self._logical(logical, row) for logical in compound.logicals)

    def _logical(self, condition: Logical, row: int) -> bool:
        return condition.negated != any(self.matches(selector, row) for selector in condition.selectors)

    def _nth(self, condition: Nth, row: int) -> bool:
        position = self.tree.position(row, of_type=condition.of_type)[condition.from_end]
        if condition.step == 0:
            return position == condition.offset
        steps, rest = divmod(position - condition.offset, condition.step)
        return rest == 0 and steps >= 0

    def _attribute(self, condition: Attribute, row: int) -> bool:
        value = self.tree.attribute(row, condition.name)
        return value is not None and condition.holds(value)

    def _state(self, state: str, row: int) -> bool:
        tree = self.tree
        if state == "root":
            return tree.parent[row] < 0
        if state == "empty":
            return tree.is_empty(row)
        if state == "link":
            return tree.name(row) in {"a", "area"} and tree.attribute(row, "href") is not None
        if state == "checked":
            return (tree.attribute(row, "checked") if tree.name(row) == "input" else None) is not None
        if state in {"disabled", "enabled"}:
            is_control = tree.name(row) in {"input", "button", "select", "textarea", "option", "optgroup", "fieldset"}
            return is_control and (tree.attribute(row, "disabled") is not None) == (state == "disabled")
        if state == "open":
            return tree.name(row) in {"details", "dialog"} and tree.attribute(row, "open") is not None
        return self._language(state.removeprefix("lang(").removesuffix(")"), row)

    def _language(self, wanted: str, row: int) -> bool:
        while row >= 0:
            self._spend()
            language = self.tree.attribute(row, "lang")
            if language is not None:
                return language.lower() == wanted or language.lower().startswith(f"{wanted}-")
            row = self.tree.parent[row]
        return False
