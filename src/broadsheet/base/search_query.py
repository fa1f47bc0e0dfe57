"""What is looked for in articles: words, "phrases", beginnings of words* and -exclusions."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

from broadsheet.base.errors import InputError
from broadsheet.base.search_words import PlacedWord, placed_words, words

_TERM = re.compile(r'(?P<minus>-?)(?:"(?P<phrase>[^"]*)"?|(?P<word>[^\s"]+))(?P<star>\*?)')
#: A snippet begins so many words before the first match, and has so many.
_BEFORE, _LENGTH = 8, 30


@dataclass(frozen=True, slots=True)
class SearchTerm:
    """Words that follow each other; of the last one only the beginning if `is_prefix`."""

    words: tuple[str, ...]
    is_prefix: bool = False

    def matches(self, text: Sequence[str]) -> bool:
        """Return whether the words of a text have the term's among them."""
        return next(self.places(text), None) is not None

    def places(self, text: Sequence[str]) -> Iterator[int]:
        """Yield where the term begins among the words of a text."""
        length, last = len(self.words), self.words[-1]
        for place in range(len(text) - length + 1):
            if tuple(text[place : place + length - 1]) == self.words[:-1]:
                end = text[place + length - 1]
                if end == last or (self.is_prefix and end.startswith(last)):
                    yield place

    def expression(self) -> str:
        """Return the term in the language of SQLite's full-text search."""
        # Words are letters and digits of any script, so they need no escaping.
        return f'"{" ".join(self.words)}"' + (" *" if self.is_prefix else "")


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """All of these terms and none of those."""

    wanted: tuple[SearchTerm, ...]
    excluded: tuple[SearchTerm, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a query: words, "a phrase", begin*, -not; a word with a hyphen or an apostrophe is a phrase."""
        wanted: list[SearchTerm] = []
        excluded: list[SearchTerm] = []
        for match in _TERM.finditer(text):
            found = tuple(words(match["phrase"] if match["phrase"] is not None else match["word"]))
            is_prefix = bool(match["star"]) or (match["word"] or "").endswith("*")
            if found:
                (excluded if match["minus"] else wanted).append(SearchTerm(found, is_prefix))
        if not wanted:
            raise InputError(f'{text!r} has no word to search for; write words, "a phrase", begin* or -not')
        return cls(tuple(wanted), tuple(excluded))

    def matches(self, *texts: str | None) -> bool:
        """Return whether texts have all wanted terms, each in one of them, and no excluded term."""
        split = [words(text) for text in texts if text]
        has = [any(term.matches(text) for text in split) for term in self.wanted]
        return all(has) and not any(term.matches(text) for term in self.excluded for text in split)

    def expression(self) -> str:
        """Return the query in the language of SQLite's full-text search."""
        wanted = " AND ".join(term.expression() for term in self.wanted)
        excluded = " OR ".join(term.expression() for term in self.excluded)
        return f"({wanted}) NOT ({excluded})" if excluded else f"({wanted})"

    def snippet(self, text: str) -> str | None:
        """Return the part of a text around the first match, with matches in brackets; None if there is none."""
        text = unicodedata.normalize("NFC", text)
        placed = list(placed_words(text))
        found = [placed_word.word for placed_word in placed]
        marked = {
            place + offset for term in self.wanted for place in term.places(found) for offset in range(len(term.words))
        }
        if not marked:
            return None
        begin = max(0, min(marked) - _BEFORE)
        end = min(len(placed), begin + _LENGTH)
        shown = " ".join("".join(_marked(text, placed, begin, end, marked)).split())
        return f"{'… ' if begin else ''}{shown}{' …' if end < len(placed) else ''}"


def _marked(text: str, placed: Sequence[PlacedWord], begin: int, end: int, marked: set[int]) -> Iterator[str]:
    """Yield a part of a text, with brackets around runs of marked words."""
    at = placed[begin].start if begin else 0
    for number in range(begin, end):
        word = placed[number]
        if word.start < at:
            # One character may stand for several words.
            continue
        yield text[at : word.start]
        opens = (number in marked and number - 1 not in marked) or (number in marked and number == begin)
        closes = number in marked and (number + 1 not in marked or number + 1 == end)
        yield f"{'[' * opens}{text[word.start : word.end]}{']' * closes}"
        at = word.end
    if end == len(placed):
        yield text[at:]
