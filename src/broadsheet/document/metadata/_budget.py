"""A work budget per page: a limit for each kind of work, and a count of everything that exceeded it."""

from collections import Counter
from typing import Final, TypeVar

_Item = TypeVar("_Item")

#: The total cost of the values of one field, and the cost of a value in addition to its characters.
FIELD_BUDGET: Final = 200_000
VALUE_COST: Final = 50

#: The limit of each kind of work, by the reason counted when it is exceeded; none of 2,500 real pages exceeded one.
LIMITS: Final = {
    "html: too many": 2_000,
    "title: too many": 2_000,
    "meta: too many": 2_000,
    "link: too many": 2_000,
    "time: too many": 2_000,
    "nav: too many": 2_000,
    # In characters; the longest real one is half as long.
    "json-ld: too long": 2_000_000,
    # In characters; the lenient parser takes about a microsecond per character.
    "json-ld: too long to repair": 100_000,
    "json-ld: too many scripts": 200,
    "json-ld: too many things": 500,
    # Many references may point to the same large thing.
    "json-ld: too many references": 200,
    "microdata: too many properties": 5_000,
    "microdata: too many things": 500,
    # In bytes: with nested elements, the same text could be read a thousand times.
    "microdata: text too long": 1_000_000,
    # The number of elements between properties and their enclosing things.
    "microdata: nested too deep": 200_000,
    "breadcrumb: too many": 1_000,
    "breadcrumb: too many steps": 2_000,
}


class Budget:
    """The remaining budget for each kind of work, and how often it was exceeded."""

    def __init__(self) -> None:
        """Start with the full budget."""
        self.dropped: Counter[str] = Counter()
        self._remaining = dict(LIMITS)
        self._fields: dict[str, int] = {}

    def take(self, reason: str, cost: int) -> bool:
        """Spend `cost` if the remaining budget allows it, and return whether it did."""
        remaining = self._remaining[reason] - cost
        if remaining < 0:
            return False
        self._remaining[reason] = remaining
        return True

    def afford(self, reason: str, cost: int = 1) -> bool:
        """Spend `cost` if the remaining budget allows it; otherwise count the reason and return False."""
        if self.take(reason, cost):
            return True
        self.dropped[reason] += 1
        return False

    def afford_first(self, reason: str, items: list[_Item]) -> list[_Item]:
        """Return as many items as the budget allows, at a cost of one each, and count the others as dropped."""
        remaining = self._remaining[reason] - len(items)
        if remaining >= 0:
            self._remaining[reason] = remaining
            return items
        affordable = self._remaining[reason]
        self._remaining[reason] = 0
        self.dropped[reason] += len(items) - affordable
        return items[:affordable]

    def afford_value(self, field: str, length: int) -> bool:
        """Spend the cost of a value of this length if the field's budget allows it, and return whether it did."""
        remaining = self._fields.get(field, FIELD_BUDGET) - VALUE_COST - length
        if remaining < 0:
            self.dropped[f"{field}: too many values"] += 1
            return False
        self._fields[field] = remaining
        return True
