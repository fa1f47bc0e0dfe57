"""From a reading to an article: the same code for every reader."""

import numpy as np

from broadsheet.base.records import Article, Block, Label, Reading
from broadsheet.document import Document
from broadsheet.reading.facts import Facts, collect
from broadsheet.reading.paragraphs import in_headings, to_blocks
from broadsheet.reading.titles import find_title

PARAGRAPH_BREAK = "\n\n"


def to_article(document: Document, reading: Reading) -> Article:
    """Return the article that a reading's labels and the page's metadata make."""
    labels = reading.labels.copy()
    labels[in_headings(document) & (labels == Label.BODY)] = Label.HEADING
    blocks = tuple(to_blocks(document, labels))
    facts = collect(document)
    _add_title(document, blocks, reading.reader, facts)
    body = [block for block in blocks if block.label in (Label.BODY, Label.HEADING)]
    if body:
        facts.add("body", PARAGRAPH_BREAK.join(block.text for block in body), f"reader {reading.reader}")
    headings = tuple(block.text for block in body if block.label == Label.HEADING)
    if headings:
        facts.add("headings", headings, f"reader {reading.reader}")
    return Article(url=document.url, blocks=blocks, evidence=facts.evidence, **facts.fields)


def has_body(reading: Reading) -> bool:
    """Tell whether a reading found any text of an article."""
    return bool(np.any(reading.labels == Label.BODY))


def _add_title(document: Document, blocks: tuple[Block, ...], reader: str, facts: Facts) -> None:
    labelled = [block.text for block in blocks if block.label == Label.TITLE]
    if labelled:
        facts.add("title", labelled[0], f"reader {reader}")
    elif title := find_title(document):
        facts.add("title", title.text, title.evidence)
