"""Edits of labelled pages: each changes a page's tree so that the marks of its body stay right.

The pages made this way teach what few labelled pages show: a second article below the first, lists of other stories
with their beginnings below the article or above its headline, readers' comments, notices of several sentences, articles
that end after a few paragraphs, lists of items, boxes between the paragraphs, pages without class names, and one site's
article within another site's page.
"""

from collections.abc import Sequence

from lxml import etree
from numpy.random import Generator

from broadsheet.training.line_model._additions import (
    comments,
    notices,
    same_template,
    second_article,
    teasers,
    teasers_above,
)
from broadsheet.training.line_model._marked_pages import (
    BODY,
    FIXED,
    FOLLOWING,
    OWN,
    MarkedPage,
    PageEdit,
    elements,
    insertable,
    is_marked,
    mark,
    remove,
)

_NAMES = ("class", "id", "role", "itemprop")
#: The elements of a list article: around one item, and its heading.
_ITEMS = (("div", "h2"), ("div", "h3"), ("section", "h2"), ("article", "h3"), ("li", "h3"))
#: How many paragraphs an article has at least before it is cut into items or gets boxes.
_ENOUGH_PARAGRAPHS = 5
_BOXES = (1, 5)
#: The elements around the text of a box.
_BOX_TAGS = ("div", "aside", "section", "p", "blockquote")
#: A box with a sentence of the text has so many characters at most.
_SENTENCE = 400


def shortened(page: MarkedPage, others: Sequence[MarkedPage], rng: Generator) -> etree._Element | None:
    """End the article after one to three paragraphs, like a brief report or the part before a paywall."""
    del others
    root, container = page.open()
    paragraphs = _paragraphs(container)
    kept = int(rng.integers(1, 4))
    if len(paragraphs) < kept + 3:
        return None
    first = list(container.iter()).index(paragraphs[kept])
    for element in list(container.iter())[first:]:
        if element.get(BODY):
            _drop_text(element)
    return root


def itemized(page: MarkedPage, others: Sequence[MarkedPage], rng: Generator) -> etree._Element | None:
    """Turn the paragraphs into the items of a list article: each with a heading, some with an offer to buy."""
    root, container = page.open()
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


def interrupted(page: MarkedPage, others: Sequence[MarkedPage], rng: Generator) -> etree._Element | None:
    """Put boxes between the paragraphs: links to other stories, appeals, or a sentence of the text again."""
    root, container = page.open()
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
            box.text = insertable(paragraphs[place].text or "").split(". ")[0][:_SENTENCE]
        # What follows the paragraph stays behind it.
        box.tail, paragraphs[place].tail = paragraphs[place].tail, None
        paragraphs[place].addnext(box)
        if box.tail and is_marked(paragraphs[place], FOLLOWING):
            mark(box, 1)
    return root


def _paragraphs(container: etree._Element) -> list[etree._Element]:
    return [each for each in container.iter("p") if is_marked(each, OWN)]


def bare(page: MarkedPage, others: Sequence[MarkedPage], rng: Generator) -> etree._Element | None:
    """Remove class names, ids, roles and item properties."""
    del others, rng
    root, _ = page.open()
    for element in elements(root):
        for name in _NAMES:
            remove(element, name)
    return root


def moved(page: MarkedPage, others: Sequence[MarkedPage], rng: Generator) -> etree._Element | None:
    """Put the article into another site's page, in the place of the article there."""
    del rng
    frame = next((other for other in others if other.has_headline == page.has_headline), None)
    if frame is None:
        return None
    root, place = frame.open()
    for element in elements(root):
        remove(element, BODY)
    article = page.open()[1]
    article.tail = None
    if article.tag in FIXED:
        article.tag = "div"
    place.text = None
    del place[:]
    place.append(article)
    return root


def _drop_text(element: etree._Element) -> None:
    if is_marked(element, OWN):
        element.text = None
    if is_marked(element, FOLLOWING):
        element.tail = None
    remove(element, BODY)


EDITS: tuple[PageEdit, ...] = (
    second_article, same_template, teasers, teasers_above, comments, notices, shortened, itemized, interrupted, bare,
    moved,
)  # fmt: skip
