"""The vocabulary of the trained reader: words that many sites use in lines, or in class names and ids."""

import re
from collections import defaultdict
from collections.abc import Iterator

from broadsheet.document import Document
from broadsheet.reading.lines.lines import Lines
from broadsheet.reading.lines.vocabulary import LAST, WHOLE, Vocabulary, words_in_names

#: A word enters the vocabulary once this many sites use it: in names, and in lines.
MIN_NAME_SITES, MIN_TEXT_SITES = 15, 25

#: Punctuation of other scripts; the compiled pass splits words at the same characters.
_MARKS = re.compile(rb"\xc2[\xa0-\xbf]|\xe2[\x80\x81].|\xe3\x80.|\xef[\xbc\xbd].", re.DOTALL)
_WORD = re.compile(rb"[0-9A-Za-z\x80-\xff]+")
_LONGEST_WORD = 24
_FIRST, _LAST, _SHORT = 8, 4, 6


class WordCounts:
    """Which sites use which words."""

    def __init__(self) -> None:
        """Start with no words."""
        self._names: defaultdict[str, set[str]] = defaultdict(set)
        self._texts: defaultdict[str, set[str]] = defaultdict(set)

    def add(self, document: Document, lines: Lines, site: str) -> None:
        """Add the words of a page."""
        for word in words_in_names(document):
            self._names[word].add(site)
        for word in set(_words_of(document, lines)):
            self._texts[word].add(site)

    def vocabulary(self) -> Vocabulary:
        """Return the words that enough sites use, sorted."""
        names = sorted(word for word, sites in self._names.items() if len(sites) >= MIN_NAME_SITES)
        texts = sorted(word for word, sites in self._texts.items() if len(sites) >= MIN_TEXT_SITES)
        return Vocabulary.build(names, texts)


def _words_of(document: Document, lines: Lines) -> Iterator[str]:
    start, end = document.pieces.start[lines.first].tolist(), document.pieces.end[lines.end - 1].tolist()
    for first, last in zip(start, end, strict=True):
        words = _WORD.findall(_MARKS.sub(b" ", document.columns.text[first:last]).lower())
        known = [word.decode() for word in words[:_FIRST] if len(word) <= _LONGEST_WORD]
        yield from known
        if len(words) > _FIRST:
            yield from (LAST + word.decode() for word in words[-_LAST:] if len(word) <= _LONGEST_WORD)
        if 0 < len(words) <= _SHORT and len(known) == len(words):
            yield WHOLE + " ".join(known)
