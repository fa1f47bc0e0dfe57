"""A labelled page whose body is marked in its tree, and where an edit can put something beside the article."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from lxml import etree
from numpy.random import Generator
from numpy.typing import NDArray

from broadsheet.document import Document

#: The attribute of an element whose own text (t) or following text (f) is body, and those of the article's container
#: and its headline.
BODY, CONTAINER, HEADLINE = "data-body", "data-container", "data-headline"
OWN, FOLLOWING = "t", "f"
#: Elements that cannot stand just anywhere: a copy of one becomes a `div`, and nothing is put beside one.
FIXED = frozenset({"html", "body", "table", "tbody", "tr", "td", "th", "li", "dd"})
#: Characters that a page can contain, but that lxml refuses in text that is set.
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
#: How many elements around the container something may be put beside, rather than right beside the container.
_LEVELS = 3


@dataclass(frozen=True, slots=True)
class MarkedPage:
    """A page whose body is marked, as HTML, with its title, its first lines, and running text around the article."""

    html: bytes
    title: str
    lines: tuple[str, ...]
    noise: tuple[str, ...]
    site: str
    #: Whether the article's container has the page's headline, too.
    has_headline: bool

    def open(self) -> tuple[etree._Element, etree._Element]:
        """Return the root and the article's container of a new copy of the tree."""
        root = etree.fromstring(self.html, etree.HTMLParser(encoding="utf-8", huge_tree=True))
        container = root.find(f".//*[@{CONTAINER}]")
        assert container is not None, "a marked page has a container"  # noqa: S101
        return root, container


#: Changes a page, with the help of others; None if it does not suit the page.
PageEdit = Callable[[MarkedPage, Sequence[MarkedPage], Generator], etree._Element | None]  # noqa: SLF001 - lxml's only name for it


def insertable(text: str) -> str:
    """Return text without the characters that cannot be put into a tree."""
    return _NOT_XML.sub("", text)


def mark(element: etree._Element, slot: int) -> None:
    """Mark an element's own text (slot 0) or the text that follows it (slot 1) as body."""
    element.set(BODY, element.get(BODY, "") + (OWN, FOLLOWING)[slot])


def marked_pieces(document: Document) -> NDArray[np.bool_]:
    """Return which pieces of a page are marked as body."""
    pieces = document.pieces
    owners = [document.element(owner) for owner in pieces.owner.tolist()]
    slots = pieces.slot.tolist()
    return np.array([is_marked(owner, (OWN, FOLLOWING)[slot]) for owner, slot in zip(owners, slots, strict=True)], bool)


def is_marked(element: etree._Element, kind: str) -> bool:
    return kind in (element.get(BODY) or "")


def elements(root: etree._Element) -> Iterator[etree._Element]:
    return root.iter(etree.Element)  # without comments, which have no attributes


def as_addition(element: etree._Element) -> etree._Element:
    """Make a container of another page ready to be put into a page, as something that is not its body."""
    element.tail = None
    if element.tag in FIXED:
        element.tag = "div"
    for each in elements(element):
        remove(each, BODY)
    return element


def place_around(container: etree._Element, rng: Generator) -> etree._Element:
    """Return the container or an element around it, beside which something can be put."""
    place = container
    for _ in range(int(rng.integers(_LEVELS))):
        parent = place.getparent()
        if parent is None or parent.tag in {"html", "body"}:
            break
        place = parent
    return unfixed(place)


def unfixed(place: etree._Element) -> etree._Element:
    """Return the first element outwards that something can be put beside, or else the page's body."""
    while place.tag in FIXED and place.tag != "body":
        parent = place.getparent()
        assert parent is not None, "a marked page's container is within its body"  # noqa: S101
        place = parent
    return place


def place_above(place: etree._Element) -> etree._Element:
    """Return the first element outwards that neither the headline nor a part of the body stands before."""
    while place.tag != "body" and place.xpath(f"preceding::*[@{BODY} or @{HEADLINE}] | ancestor::*[@{BODY}]"):
        parent = place.getparent()
        assert parent is not None, "a marked page's container is within its body"  # noqa: S101
        place = unfixed(parent)
    return place


def put_at_end(container: etree._Element, addition: etree._Element, rng: Generator) -> None:
    """Put an element at the end of the container, or behind it or an element around it."""
    if rng.random() < 0.4 and container.tag not in FIXED:
        container.append(addition)
    else:
        put_behind(place_around(container, rng), addition)


def put_behind(place: etree._Element, addition: etree._Element) -> None:
    if place.tag == "body":
        place.append(addition)
        return
    addition.tail, place.tail = place.tail, None
    place.addnext(addition)
    if addition.tail and is_marked(place, FOLLOWING):
        mark(addition, 1)


def put_before(place: etree._Element, addition: etree._Element) -> None:
    if place.tag == "body":
        place.insert(0, addition)
    else:
        place.addprevious(addition)


def remove(element: etree._Element, name: str) -> None:
    if name in element.attrib:
        del element.attrib[name]
