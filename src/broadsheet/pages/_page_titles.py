"""Features of a page's title and main heading: how far they agree, and which reserved words they contain."""

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from broadsheet.document import Document
from broadsheet.pages.reserved import KINDS, LEGAL, LISTING, MEDIA, SERVICE

#: Titles and headings are truncated to this many characters.
MAX_LENGTH = 300
#: Headings beyond this number are not compared with the title.
MAX_HEADINGS = 4

_WORD = re.compile(r"[^\W\d_]+")
#: Titles name the page, the section and the site in turn, with a separator in between.
_PARTS = re.compile(r"\s[|–—·»›/-]+\s")
_SPELT_OUT = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "o", "å": "a", "ł": "l", "ı": "i"}
)
_MARKS = re.compile(r"(?<=[a-zα-ω])[\u0300-\u036f]+")


class Titles(NamedTuple):
    """The features of a page's title and main headings."""

    #: The share of a main heading's words that are in the title, for the heading that matches best.
    heading_in_title: float
    #: The number of words in that heading.
    heading_in_title_words: float
    #: The number of reserved words in the title, by kind.
    title_service: float
    #: The same as a share of the title's words.
    title_service_share: float
    title_listing: float
    title_media: float
    #: The number of reserved words in the first main heading, and the first as a share of its words.
    heading_service: float
    heading_service_share: float
    heading_listing: float
    #: The share of legal words, in the main heading or in the part of the title with the most.
    legal_share: float


def titles(document: Document) -> Titles:
    """Return the title features of a page."""
    title = (document.title or "")[:MAX_LENGTH]
    headings = [words(_text(document, row)) for row in document.rows("h1")[:MAX_HEADINGS].tolist()]
    title_words = words(title)
    share, length = _agreement(title_words, [heading for heading in headings if heading])
    kinds = [kind for word in title_words if (kind := KINDS.get(word, 0))]
    first = next(iter(headings), [])
    heading_kinds = [kind for word in first if (kind := KINDS.get(word, 0))]
    heading_service = sum(kind & SERVICE > 0 for kind in heading_kinds)
    service = sum(kind & SERVICE > 0 for kind in kinds)
    # Only titles with a legal word can have a part with one.
    parts = [words(part) for part in _PARTS.split(title)] if any(kind & LEGAL for kind in kinds) else []
    return Titles(
        share,
        length,
        service,
        service / max(len(title_words), 1),
        sum(kind & LISTING > 0 for kind in kinds),
        sum(kind & MEDIA > 0 for kind in kinds),
        heading_service,
        heading_service / max(len(first), 1),
        sum(kind & LISTING > 0 for kind in heading_kinds),
        max(map(legal_share, (*parts, *headings[:1])), default=0.0),
    )


def words(text: str) -> list[str]:
    """Return the words of a text as URLs spell them: in lower case, without diacritics, umlauts written out."""
    plain = text.lower()
    if not plain.isascii():
        plain = plain.translate(_SPELT_OUT)
        # Only marks on Latin and Greek letters are removed: in scripts such as Japanese or Korean they are essential.
        plain = unicodedata.normalize("NFC", _MARKS.sub("", unicodedata.normalize("NFD", plain)))
    return _WORD.findall(plain)


def _text(document: Document, row: int) -> str:
    nodes = document.nodes
    start, end = int(nodes.text_start[row]), int(nodes.text_end[row])
    return document.columns.text[start : min(end, start + MAX_LENGTH)].decode(errors="ignore")


def _agreement(title: Sequence[str], headings: Sequence[Sequence[str]]) -> tuple[float, int]:
    known = set(title)
    agreements = [(len(known.intersection(heading)) / len(set(heading)), len(heading)) for heading in headings]
    return max(agreements, default=(0.0, 0))


def legal_share(part: Sequence[str]) -> float:
    """Return the share of legal words."""
    return sum(KINDS.get(word, 0) & LEGAL > 0 for word in part) / len(part) if part else 0.0
