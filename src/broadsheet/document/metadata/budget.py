"""What one page may cost: an amount for each kind of work, and a count of everything that was beyond it."""

from collections import Counter
from typing import Final, TypeVar

_Item = TypeVar("_Item")

#: What all values of one field may cost together, and what a value costs besides its characters.
FIELD: Final = 200_000
VALUE: Final = 50

#: The reason that is counted when it is used up, and the amount; none of 2,500 real pages used one up.
LIMITS: Final = {
    "html: too many": 2_000,
    "title: too many": 2_000,
    "meta: too many": 2_000,
    "link: too many": 2_000,
    "script: too many": 5_000,
    "time: too many": 2_000,
    "nav: too many": 2_000,
    # In characters; the longest real one is half of it.
    "json-ld: too long": 2_000_000,
    # In characters; reading tolerantly takes about a microsecond each.
    "json-ld: too long to repair": 100_000,
    "json-ld: too many scripts": 200,
    "json-ld: too many things": 500,
    # Each leads to a thing that may be large, and many may lead to one.
    "json-ld: too many references": 200,
    "microdata: too many properties": 5_000,
    "microdata: too many things": 500,
    # In bytes: elements within elements could make a page say its text a thousand times.
    "microdata: text too long": 1_000_000,
    # In elements that lie between properties and the thing around them.
    "microdata: nested too deep": 200_000,
    "breadcrumb: too many": 1_000,
    "breadcrumb: too many steps": 2_000,
}


class Budget:
    """What is left of each amount, and how often there was too little left."""

    def __init__(self) -> None:
        """Begin with the whole amounts."""
        self.dropped: Counter[str] = Counter()
        self._left = dict(LIMITS)

    def take(self, reason: str, cost: int) -> bool:
        """Return whether there is enough left, and take it."""
        left = self._left.get(reason, FIELD) - cost
        if left < 0:
            return False
        self._left[reason] = left
        return True

    def afford(self, reason: str, cost: int = 1) -> bool:
        """Return whether there is enough left, and take it; if not, count the reason."""
        if self.take(reason, cost):
            return True
        self.dropped[reason] += 1
        return False

    def first(self, reason: str, items: list[_Item]) -> list[_Item]:
        """Return as many as can be afforded, take their number, and count the others."""
        most = min(len(items), self._left[reason])
        self._left[reason] -= most
        if most < len(items):
            self.dropped[reason] += len(items) - most
        return items[:most]

    def afford_value(self, field: str, length: int) -> bool:
        """Return whether a field has room for one more value of so many characters, and take it."""
        return self.afford(f"{field}: too many values", VALUE + length)
