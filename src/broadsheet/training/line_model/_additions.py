"""Edits that add something before or after the article: other articles, lists, comments and notices."""

import re
from collections.abc import Iterable, Sequence
from copy import deepcopy
from typing import NamedTuple

import numpy as np
from lxml import etree
from numpy.random import Generator

from broadsheet.training.line_model._marked_pages import (
    BODY,
    FIXED,
    FOLLOWING,
    OWN,
    MarkedPage,
    as_addition,
    elements,
    is_marked,
    place_above,
    place_around,
    put_at_end,
    put_before,
    put_behind,
    unfixed,
)

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
#: How many lines a notice has, and the elements around it.
_NOTICE, _NOTICE_TAGS = (2, 6), ("div", "aside", "section", "blockquote")


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


def second_article(page: MarkedPage, others: Sequence[MarkedPage], rng: Generator) -> etree._Element | None:
    """Add one or two whole articles of other sites, with their headlines, below the article."""
    articles = [other for other in others if other.has_headline][: int(rng.integers(1, 3))]
    if not articles:
        return None
    root, container = page.open()
    for article in articles:
        put_behind(place_around(container, rng), as_addition(article.open()[1]))
    return root


def same_template(page: MarkedPage, others: Sequence[MarkedPage], rng: Generator) -> etree._Element | None:
    """Add an article in the site's own template: a copy of the container with the text of other pages."""
    if not page.has_headline or not others:
        return None
    root, container = page.open()
    copy = page.open()[1]
    lines = [line for other in others for line in other.lines]
    line = iter(np.roll(np.arange(len(lines)), int(rng.integers(len(lines)))).tolist() * 100)
    for element in elements(copy):
        if is_marked(element, OWN) and element.text:
            element.text = lines[next(line)]
        if is_marked(element, FOLLOWING) and element.tail:
            element.tail = lines[next(line)]
        if element.tag in _HEADINGS and not element.get(BODY):
            del element[:]
            element.text = others[0].title
    put_behind(place_around(container, rng), as_addition(copy))
    return root


def teasers(page: MarkedPage, others: Sequence[MarkedPage], rng: Generator) -> etree._Element | None:
    """Add a list of other stories, most of the time with their beginnings, at the end of the article or below it."""
    stories = [other for other in others if other.title][: int(rng.integers(*_STORIES))]
    if len(stories) < _STORIES[0]:
        return None
    root, container = page.open()
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
    put_at_end(container, box, rng)
    return root


def teasers_above(page: MarkedPage, others: Sequence[MarkedPage], rng: Generator) -> etree._Element | None:
    """Add a list of stories with their beginnings above the article, which is often one of them, and maybe again below.

    Such are tickers and large menus. Headline and beginning may be one line, and both may be a link.
    """
    stories = [other for other in others if other.title][: int(rng.integers(*_STORIES_ABOVE))]
    if len(stories) < _STORIES_ABOVE[0]:
        return None
    if page.title and rng.random() < 0.6:
        stories.insert(int(rng.integers(len(stories) + 1)), page)
    root, container = page.open()
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
    put_before(place_above(place_around(container, rng)), box)
    if again is not None:
        put_behind(place_around(container, rng), again)
    return root


def comments(page: MarkedPage, others: Sequence[MarkedPage], rng: Generator) -> etree._Element | None:
    """Add what readers say about the article, without class names: sentences of other pages, each with an author."""
    texts = [text for other in others for text in _with_sentences((*other.lines, *other.noise))]
    if not texts:
        return None
    root, container = page.open()
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
    put_at_end(container, box, rng)
    return root


def _some_sentences(text: str, rng: Generator) -> str:
    sentences = list(filter(None, _SENTENCE_END.split(text)))
    start = int(rng.integers(len(sentences)))
    return " ".join(sentences[start : start + int(rng.integers(*_SENTENCES))])


def notices(page: MarkedPage, others: Sequence[MarkedPage], rng: Generator) -> etree._Element | None:
    """Put a notice of several sentences right before or after the article, in a box or among its paragraphs."""
    found = (_with_sentences(other.noise) for other in others)
    texts = next((texts for texts in found if len(texts) >= _NOTICE[0]), None)
    if texts is None:
        return None
    root, container = page.open()
    is_before, is_inside = rng.random() < 0.4, rng.random() < 0.5
    # Nothing can be put before text that stands in the container itself.
    is_inside &= container.tag not in FIXED and not is_marked(container, OWN)
    box = etree.Element(_NOTICE_TAGS[int(rng.integers(len(_NOTICE_TAGS)))])
    start = int(rng.integers(len(texts) - _NOTICE[0] + 1))
    for text in texts[start : start + int(rng.integers(*_NOTICE))]:
        etree.SubElement(box, "p").text = text
    if not is_inside:
        (put_before if is_before else put_behind)(unfixed(container), box)
    elif is_before:
        for each in reversed(list(box)):
            container.insert(0, each)
    else:
        container.extend(list(box))
    return root


def _with_sentences(texts: Iterable[str]) -> list[str]:
    return [text for text in texts if text.endswith(_MARKS)]
