"""Build an article from a reading, in the same way for every reader."""

from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.records import Article, Label, Reading
from broadsheet.document import Document
from broadsheet.reading._forms import add_forms
from broadsheet.reading.facts import Facts, collect
from broadsheet.reading.paragraphs import in_headings, to_blocks
from broadsheet.reading.titles import find_title, is_same_title, shown_text

PARAGRAPH_BREAK = "\n\n"


def to_article(document: Document, reading: Reading, fetched_at: datetime | None = None) -> Article:
    """Build the article from a reading's labels and the page's metadata.

    `fetched_at` is the reference for dates such as "two hours ago"; later dates are rejected.
    """
    labels, facts = _complete(document, reading, fetched_at)
    blocks = tuple(to_blocks(document, labels))
    body = [block for block in blocks if block.label in (Label.BODY, Label.HEADING)]
    if body:
        facts.add("body", PARAGRAPH_BREAK.join(block.text for block in body), f"reader {reading.reader}")
    headings = tuple(block.text for block in body if block.label == Label.HEADING)
    if headings:
        facts.add("headings", headings, f"reader {reading.reader}")
    add_forms(document, reading, facts)
    return Article(url=document.url, blocks=blocks, evidence=facts.evidence, **facts.fields)


def complete_labels(document: Document, reading: Reading) -> NDArray[np.int8]:
    """Return the labels of an article: those of the reading, and those of the date and the authors that are shown."""
    return _complete(document, reading, None)[0]


def _complete(document: Document, reading: Reading, fetched_at: datetime | None) -> tuple[NDArray[np.int8], Facts]:
    labels = reading.labels.copy()
    labels[in_headings(document) & (labels == Label.BODY)] = Label.HEADING
    facts = collect(document, labels, fetched_at)
    _add_title(document, labels, reading.reader, facts)
    _label_facts(labels, facts)
    _drop_repeated_title(document, labels, facts)
    return labels, facts


def has_body(reading: Reading) -> bool:
    """Tell whether a reading found any text of an article."""
    return bool(np.any(reading.labels == Label.BODY))


def _add_title(document: Document, labels: NDArray[np.int8], reader: str, facts: Facts) -> None:
    labelled = np.flatnonzero(labels == Label.TITLE)
    if len(labelled):
        first = int(labelled[0])
        end = first + int(np.argmin(np.append(labels[first:] == Label.TITLE, False)))
        facts.add("title", shown_text(document, first, end), f"reader {reader}")
    elif title := find_title(document):
        facts.add("title", title.text, title.evidence)


def _drop_repeated_title(document: Document, labels: NDArray[np.int8], facts: Facts) -> None:
    """Drop the first line of the body if it repeats the title."""
    body = np.flatnonzero((labels == Label.BODY) | (labels == Label.HEADING))
    if not len(body) or "title" not in facts.fields:
        return
    lines, first = document.pieces.line, int(body[0])
    end = int(np.searchsorted(lines, lines[first], "right"))
    if end <= int(body[-1]) and is_same_title(shown_text(document, first, end), facts.fields["title"]):
        labels[first:end] = Label.GARBAGE


def _label_facts(labels: NDArray[np.int8], facts: Facts) -> None:
    """Label the pieces with a date or an author, unless the reader labelled them as something else."""
    for label, (first, end) in facts.shown:
        own = labels[first:end]
        own[(own == Label.GARBAGE) | (own == Label.DATE)] = label
