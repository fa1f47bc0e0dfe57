"""Surgery on labelled pages: each operation changes a page's tree so that the marks of its body stay right.

The pages made this way teach what few labelled pages show: a second article below the first, lists of other stories
with their beginnings, articles that end after a few paragraphs, lists of items, boxes between the paragraphs, pages
without class names, and one site's article within another site's page.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from lxml import etree
from numpy.random import Generator
from numpy.typing import NDArray

from broadsheet.document import Document

#: The attribute of an element whose own text (t) or following text (f) is body, and that of the article's container.
BODY, CONTAINER = "data-body", "data-container"
_OWN, _FOLLOWING = "t", "f"
#: Elements that cannot stand just anywhere: a copy of one becomes a `div`, and nothing is put beside one.
_FIXED = frozenset({"html", "body", "table", "tbody", "tr", "td", "th", "li", "dd"})
#: Characters that a page can contain, but that lxml refuses in text that is set.
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_NAMES = ("class", "id", "role", "itemprop")
_HEADINGS = frozenset({"h1", "h2"})
#: The elements of a list of stories: around all, around one, and around its headline.
_LISTS = (
    ("ul", "li", "h3"), ("div", "div", "h3"), ("div", "article", "h2"), ("section", "div", "h4"), ("div", "div", "div"),
)  # fmt: skip
_STORIES, _LEAD = (3, 9), (60, 400)
#: The elements of a list article: around one item, and its heading.
_ITEMS = (("div", "h2"), ("div", "h3"), ("section", "h2"), ("article", "h3"), ("li", "h3"))
#: How many paragraphs an article has at least before it is cut into items or gets boxes.
_ENOUGH_PARAGRAPHS = 5
_BOXES = (1, 5)
#: The elements around the text of a box.
_BOX_TAGS = ("div", "aside", "section", "p", "blockquote")
#: How many elements around the container a graft may be put behind, rather than right behind the container.
_LEVELS = 3


@dataclass(frozen=True, slots=True)
class Specimen:
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
        assert container is not None, "a specimen has a container"  # noqa: S101
        return root, container


#: Changes a page, with the help of others; None if it does not suit the page.
Operation = Callable[[Specimen, Sequence[Specimen], Generator], etree._Element | None]  # noqa: SLF001 - lxml's only name for it


def insertable(text: str) -> str:
    """Return text without the characters that cannot be put into a tree."""
    return _NOT_XML.sub("", text)


def mark(element: etree._Element, slot: int) -> None:
    """Mark an element's own text (slot 0) or the text that follows it (slot 1) as body."""
    element.set(BODY, element.get(BODY, "") + (_OWN, _FOLLOWING)[slot])


def marked_pieces(document: Document) -> NDArray[np.bool_]:
    """Return which pieces of a page are marked as body."""
    pieces = document.pieces
    owners = [document.element(owner) for owner in pieces.owner.tolist()]
    slots = pieces.slot.tolist()
    return np.array(
        [_is_marked(owner, (_OWN, _FOLLOWING)[slot]) for owner, slot in zip(owners, slots, strict=True)], bool
    )


def _is_marked(element: etree._Element, kind: str) -> bool:
    return kind in (element.get(BODY) or "")


def second_article(host: Specimen, others: Sequence[Specimen], rng: Generator) -> etree._Element | None:
    """Add one or two whole articles of other sites, with their headlines, below the article."""
    donors = [other for other in others if other.has_headline][: int(rng.integers(1, 3))]
    if not donors:
        return None
    root, container = host.open()
    for donor in donors:
        _put_behind(container, _graft(donor.open()[1]), rng)
    return root


def same_template(host: Specimen, others: Sequence[Specimen], rng: Generator) -> etree._Element | None:
    """Add an article in the site's own template: a copy of the container with the text of other pages."""
    if not host.has_headline or not others:
        return None
    root, container = host.open()
    copy = host.open()[1]
    lines = [line for other in others for line in other.lines]
    line = iter(np.roll(np.arange(len(lines)), int(rng.integers(len(lines)))).tolist() * 100)
    for element in _elements(copy):
        if _is_marked(element, _OWN) and element.text:
            element.text = lines[next(line)]
        if _is_marked(element, _FOLLOWING) and element.tail:
            element.tail = lines[next(line)]
        if element.tag in _HEADINGS and not element.get(BODY):
            del element[:]
            element.text = others[0].title
    _put_behind(container, _graft(copy), rng)
    return root


def teasers(host: Specimen, others: Sequence[Specimen], rng: Generator) -> etree._Element | None:
    """Add a list of other stories, most of the time with their beginnings, at the end of the article or below it."""
    stories = [other for other in others if other.title][: int(rng.integers(*_STORIES))]
    if len(stories) < _STORIES[0]:
        return None
    root, container = host.open()
    around, item, heading = _LISTS[int(rng.integers(len(_LISTS)))]
    box = etree.Element(around)
    has_leads, are_links = rng.random() < 0.8, rng.random() < 0.3
    for story in stories:
        entry = etree.SubElement(box, item)
        etree.SubElement(etree.SubElement(entry, heading), "a", href="#").text = story.title
        if has_leads:
            lead = etree.SubElement(entry, "p")
            text = story.lines[int(rng.integers(len(story.lines)))][: int(rng.integers(*_LEAD))]
            (etree.SubElement(lead, "a", href="#") if are_links else lead).text = text
    if rng.random() < 0.4 and container.tag not in _FIXED:
        container.append(box)
    else:
        _put_behind(container, box, rng)
    return root


