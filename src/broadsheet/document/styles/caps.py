"""Limits for reading a page's style sheets, and a count of everything that was dropped."""

from collections import Counter
from dataclasses import dataclass, fields

from broadsheet.base.errors import ConfigError


@dataclass(frozen=True, slots=True)
class StyleLimits:
    """How much of a page's style sheets is read; anything beyond is dropped and counted, the rest still applies.

    - `max_sheet_bytes`: the total length of all sheets; the sheet that exceeds it is truncated.
    - `max_rules`: the number of rules that set relevant properties.
    - `max_selectors`: the number of selectors of those rules.
    - `max_selector_bytes`: the length of one rule's selectors, which nested rules multiply.
    - `max_nesting`: the depth of conditional groups and nested rules, and of selectors within selectors.
    - `max_import_depth`, `max_imports`: the depth of `@import`, and the number of sheets loaded.
    - `max_value_bytes`: the length of one value after substituting custom properties.
    - `max_attempts`: how often a part of a selector is tried on an element.
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
        """Check that every limit is positive."""
        for field in fields(self):
            value = getattr(self, field.name)
            if value < 1:
                raise ConfigError(f"{field.name} must be at least 1, not {value}")


class AttemptsExhausted(Exception):  # noqa: N818 -- it ends a search and never leaves this package
    """The limit of attempts to match selectors on a page has been reached."""


class StyleDrops:
    """Counts what is dropped on one page, by reason."""

    def __init__(self, limits: StyleLimits) -> None:
        """Start with no drops."""
        self.limits = limits
        self.dropped: Counter[str] = Counter()

    def drop(self, reason: str, count: int = 1) -> None:
        """Count something that is dropped."""
        self.dropped[reason] += count
