"""Fitting of what the names of people look like: log odds of groups of letters in names and in the texts of links."""

from collections import Counter
from collections.abc import Iterable
from math import log

from broadsheet.reading.facts import letter_groups

#: Groups in fewer texts, and those whose log odds are nearer to zero, are left out: they take space and say little.
MIN_TEXTS, MIN_ODDS = 6, 0.6
#: Added to all counts, so that a group that was never in a name does not rule one out.
PRIOR = 0.5
#: Weights are rounded to this number of digits, because there are thousands of them.
DIGITS = 1


class LetterCounts:
    """In how many names, and in how many other texts, each group of letters was seen."""

    def __init__(self) -> None:
        """Begin without any text."""
        self.names: Counter[str] = Counter()
        self.others: Counter[str] = Counter()

    def add(self, names: Iterable[str], others: Iterable[str]) -> None:
        """Count names, and texts that are not names."""
        for counts, texts in ((self.names, names), (self.others, others)):
            for text in texts:
                counts.update(letter_groups(text))

    def __add__(self, other: "LetterCounts") -> "LetterCounts":
        """Return the counts of both."""
        both = LetterCounts()
        for counts in (self, other):
            both.names.update(counts.names)
            both.others.update(counts.others)
        return both

    def log_odds(self) -> dict[str, float]:
        """Return the log odds that a group of letters is in a name rather than in another text."""
        ratio = max(1, self.others.total()) / max(1, self.names.total())
        odds = {
            group: round(log((self.names[group] + PRIOR) / (self.others[group] / ratio + PRIOR)), DIGITS)
            for group in sorted(self.names.keys() | self.others.keys())
            if self.names[group] + self.others[group] >= MIN_TEXTS
        }
        return {group: value for group, value in odds.items() if abs(value) >= MIN_ODDS}
