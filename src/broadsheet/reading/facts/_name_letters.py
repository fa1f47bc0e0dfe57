"""How much a text looks like a person's name, by the groups of letters in its words.

"Sandra Meyer" and "Contact us" differ in their letters in every language, whether or not their words were seen before.
"""

from bisect import bisect_right
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from broadsheet.reading.facts._signal_weights import shipped_weights

#: The sizes of the groups of letters, and the longest word, with its two ends, that is a group itself.
SIZES: Final = (2, 3, 4)
LONGEST_WORD: Final = 12
#: The most words of a text that count.
MAX_WORDS: Final = 6
#: The bounds between the signals: below the first, a text is `likeness 0`.
BOUNDS: Final = (-0.75, -0.4, -0.15, 0.1, 0.35, 0.7)
#: What the names of the signals begin with.
LIKENESS: Final = "likeness "
#: Cyrillic and Greek letters in Latin ones, so that "Андрей Романов" has the letters of "Andrej Romanov".
_LATIN: Final = str.maketrans(
    dict(zip("абвгдезийклмнопрстуфхыэієґїўј", "abvgdezijklmnoprstufhyeieijuj", strict=True))
    | dict(zip("αβγδεζηικλμνξοπρσςτυφχωάέήίόύώ", "abgdeziiklmnxoprsstyfhoaeiioyo", strict=True))
    | dict(zip("жцчшщюяёњљ", "zh ts ch sh shch yu ya yo nj lj".split(), strict=True))
    | {"ъ": "", "ь": "", "θ": "th", "ψ": "ps"}
)


def letter_groups(text: str) -> set[str]:
    """Return the groups of letters in the words of a text; `^` and `$` are the ends of a word."""
    groups: set[str] = set()
    for word in text.casefold().translate(_LATIN).split()[:MAX_WORDS]:
        ended = f"^{word}$"
        for size in SIZES:
            groups.update([ended[start : start + size] for start in range(len(ended) - size + 1)])
        if len(ended) <= LONGEST_WORD:
            groups.add(ended)
    return groups


def likeness(text: str, weights: Mapping[str, float]) -> str:
    """Return the signal for how much a text looks like a name, given the log odds of groups of letters."""
    groups = letter_groups(text)
    mean = sum(sorted([weights[group] for group in groups if group in weights])) / max(1, len(groups))
    return f"{LIKENESS}{bisect_right(BOUNDS, mean)}"


@lru_cache(maxsize=4096)
def shipped_likeness(text: str) -> str:
    """Return the signal by the weights that Broadsheet ships with."""
    return likeness(text, shipped_weights().letters)
