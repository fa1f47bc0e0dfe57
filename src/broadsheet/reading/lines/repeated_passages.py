"""Passages of the body that the page has twice, such as one for wide screens and one for narrow ones."""

from collections.abc import Iterator, Sequence
from itertools import accumulate

from broadsheet.document import Document
from broadsheet.reading._subtrees import Mask
from broadsheet.reading.lines.lines import Floats, Lines

#: A passage is a copy if it repeats so many lines that follow each other, with so many words and this share of the
#: body's. What is shorter may be meant: the refrain of a song, the same ingredient in two recipes.
MIN_LINES, MIN_WORDS, MIN_SHARE = 2, 50, 0.1
#: A line that stands in so many places is part of a pattern; no more of them are compared.
MAX_PLACES = 8


def without_copies(document: Document, lines: Lines, is_body: Mask) -> Mask:
    """Return the lines of the body without passages that repeat an earlier one word for word."""
    chosen = is_body.nonzero()[0]
    words = lines.words[chosen]
    least = max(MIN_WORDS, MIN_SHARE * float(words.sum()))
    if _words_of_equal_lengths(lines.characters[chosen], words) < least:
        return is_body
    starts = document.pieces.start.take(lines.first[chosen]).tolist()
    ends = document.pieces.end.take(lines.end[chosen] - 1).tolist()
    text = document.columns.text
    texts = [b" ".join(text[start:end].split()) for start, end in zip(starts, ends, strict=True)]
    kept = is_body.copy()
    kept[chosen[_copies(texts, words.tolist(), least)]] = False
    return kept


def _words_of_equal_lengths(characters: Floats, words: Floats) -> float:
    """Return how many words are in lines as long as an earlier one: only those can be copies, and mostly there are few.

    This spares most pages a look at their text.
    """
    order = characters.argsort(kind="stable")
    lengths = characters[order]
    return float(words[order][1:][lengths[1:] == lengths[:-1]].sum())


def _copies(texts: Sequence[bytes], words: Sequence[float], least: float) -> list[int]:
    """Return the places of lines in passages that repeat an earlier one and have enough words, last line first."""
    copies: list[int] = []
    remaining = 0
    for place, length in reversed(list(enumerate(_longest_repeats(texts, words, least)))):
        remaining = max(remaining - 1, length)
        if remaining:
            copies.append(place)
    return copies


def _longest_repeats(texts: Sequence[bytes], words: Sequence[float], least: float) -> Iterator[int]:
    """Yield for each line how many lines, up to it, repeat earlier ones and have enough words; 0 if none do."""
    places: dict[bytes, list[int]] = {}
    sums = [0.0, *accumulate(words)]
    # How many lines before this one are those before an earlier place of the same text: each line extends what the
    # line before it has found, so that a page of nothing but repetitions takes no longer than any other.
    repeated: dict[int, int] = {}
    for place, text in enumerate(texts):
        earlier = places.setdefault(text, [])
        repeated = {start: repeated.get(start - 1, 0) + 1 for start in earlier}
        # The two passages must not overlap.
        lengths = (min(length, place - start) for start, length in repeated.items())
        yield max((length for length in lengths if _is_enough(length, sums, place + 1, least)), default=0)
        if len(earlier) < MAX_PLACES:
            earlier.append(place)


def _is_enough(length: int, sums: Sequence[float], end: int, least: float) -> bool:
    return length >= MIN_LINES and sums[end] - sums[end - length] >= least
