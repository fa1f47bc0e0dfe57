"""Surgery on labelled pages: each operation changes a page's tree so that the marks of its body stay right.

The pages made this way teach what few labelled pages show: a second article below the first, lists of other stories
with their beginnings below the article or above its headline, readers' comments, notices of several sentences, articles
that end after a few paragraphs, lists of items, boxes between the paragraphs, pages without class names, and one site's
article within another site's page.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from lxml import etree
from numpy.random import Generator
from numpy.typing import NDArray

from broadsheet.document import Document

#: The attribute of an element whose own text (t) or following text (f) is body, and those of the article's container
#: and its headline.
BODY, CONTAINER, HEADLINE = "data-body", "data-container", "data-headline"
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
#: Lists above the article are longer, and their stories may begin with several paragraphs.
_STORIES_ABOVE, _LONG_LEAD = (3, 13), (60, 700)
#: The elements of readers' comments: around all, around one, around its author, and around its text.
_COMMENTS = (
    ("ol", "li", "b", "p"), ("div", "div", "div", "div"), ("ul", "li", "a", "p"), ("section", "article", "h4", "p"),
    ("div", "div", "span", "p"), ("div", "div", "strong", "div"),
)  # fmt: skip
_ENTRIES, _SENTENCES = (3, 16), (1, 4)
_MARKS = (".", "!", "?", "。", "！", "？")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
#: Names under which readers comment.
_READERS = (
    "Anna", "Peter M.", "Maria Lopez", "sailor77", "John D. Carter", "guest", "Mehmet", "Ewa Nowak", "Иван", "小明",
    "Νίκος", "T. Becker", "the_real_sam", "Claire Dubois", "@kestrel", "Old Timer", "Priya S.", "Bob",
)  # fmt: skip
#: The elements of a list article: around one item, and its heading.
_ITEMS = (("div", "h2"), ("div", "h3"), ("section", "h2"), ("article", "h3"), ("li", "h3"))
#: How many paragraphs an article has at least before it is cut into items or gets boxes.
_ENOUGH_PARAGRAPHS = 5
_BOXES = (1, 5)
#: How many lines a notice has, and the elements around it.
_NOTICE, _NOTICE_TAGS = (2, 6), ("div", "aside", "section", "blockquote")
#: The elements around the text of a box.
_BOX_TAGS = ("div", "aside", "section", "p", "blockquote")
#: How many elements around the container a graft may be put beside, rather than right beside the container.
_LEVELS = 3


class _Phrases(NamedTuple):
    """What a site writes around readers' comments: above them, about the time of one, and on the link to answer it."""

    heading: str
    time: str
    answer: str


_PHRASES = (
    _Phrases("{} Comments", "{} hours ago", "Reply"),
    _Phrases("Comments ({})", "March {}, 2023 at 9:41 am", "Reply"),
    _Phrases("{} Kommentare", "vor {} Stunden", "Antworten"),
    _Phrases("Kommentare", "{}.03.2022, 14:05 Uhr", "Antworten"),
    _Phrases("{} commentaires", "il y a {} heures", "Répondre"),
    _Phrases("Comentarios ({})", "hace {} horas", "Responder"),
    _Phrases("Комментарии: {}", "{} часов назад", "Ответить"),
    _Phrases("评论 ({})", "{}小时前", "回复"),
    _Phrases("Komentarze ({})", "{} godz. temu", "Odpowiedz"),
    _Phrases("Σχόλια ({})", "πριν από {} ώρες", "Απάντηση"),
)


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
        _put_behind(_around(container, rng), _graft(donor.open()[1]))
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
    _put_behind(_around(container, rng), _graft(copy))
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
    _put_at_end(container, box, rng)
    return root


def teasers_above(host: Specimen, others: Sequence[Specimen], rng: Generator) -> etree._Element | None:
    """Add a list of stories with their beginnings above the article, which is often one of them, and maybe again below.

    Such are tickers and large menus. Headline and beginning may be one line, and both may be a link.
    """
    stories = [other for other in others if other.title][: int(rng.integers(*_STORIES_ABOVE))]
    if len(stories) < _STORIES_ABOVE[0]:
        return None
    if host.title and rng.random() < 0.6:
        stories.insert(int(rng.integers(len(stories) + 1)), host)
    root, container = host.open()
    around, item, heading = _LISTS[int(rng.integers(len(_LISTS)))]
    box = etree.Element(around)
    is_one_line, are_links, most = rng.random() < 0.4, rng.random() < 0.4, int(rng.integers(*_LONG_LEAD))
    for story in stories:
        entry, lead = etree.SubElement(box, item), " ".join(story.lines)[:most]
        if is_one_line:
            link = etree.SubElement(entry, "a", href="#")
            title = etree.SubElement(link, "b")
            title.text = story.title
            (title if are_links else link).tail = lead
        else:
            etree.SubElement(etree.SubElement(entry, heading), "a", href="#").text = story.title
            text = etree.SubElement(entry, "p")
            (etree.SubElement(text, "a", href="#") if are_links else text).text = lead
    again = deepcopy(box) if rng.random() < 0.4 else None
    _put_before(_above(_around(container, rng)), box)
    if again is not None:
        _put_behind(_around(container, rng), again)
    return root


