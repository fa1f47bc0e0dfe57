"""Build an article from a reading, in the same way for every reader."""

from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.records import Article, Block, Label, Reading, Verdict
from broadsheet.document import Document
from broadsheet.reading._forms import add_forms
from broadsheet.reading._stated_body import EVIDENCE, find_stated_body
from broadsheet.reading.facts import Facts, SiteZone, collect
from broadsheet.reading.headline import find_headline
from broadsheet.reading.measured_lines import line_scores
from broadsheet.reading.paragraphs import in_headings, shown_text, to_blocks
from broadsheet.reading.titles import is_same_title
from broadsheet.reading.trained import NAME

PARAGRAPH_BREAK = "\n\n"

#: The labels of the text itself are the highest. They are plain numbers, because access to the members of an
#: enumeration is slow, and numpy looks for many attributes that they do not have.
_GARBAGE, _DATE, _HEADING, _BODY = map(int, (Label.GARBAGE, Label.DATE, Label.HEADING, Label.BODY))
_TITLE_BYTE, _BODY_BYTE = bytes((Label.TITLE,)), bytes((_BODY,))


def to_article(
    document: Document,
    reading: Reading,
    fetched_at: datetime | None = None,
    verdict: Verdict | None = None,
    zones: tuple[SiteZone, ...] = (),
) -> Article:
    """Build the article from a reading's labels and the page's metadata.

    `fetched_at` is the reference for dates such as "two hours ago"; later dates are rejected. `verdict` is what the
    page was classified as. `zones` are those that the site may be in, by its other pages.
    """
    labels, facts = _complete(document, reading, fetched_at, zones)
    blocks = tuple(to_blocks(document, labels))
    body = [block for block in blocks if block.label >= _HEADING]
    shown = PARAGRAPH_BREAK.join(block.text for block in body)
    if reading.reader == NAME and (stated := find_stated_body(document, shown)):
        body = [Block(Label.BODY, paragraph, "") for paragraph in stated.split(PARAGRAPH_BREAK)]
        blocks = (*(block for block in blocks if block.label < _HEADING), *body)
        facts.add("body", stated, EVIDENCE)
    elif body:
        facts.add("body", shown, f"reader {reading.reader}")
    headings = tuple(block.text for block in body if block.label == _HEADING)
    if headings:
        facts.add("headings", headings, f"reader {reading.reader}")
    add_forms(document, reading, facts)
    return Article(url=document.url, blocks=blocks, verdict=verdict, evidence=facts.evidence, **facts.fields)


def complete_labels(document: Document, reading: Reading) -> NDArray[np.int8]:
    """Return the labels of an article: those of the reading, and those of the date and the authors that are shown."""
    return _complete(document, reading)[0]


def _complete(
    document: Document, reading: Reading, fetched_at: datetime | None = None, zones: tuple[SiteZone, ...] = ()
) -> tuple[NDArray[np.int8], Facts]:
    labels = reading.labels.copy()
    labels[in_headings(document) & (labels == _BODY)] = _HEADING
    facts = collect(document, labels, fetched_at, zones, line_scores)
    _add_title(document, labels, reading.reader, facts)
    _label_facts(labels, facts)
    _drop_repeated_title(document, labels, facts)
    return labels, facts


def has_body(document: Document, reading: Reading) -> bool:
    """Tell whether a reading found any text of an article, or the page states one."""
    if _BODY_BYTE in reading.labels.tobytes():
        return True
    return reading.reader == NAME and find_stated_body(document, "") is not None


def _add_title(document: Document, labels: NDArray[np.int8], reader: str, facts: Facts) -> None:
    # A label is one byte, and searching bytes is faster than searching arrays.
    label_bytes = labels.tobytes()
    first = label_bytes.find(_TITLE_BYTE)
    if first >= 0:
        end = len(label_bytes) - len(label_bytes[first:].lstrip(_TITLE_BYTE))
        facts.add("title", shown_text(document, first, end), f"reader {reader}")
    elif title := find_headline(document):
        facts.add("title", title.text, title.evidence)


def _drop_repeated_title(document: Document, labels: NDArray[np.int8], facts: Facts) -> None:
    """Drop the first line of the body if it repeats the title."""
    body = (labels >= _HEADING).nonzero()[0]
    if not len(body) or "title" not in facts.fields:
        return
    lines, first = document.pieces.line, int(body[0])
    end = int(lines.searchsorted(lines[first], "right"))
    if end <= int(body[-1]) and is_same_title(shown_text(document, first, end), facts.fields["title"]):
        labels[first:end] = _GARBAGE


def _label_facts(labels: NDArray[np.int8], facts: Facts) -> None:
    """Label the pieces with a date or an author, unless the reader labelled them as something else."""
    for label, (first, end) in facts.shown:
        own = labels[first:end]
        own[(own == _GARBAGE) | (own == _DATE)] = label
