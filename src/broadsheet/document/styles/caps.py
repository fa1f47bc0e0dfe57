"""How far one page's style sheets are followed, and a count of everything that was left out on the way."""

from collections import Counter
from dataclasses import dataclass, fields

from broadsheet.base.errors import ConfigError


@dataclass(frozen=True, slots=True)
class StyleLimits:
    """How much of a page's style sheets is read; what lies beyond is dropped and counted, the rest still holds.

    - `max_sheet_bytes`: the length of all sheets together; a sheet is cut where the sum is reached.
    - `max_rules`: the rules kept, after those that set nothing of interest are gone.
    - `max_selectors`: the selectors of those rules.
    - `max_selector_bytes`: one rule's selectors; nested rules multiply them.
    - `max_nesting`: how deep conditional groups and nested rules are followed, and selectors within selectors.
    - `max_import_depth`, `max_imports`: how far `@import` is followed, and how many sheets are asked for.
    - `max_value_bytes`: one value, with its custom properties put in.
    - `max_attempts`: how often part of a selector is held against an element.
    """

    max_sheet_bytes: int = 3_000_000
    max_rules: int = 50_000
    max_selectors: int = 100_000
    max_selector_bytes: int = 20_000
    max_nesting: int = 12
    max_import_depth: int = 5
    max_imports: int = 50
    max_value_bytes: int = 10_000
    max_attempts: int = 2_000_000

    def __post_init__(self) -> None:
        """Refuse a cap that no sheet could meet."""
        for field in fields(self):
            value = getattr(self, field.name)
            if value < 1:
                raise ConfigError(f"{field.name} must be at least 1, not {value}")


class OverBudget(Exception):  # noqa: N818 -- it ends a search, it never leaves this package
    """The page's selectors have been held against its elements as often as is allowed."""


class StyleDrops:
    """The account of one page: what was dropped, and why."""

    def __init__(self, limits: StyleLimits) -> None:
        """Open an account that keeps to the limits."""
        self.limits = limits
        self.dropped: Counter[str] = Counter()

    def drop(self, reason: str, count: int = 1) -> None:
        """Count something that is left out."""
        self.dropped[reason] += count
