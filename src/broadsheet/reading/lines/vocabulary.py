"""The words that a trained reader knows: in lines of text, and in the names of elements."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from broadsheet.document.tags import NAMES
from broadsheet.reading.lines._words import fill_table, keys_of_texts

Keys = NDArray[np.uint64]

#: What stands before a word that is one of a line's last, and before a line that is looked up as a whole.
LAST, WHOLE = ">", "="
#: The elements next to a line, those further out, and those that hold most of the page's text.
ZONES = 3
_LETTERS = 8


@dataclass(frozen=True, slots=True, eq=False)
class WordTable:
    """Keys where they are found again, each with its word's number; -1 is a free place."""

    keys: Keys
    values: NDArray[np.int32]

    @classmethod
    def of(cls, words: Sequence[int]) -> "WordTable":
        """Place the keys of words, of which there are always fewer than places."""
        size = 1 << (2 * len(words) + 1).bit_length()
        table = cls(np.zeros(size, np.uint64), np.full(size, -1, np.int32))
        fill_table(np.array(words, np.uint64), table.keys, table.values)
        return table


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """The known words, and the tables that they are looked up in.

    All share one row of numbers: for each zone the names and then the tags, and after them the words of lines.
    """

    names: tuple[str, ...]
    texts: tuple[str, ...]
    name_table: WordTable
    text_table: WordTable

    @classmethod
    def of(cls, names: Iterable[str], texts: Iterable[str]) -> "Vocabulary":
        """Make the tables for some words."""
        known_names, known_texts = tuple(names), tuple(texts)
        return cls(
            known_names,
            known_texts,
            WordTable.of([code_of(name) for name in known_names]),
            WordTable.of(keys_of_texts(np.frombuffer("\n".join(known_texts).encode(), np.uint8))),
        )

    @property
    def zone(self) -> int:
        """How many numbers each zone has."""
        return len(self.names) + len(NAMES)

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return ZONES * self.zone + len(self.texts)


def code_of(name: str) -> int:
    """Return the number that a word in an element's name is told by: its first eight letters."""
    return int.from_bytes(name.lower().encode()[:_LETTERS], "little")


def name_of(code: int) -> str:
    """Return the beginning of the word that a number stands for."""
    return int(code).to_bytes(_LETTERS, "little").rstrip(b"\0").decode()
