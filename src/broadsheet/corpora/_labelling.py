"""Labels for the pieces of a page's text, derived from the labelled article."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.records import Label
from broadsheet.corpora._compared_words import Ints, WordNumbers, is_unspaced, words_of
from broadsheet.corpora._fields import label_fields
from broadsheet.corpora.alignment import Bools, Strictness, align
from broadsheet.corpora.labelled_page import Gold
from broadsheet.corpora.page_words import PageWords
from broadsheet.document import Document

#: A piece belongs to a text if more than this share of its words does.
MIN_SHARE = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class TextMatch:
    """A text located in a page: its pieces, and how well they match."""

    pieces: Bools
    #: The share of the text's words that are in those pieces.
    coverage: float
    #: The share of those pieces' words that belong to the text.
    purity: float
    text_words: int


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """One label per piece of a page, and how well the body matches."""

    labels: NDArray[np.int8]
    body: TextMatch


def trace(page: PageWords, text: str, first: Bools | None = None) -> TextMatch:
    """Find the pieces of the page that a text consists of; each word of the text matches at most once.

    Pieces in `first` win over identical ones: an extracted lead comes from the article, not from a teaser.
    """
    words = words_of(text)
    page = page.joined_as_in(set(words))
    vocabulary = WordNumbers.empty()
    strictness = Strictness.choose(sum(map(is_unspaced, words)) / max(len(words), 1))
    here, there = vocabulary.encode(page.words), vocabulary.encode(words)
    matched = (
        align(here, there, strictness) if first is None else _align_first(here, there, first[page.piece], strictness)
    )
    in_piece = np.bincount(page.piece[matched >= 0], minlength=page.pieces)
    counts = page.counts
    chosen = (counts > 0) & (in_piece > MIN_SHARE * counts)
    matches, total = int(in_piece[chosen].sum()), int(counts[chosen].sum())
    return TextMatch(
        _with_wordless(chosen, counts, page.lines),
        matches / max(len(words), 1),
        matches / total if total else 0.0,
        len(words),
    )


def _align_first(page: Ints, text: Ints, first: Bools, strictness: Strictness) -> Ints:
    """Align a text with some words of the page first, and its remainder with the others."""
    matched = np.full(len(page), -1, np.int64)
    matched[first] = align(page[first], text, strictness)
    used = np.zeros(len(text), np.bool_)
    used[matched[matched >= 0]] = True
    # Matched words get numbers that no other word has.
    unknown = int(max(page.max(initial=0), text.max(initial=0))) + 1
    rest = align(np.where(first, unknown, page), np.where(used, unknown + 1, text), strictness)
    return np.where(matched >= 0, matched, rest)


def label(document: Document, gold: Gold, page: PageWords | None = None) -> Labelled:
    """Label a page's pieces: the body by alignment, the other fields if they are labelled and found."""
    page = page or PageWords.from_document(document)
    body = trace(page, gold.body or "")
    labels = np.where(body.pieces, Label.BODY, Label.GARBAGE).astype(np.int8)
    label_fields(document, gold, labels)
    return Labelled(labels, body)


def _with_wordless(chosen: Bools, counts: Ints, lines: Ints) -> Bools:
    """Give a piece without words (a dash, a quotation mark) the label of its predecessor on the line, or successor."""
    worded = np.flatnonzero(counts > 0)
    if not len(worded):
        return chosen
    wordless = np.flatnonzero(counts == 0)
    after = np.searchsorted(worded, wordless)
    following = worded[np.minimum(after, len(worded) - 1)]
    preceding = worded[np.maximum(after - 1, 0)]
    result = chosen.copy()
    result[wordless] = np.where(
        lines[preceding] == lines[wordless],
        chosen[preceding],
        chosen[following] & (lines[following] == lines[wordless]),
    )
    return result
