"""Character classes, and how characters and words are counted, the same way in every language.

A **word** is a run of letters and digits. Marks (vowel signs, accents) and invisible characters neither start nor end
one; an apostrophe between letters and a full stop or comma between digits join (*can't*, *3.14*); a hyphen separates.
Scripts without spaces (Chinese, Japanese, Thai, Lao, Khmer, Burmese, Tibetan, …) do not show where a word ends, so
each of their base letters counts as a word, following Unicode's default word boundaries (UAX #29); katakana and hangul
form runs like any alphabet.

**Characters** are counted after collapsing white space to single spaces and stripping both ends; invisible characters
(control and format characters) do not count.
"""

from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

SYMBOL, SPACE, LETTER, UPPER, MARK, DIGIT, PUNCTUATION, APOSTROPHE, JOINER, UNSPACED, INVISIBLE = range(11)

_OUTSIDE, _INSIDE, _AFTER_APOSTROPHE, _AFTER_JOINER = range(4)


class CharacterCounts(NamedTuple):
    """The counts for one piece of text."""

    characters: int
    words: int
    letters: int
    upper: int
    digits: int
    punctuation: int


@cache
def classes() -> NDArray[np.uint8]:
    """Return the class of every code point, expanded from the runs written by `tools/character_classes.py`."""
    with files(__package__).joinpath("characters.npy").open("rb") as file:
        runs: NDArray[np.uint32] = np.load(file, allow_pickle=False)
    firsts = runs >> 8
    lengths = np.diff(firsts, append=np.uint32(0x110000))
    table = np.repeat((runs & 0xFF).astype(np.uint8), lengths)
    table.setflags(write=False)
    return table


def count_characters(text: str) -> CharacterCounts:
    """Count the characters and words of one piece of text, as the compiled parse does, which is tested against it."""
    table = classes()
    tally = [0] * 11
    words = spaces = 0
    state = _OUTSIDE
    pending_space = last_was_digit = False
    for character in text:
        kind = int(table[ord(character)])
        if kind == INVISIBLE:
            continue
        if kind == SPACE:
            pending_space = True
            state = _OUTSIDE
            continue
        if pending_space:
            spaces += any(tally)
            pending_space = False
        tally[kind] += 1
        if kind == MARK:
            continue
        if kind in {LETTER, UPPER, DIGIT}:
            continues_word = (
                state == _INSIDE
                or (state == _AFTER_APOSTROPHE and kind != DIGIT)
                or (state == _AFTER_JOINER and kind == DIGIT)
            )
            words += not continues_word
            state = _INSIDE
            last_was_digit = kind == DIGIT
        elif kind == UNSPACED:
            words += 1
            state = _OUTSIDE
        elif kind == APOSTROPHE and state == _INSIDE and not last_was_digit:
            state = _AFTER_APOSTROPHE
        elif kind == JOINER and state == _INSIDE and last_was_digit:
            state = _AFTER_JOINER
        else:
            state = _OUTSIDE
    return CharacterCounts(
        characters=sum(tally) + spaces,
        words=words,
        letters=tally[LETTER] + tally[UPPER] + tally[UNSPACED],
        upper=tally[UPPER],
        digits=tally[DIGIT],
        punctuation=tally[PUNCTUATION] + tally[APOSTROPHE] + tally[JOINER],
    )
