"""The words of a text as they are compared in a search: without case and accents, in any script."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

#: Rises whenever the same text gives other words; an index of words is then made anew.
WORDS_VERSION = 1

# Vowel signs and the like belong to words, but Python does not count them as letters.
_SIGNS = "\u0900-\u0963\u0966-\u0dff\u0f18-\u0fbc"
# Scripts without spaces between words: each character counts as a word, so that a search finds any part of a text.
_UNSPACED = (
    "\u0e01-\u0eff\u1000-\u109f\u1780-\u17d3\u3041-\u30ff\u3105-\u312f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff\u3005-\u3007"
)
#: Accents, and the marks for vowels of Hebrew and Arabic, which most texts leave out.
_ACCENTS = "\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u064b-\u065f\u0670\u0640"
_LETTERS = rf"[^\W_{_UNSPACED}]"
_WORD = re.compile(rf"[{_UNSPACED}]|(?:{_LETTERS}+|[{_SIGNS}])(?:[{_SIGNS}{_ACCENTS}]+{_LETTERS}*)*")
_MARKS = re.compile(f"[{_ACCENTS}]")


class PlacedWord(NamedTuple):
    """A word as it is compared, and the place in the text that it comes from."""

    word: str
    start: int
    end: int


def words(text: str) -> list[str]:
    """Return the words of a text, in order."""
    return [word for found in _WORD.findall(_composed(text)) for word in _folded(found)]


def indexed(text: str) -> str:
    """Return a text whose runs of letters and digits are the words of another, divided by anything in ASCII."""
    return text.lower() if text.isascii() else " ".join(words(text))


def placed_words(text: str) -> Iterator[PlacedWord]:
    """Give the words of a text with their places; accents should be composed with their letters (NFC)."""
    for match in _WORD.finditer(text):
        for word in _folded(match.group()):
            yield PlacedWord(word, match.start(), match.end())


def _composed(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFC", text)


@lru_cache(maxsize=65_536)
def _folded(word: str) -> tuple[str, ...]:
    """Return a word without case and accents; a character that stands for several words gives those."""
    if word.isascii():
        return (word.lower(),)
    parts = unicodedata.normalize("NFKD", word.casefold())
    plain = unicodedata.normalize("NFC", _MARKS.sub("", parts)).casefold()
    return tuple(_WORD.findall(plain))