def comments(host: Specimen, others: Sequence[Specimen], rng: Generator) -> etree._Element | None:
    """Add what readers say about the article, without class names: sentences of other pages, each with an author."""
    texts = [text for other in others for text in _with_sentences((*other.lines, *other.noise))]
    if not texts:
        return None
    root, container = host.open()
    around, item, name, text = _COMMENTS[int(rng.integers(len(_COMMENTS)))]
    phrases, number = _PHRASES[int(rng.integers(len(_PHRASES)))], int(rng.integers(*_ENTRIES))
    has_times, has_links, are_nested = rng.random() < 0.7, rng.random() < 0.5, rng.random() < 0.4
    box = etree.Element("div")
    if rng.random() < 0.5:
        etree.SubElement(box, "h3").text = phrases.heading.format(number)
    parent = entries = etree.SubElement(box, around)
    for _ in range(number):
        entry = etree.SubElement(parent, item)
        author = etree.SubElement(entry, name)
        author.text = _READERS[int(rng.integers(len(_READERS)))]
        if has_times:
            author.tail = " "
            etree.SubElement(entry, "span").text = phrases.time.format(int(rng.integers(1, 29)))
        etree.SubElement(entry, text).text = _some_sentences(texts[int(rng.integers(len(texts)))], rng)
        if has_links:
            etree.SubElement(entry, "a", href="#").text = phrases.answer
        # The next one answers this one, or not.
        parent = etree.SubElement(entry, around) if are_nested and rng.random() < 0.3 else entries
    _put_at_end(container, box, rng)
    return root


def _some_sentences(text: str, rng: Generator) -> str:
    sentences = list(filter(None, _SENTENCE_END.split(text)))
    start = int(rng.integers(len(sentences)))
    return " ".join(sentences[start : start + int(rng.integers(*_SENTENCES))])


def notices(host: Specimen, others: Sequence[Specimen], rng: Generator) -> etree._Element | None:
    """Put a notice of several sentences right before or after the article, in a box or among its paragraphs."""
    found = (_with_sentences(other.noise) for other in others)
    texts = next((texts for texts in found if len(texts) >= _NOTICE[0]), None)
    if texts is None:
        return None
    root, container = host.open()
    is_before, is_inside = rng.random() < 0.4, rng.random() < 0.5
    # Nothing can be put before text that stands in the container itself.
    is_inside &= container.tag not in _FIXED and not _is_marked(container, _OWN)
    box = etree.Element(_NOTICE_TAGS[int(rng.integers(len(_NOTICE_TAGS)))])
    start = int(rng.integers(len(texts) - _NOTICE[0] + 1))
    for text in texts[start : start + int(rng.integers(*_NOTICE))]:
        etree.SubElement(box, "p").text = text
    if not is_inside:
        (_put_before if is_before else _put_behind)(_unfixed(container), box)
    elif is_before:
        for each in reversed(list(box)):
            container.insert(0, each)
    else:
        container.extend(list(box))
    return root


def _with_sentences(texts: Iterable[str]) -> list[str]:
    return [text for text in texts if text.endswith(_MARKS)]


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
    second_article, same_template, teasers, teasers_above, comments, notices, shortened, itemized, interrupted, bare,
    transplanted,
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


def _around(container: etree._Element, rng: Generator) -> etree._Element:
    """Return the container or an element around it, beside which something can be put."""
    place = container
    for _ in range(int(rng.integers(_LEVELS))):
        parent = place.getparent()
        if parent is None or parent.tag in {"html", "body"}:
            break
        place = parent
    return _unfixed(place)


def _unfixed(place: etree._Element) -> etree._Element:
    """Return the first element outwards that something can be put beside, or else the page's body."""
    while place.tag in _FIXED and place.tag != "body":
        parent = place.getparent()
        assert parent is not None, "a specimen's container is within its body"  # noqa: S101
        place = parent
    return place


def _above(place: etree._Element) -> etree._Element:
    """Return the first element outwards that neither the headline nor a part of the body stands before."""
    while place.tag != "body" and place.xpath(f"preceding::*[@{BODY} or @{HEADLINE}] | ancestor::*[@{BODY}]"):
        parent = place.getparent()
        assert parent is not None, "a specimen's container is within its body"  # noqa: S101
        place = _unfixed(parent)
    return place


def _put_at_end(container: etree._Element, graft: etree._Element, rng: Generator) -> None:
    """Put an element at the end of the container, or behind it or an element around it."""
    if rng.random() < 0.4 and container.tag not in _FIXED:
        container.append(graft)
    else:
        _put_behind(_around(container, rng), graft)


def _put_behind(place: etree._Element, graft: etree._Element) -> None:
    if place.tag == "body":
        place.append(graft)
        return
    graft.tail, place.tail = place.tail, None
    place.addnext(graft)
    if graft.tail and _is_marked(place, _FOLLOWING):
        mark(graft, 1)


def _put_before(place: etree._Element, graft: etree._Element) -> None:
    if place.tag == "body":
        place.insert(0, graft)
    else:
        place.addprevious(graft)


def _drop_text(element: etree._Element) -> None:
    if _is_marked(element, _OWN):
        element.text = None
    if _is_marked(element, _FOLLOWING):
        element.tail = None
    _remove(element, BODY)


def _remove(element: etree._Element, name: str) -> None:
    if name in element.attrib:
        del element.attrib[name]
