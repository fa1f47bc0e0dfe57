"""What a page is called: its title and main heading, how far they agree, and the reserved words in them."""

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from broadsheet.document import Document
from broadsheet.pages.reserved import KINDS, LEGAL, LISTING, MEDIA, SERVICE

#: A longer title or heading is cut here, in characters.
MAX_LENGTH = 300
#: Headings beyond these are not compared with the title.
MAX_HEADINGS = 4

_WORD = re.compile(r"[^\W\d_]+")
#: Titles name the page, the section and the site in turn, with a mark between.
_PARTS = re.compile(r"\s[|–—·»›/-]+\s")
_SPELT_OUT = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "o", "å": "a", "ł": "l", "ı": "i"}
)
_MARKS = re.compile(r"(?<=[a-zα-ω])[\u0300-\u036f]+")


class Titles(NamedTuple):
    """A page's title and main heading in numbers."""

    #: The share of the words of a main heading that are in the title: of the heading that fits best.
    heading_in_title: float
    #: How many words that heading has.
    heading_in_title_words: float
    #: The words of the title that say what a page is for, by kind.
    title_service: float
    #: The same as a share of its words.
    title_service_share: float
    title_listing: float
    title_media: float
    #: The share of words that are those of legal statements, in the main heading or the part of the title with most.
    legal_share: float


def titles(document: Document) -> Titles:
    """Return the features of what a page is called."""
    title = (document.title or "")[:MAX_LENGTH]
    headings = [words(_text(document, row)) for row in document.rows("h1")[:MAX_HEADINGS].tolist()]
    known = words(title)
    share, length = _agreement(known, [heading for heading in headings if heading])
    # Few words are of any kind.
    kinds = [kind for word in known if (kind := KINDS.get(word, 0))]
    service = sum(kind & SERVICE > 0 for kind in kinds)
    # A title without such a word has no part with one.
    parts = [words(part) for part in _PARTS.split(title)] if any(kind & LEGAL for kind in kinds) else []
    return Titles(
        share,
        length,
        service,
        service / max(len(known), 1),
        sum(kind & LISTING > 0 for kind in kinds),
        sum(kind & MEDIA > 0 for kind in kinds),
        max(map(legal_share, (*parts, *headings[:1])), default=0.0),
    )


def words(text: str) -> list[str]:
    """Return the words of a text as addresses write them: in lower case, without marks, umlauts spelt out."""
    plain = text.lower()
    if not plain.isascii():
        plain = plain.translate(_SPELT_OUT)
        # What is no mark on a Latin or Greek letter belongs to its script, as in Japanese and Korean.
        plain = unicodedata.normalize("NFC", _MARKS.sub("", unicodedata.normalize("NFD", plain)))
    return _WORD.findall(plain)


def _text(document: Document, row: int) -> str:
    nodes = document.nodes
    start, end = int(nodes.text_start[row]), int(nodes.text_end[row])
    return document.columns.text[start : min(end, start + MAX_LENGTH)].decode(errors="ignore")


def _agreement(title: Sequence[str], headings: Sequence[Sequence[str]]) -> tuple[float, int]:
    known = set(title)
    found = [(len(known.intersection(heading)) / len(set(heading)), len(heading)) for heading in headings]
    return max(found, default=(0.0, 0))


def legal_share(part: Sequence[str]) -> float:
    """Return what share of some words are those of legal statements."""
    return sum(KINDS.get(word, 0) & LEGAL > 0 for word in part) / len(part) if part else 0.0