def shortened(host: Specimen, others: Sequence[Specimen], rng: Generator) -> etree._Element | None:
    """End the article after one to three paragraphs, like a brief report or the part before a paywall."""
    del others
    root, container = host.open()
    paragraphs = _paragraphs(container)
    kept = int(rng.integers(1, 4))
    if len(paragraphs) < kept + 3:
        return None
    first = list(container.iter()).index(paragraphs[kept])
    for element in list(container.iter())[first:]:
        if element.get(BODY):
            _drop_text(element)
    return root


def itemized(host: Specimen, others: Sequence[Specimen], rng: Generator) -> etree._Element | None:
    """Turn the paragraphs into the items of a list article: each with a heading, some with an offer to buy."""
    root, container = host.open()
    paragraphs = _paragraphs(container)
    named = [other for other in others if other.title]
    if len(paragraphs) < _ENOUGH_PARAGRAPHS or not named:
        return None
    tag, heading_tag = _ITEMS[int(rng.integers(len(_ITEMS)))]
    is_link, has_offers, size = rng.random() < 0.4, rng.random() < 0.6, int(rng.integers(1, 3))
    # The first paragraph introduces the list.
    for number, start in enumerate(range(1, len(paragraphs), size)):
        own = paragraphs[start : start + size]
        other = named[number % len(named)]
        item = etree.Element(tag)
        own[0].addprevious(item)
        heading = etree.SubElement(item, heading_tag)
        name = etree.SubElement(heading, "a", href="#") if is_link else heading
        name.text = other.title
        mark(name, 0)
        etree.SubElement(item, "img", src="#")
        item.extend(own)
        if has_offers:
            price = f"${int(rng.integers(5, 900))} at {other.site}"
            etree.SubElement(etree.SubElement(item, "div"), "a", href="#").text = price
    return root


def interrupted(host: Specimen, others: Sequence[Specimen], rng: Generator) -> etree._Element | None:
    """Put boxes between the paragraphs: links to other stories, appeals, or a sentence of the text again."""
    root, container = host.open()
    paragraphs = _paragraphs(container)
    texts = [text for other in others for text in other.noise]
    titles = [other.title for other in others if other.title]
    if len(paragraphs) < _ENOUGH_PARAGRAPHS or not texts or not titles:
        return None
    places = rng.permutation(len(paragraphs) - 1)[: int(rng.integers(*_BOXES))].tolist()
    for place in places:
        box = etree.Element(_BOX_TAGS[int(rng.integers(len(_BOX_TAGS)))])
        kind = rng.random()
        if kind < 0.4:
            box.text = texts[int(rng.integers(len(texts)))]
        elif kind < 0.8:
            etree.SubElement(box, "a", href="#").text = titles[int(rng.integers(len(titles)))]
        else:
            box.text = insertable(paragraphs[place].text or "").split(". ")[0][: _LEAD[1]]
        # What follows the paragraph stays behind it.
        box.tail, paragraphs[place].tail = paragraphs[place].tail, None
        paragraphs[place].addnext(box)
        if box.tail and _is_marked(paragraphs[place], _FOLLOWING):
            mark(box, 1)
    return root


def _paragraphs(container: etree._Element) -> list[etree._Element]:
    return [each for each in container.iter("p") if _is_marked(each, _OWN)]


def bare(host: Specimen, others: Sequence[Specimen], rng: Generator) -> etree._Element | None:
    """Remove class names, ids, roles and item properties."""
    del others, rng
    root, _ = host.open()
    for element in _elements(root):
        for name in _NAMES:
            _remove(element, name)
    return root


def transplanted(host: Specimen, others: Sequence[Specimen], rng: Generator) -> etree._Element | None:
    """Put the article into another site's page, in the place of the article there."""
    del rng
    frame = next((other for other in others if other.has_headline == host.has_headline), None)
    if frame is None:
        return None
    root, place = frame.open()
    for element in _elements(root):
        _remove(element, BODY)
    graft = host.open()[1]
    graft.tail = None
    if graft.tag in _FIXED:
        graft.tag = "div"
    place.text = None
    del place[:]
    place.append(graft)
    return root


OPERATIONS: tuple[Operation, ...] = (
    second_article, same_template, teasers, shortened, itemized, interrupted, bare, transplanted,
)  # fmt: skip


def _elements(root: etree._Element) -> Iterator[etree._Element]:
    return root.iter(etree.Element)  # without comments, which have no attributes


def _graft(element: etree._Element) -> etree._Element:
    """Make a container of another page ready to be put into a page, as something that is not its body."""
    element.tail = None
    if element.tag in _FIXED:
        element.tag = "div"
    for each in _elements(element):
        _remove(each, BODY)
    return element


def _put_behind(container: etree._Element, graft: etree._Element, rng: Generator) -> None:
    """Put an element behind the container or behind an element around it."""
    place = container
    for _ in range(int(rng.integers(_LEVELS))):
        parent = place.getparent()
        if parent is None or parent.tag in {"html", "body"}:
            break
        place = parent
    while place.tag in _FIXED and place.tag != "body":
        parent = place.getparent()
        assert parent is not None, "a specimen's container is within its body"  # noqa: S101
        place = parent
    if place.tag == "body":
        place.append(graft)
        return
    graft.tail, place.tail = place.tail, None
    place.addnext(graft)
    if graft.tail and _is_marked(place, _FOLLOWING):
        mark(graft, 1)


def _drop_text(element: etree._Element) -> None:
    if _is_marked(element, _OWN):
        element.text = None
    if _is_marked(element, _FOLLOWING):
        element.tail = None
    _remove(element, BODY)


def _remove(element: etree._Element, name: str) -> None:
    if name in element.attrib:
        del element.attrib[name]
