"""The vocabulary of the trained reader: words in lines of text and in the names of elements."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from broadsheet.document import Document
from broadsheet.document.tags import NAMES
from broadsheet.reading.lines._words import fill_table, keys_of_texts, name_codes

Keys = NDArray[np.uint64]

#: The prefixes of words at the end of a line, and of complete lines.
LAST, WHOLE = ">", "="
#: The elements next to a line, those further out, and those with most of the page's text.
ZONES = 3
_LETTERS = 8


@dataclass(frozen=True, slots=True, eq=False)
class WordTable:
    """An open-addressing hash table from the keys of words to their ids; -1 marks a free slot."""

    keys: Keys
    values: NDArray[np.int32]

    @classmethod
    def build(cls, words: Sequence[int]) -> "WordTable":
        """Insert the keys of words; some slots always remain free."""
        size = 1 << (2 * len(words) + 1).bit_length()
        table = cls(np.zeros(size, np.uint64), np.full(size, -1, np.int32))
        fill_table(np.array(words, np.uint64), table.keys, table.values)
        return table


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """The known words and their lookup tables.

    All ids are from one range: for each zone the names and then the tags, followed by the words of lines.
    """

    names: tuple[str, ...]
    texts: tuple[str, ...]
    name_table: WordTable
    text_table: WordTable

    @classmethod
    def build(cls, names: Iterable[str], texts: Iterable[str]) -> "Vocabulary":
        """Build the lookup tables."""
        known_names, known_texts = tuple(names), tuple(texts)
        return cls(
            known_names,
            known_texts,
            WordTable.build([encode_name(name) for name in known_names]),
            WordTable.build(keys_of_texts(np.frombuffer("\n".join(known_texts).encode(), np.uint8))),
        )

    @property
    def zone(self) -> int:
        """The number of ids per zone."""
        return len(self.names) + len(NAMES)

    @property
    def size(self) -> int:
        """The number of ids."""
        return ZONES * self.zone + len(self.texts)


def encode_name(name: str) -> int:
    """Encode a word in an element's name as an integer: its first eight letters."""
    return int.from_bytes(name.lower().encode()[:_LETTERS], "little")


def words_in_names(document: Document) -> set[str]:
    """Return the words in the names of a page's elements: their classes and ids."""
    tokens = document.tokens
    text = np.frombuffer(tokens.text + b" ", np.uint8)
    codes = {code for _, code in name_codes(text, tokens.start, tokens.end, tokens.node)}
    return {decode_name(code) for code in codes}


def decode_name(code: int) -> str:
    """Decode the first eight letters of a word in an element's name."""
    return int(code).to_bytes(_LETTERS, "little").rstrip(b"\0").decode()
