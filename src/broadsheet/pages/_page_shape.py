"""Structural features of a page: its text, links, paragraphs, headings and repetition, counted over the columns."""

import numpy as np
from numpy.typing import NDArray

from broadsheet.document import Document
from broadsheet.document.link_collections import largest_collection
from broadsheet.document.tags import CODES, NAMES
from broadsheet.pages._shape_measures import measure_shape

#: The fewest words outside links in a line that counts as a paragraph, and in one that is too long for a teaser.
PARAGRAPH, LONG_PARAGRAPH = 15, 40
#: The fewest words in a link that reads like a headline; shorter ones are navigation.
HEADLINE = 5
#: The lines after the main heading among which a date is looked for.
DATE_LINES = 15

#: The features that `_shape_measures.measure_shape` fills, in order.
COMPILED = tuple(
    """
    words links link_share words_a_link
    headline_links headline_ratio headline_share anchor_words anchor_spread empty_links
    slug_links slug_share fragment_links href_length
    paragraphs long_paragraphs longest_paragraph paragraph_share
    together together_share together_words holders scattered line_words short_lines
    run_words run_share second_run teasers unbroken_words unbroken_share mss mss_share date_lines
    main_start main_end main_elements main_words main_links main_link_share main_words_a_link
    main_headings main_headlines main_children main_items
    headings linked_headings linked_heading_share h1 h1_words after_h1 title_words
    quotes money questions digits upper punctuation longest_text controls
    date_after_h1 lines_after_h1 links_after_h1 dates_after_h1 opening_words opening_share h1_end
    """.split()
)
#: Feature names of the elements that are counted.
COUNTED = {
    "times": "time", "articles": "article", "pictures": "img", "p": "p", "breaks": "br", "items": "li", "h2": "h2",
    "h3": "h3", "preformatted": "pre", "code": "code", "definitions": "dl", "tables": "table", "forms": "form",
    "text_fields": "textarea", "frames": "iframe", "videos": "video", "figures": "figure", "captions": "figcaption",
}  # fmt: skip

SHAPE = (*COMPILED, *COUNTED, "largest_collection")

_KINDS = {
    **dict.fromkeys(("h2", "h3", "h4", "h5", "h6"), 1),
    "h1": 1 | 2,
    "li": 4,
    **dict.fromkeys(("input", "select", "textarea"), 8),
    "title": 16,
}
_TAG_KINDS = bytes(_KINDS.get(name, 0) for name in NAMES)
_COUNTED_CODES = tuple(CODES[name] for name in COUNTED.values())
_LARGEST = len(SHAPE) - 1


def shape(document: Document) -> NDArray[np.float32]:
    """Return the features `SHAPE` of a page."""
    row = np.zeros(len(SHAPE), np.float32)
    measure_shape(
        document.columns,
        _TAG_KINDS,
        _COUNTED_CODES,
        PARAGRAPH,
        LONG_PARAGRAPH,
        HEADLINE,
        DATE_LINES,
        row[: len(COMPILED)],
        row[len(COMPILED) : _LARGEST],
    )
    row[_LARGEST] = largest_collection(document.nodes, document.hrefs, document.sums.words, HEADLINE)
    return row
