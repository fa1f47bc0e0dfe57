"""Rules that say how long parts of an archive are kept: `fronts 30d, other 7d, links 1y`."""

import re
from dataclasses import dataclass, fields
from datetime import timedelta
from typing import Self

from broadsheet.base.errors import ConfigError
from broadsheet.base.near_names import suggestion

#: The rule that removes nothing, also for a source of which the rule for all sources would remove something.
EVERYTHING = "everything"

_DAY = 24
#: Hours in each unit of age, the longest unit first.
_UNITS = {"y": 365 * _DAY, "m": 30 * _DAY, "w": 7 * _DAY, "d": _DAY, "h": 1}
_AGE = re.compile(r"([0-9]{1,6})([a-z])", re.IGNORECASE | re.ASCII).fullmatch
_CENTURY = timedelta(hours=100 * _UNITS["y"])


@dataclass(frozen=True, slots=True)
class KeepRule:
    """How old a visit may become before something of it is removed; None for any age.

    - `fronts`: the responses of home pages, sections and feeds.
    - `other`: the responses of pages that were judged to be neither articles nor sections.
    - `articles`: the responses of articles from which no version was read.
    - `links`: the link occurrences of all pages.
    - `events`: the events of the log that do not say that an article went or returned.
    - `visits`: the rows of visits of which neither the response nor links are left.

    The newest response of every page, and its links, are kept whatever the rule says.
    """

    fronts: timedelta | None = None
    other: timedelta | None = None
    articles: timedelta | None = None
    links: timedelta | None = None
    events: timedelta | None = None
    visits: timedelta | None = None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a rule: kinds with their ages, separated by commas, or `everything`."""
        if text.strip().lower() == EVERYTHING:
            return cls()
        ages: dict[str, timedelta] = {}
        for part in text.split(","):
            kind, age = _part(part)
            if kind in ages:
                raise ConfigError(f"the keep rule {text!r} names {kind!r} twice")
            ages[kind] = age
        return cls(**ages)

    def __str__(self) -> str:
        """Return the rule as it is written."""
        ages = ((kind, getattr(self, kind)) for kind in KEEP_KINDS)
        return ", ".join(f"{kind} {_written(age)}" for kind, age in ages if age is not None) or EVERYTHING

    def __bool__(self) -> bool:
        """Return whether the rule removes anything."""
        return self.shortest is not None

    @property
    def shortest(self) -> timedelta | None:
        """The shortest age that it names."""
        ages = (getattr(self, kind) for kind in KEEP_KINDS)
        return min((age for age in ages if age is not None), default=None)


#: What a rule can name.
KEEP_KINDS = tuple(field.name for field in fields(KeepRule))
#: The kinds that are responses: the others are rows.
RESPONSE_KINDS = tuple(kind for kind in KEEP_KINDS if kind not in {"links", "events", "visits"})
#: The rule that removes nothing.
KEEP_EVERYTHING = KeepRule()


def _part(text: str) -> tuple[str, timedelta]:
    words = text.split()
    kind = words[0].lower() if words else ""
    if kind not in KEEP_KINDS:
        hint = suggestion(kind, (*KEEP_KINDS, EVERYTHING), f"write {', '.join(KEEP_KINDS)} or {EVERYTHING}")
        raise ConfigError(f"unknown word {kind!r} in a keep rule; {hint}" if kind else f"a keep rule is empty; {hint}")
    if len(words) != 2:
        raise ConfigError(f"a keep rule needs one age after {kind!r}, such as '{kind} 30d', not {text.strip()!r}")
    return kind, _age(words[1])


def _age(text: str) -> timedelta:
    match = _AGE(text)
    unit = _UNITS.get(match[2].lower(), 0) if match else 0
    age = min(timedelta(hours=int(match[1]) * unit), 2 * _CENTURY) if match else timedelta()
    if not timedelta() < age <= _CENTURY:
        raise ConfigError(
            f"{text!r} is not an age; write 12h, 30d, 2w, 6m (months of 30 days) or 2y, and at most 100 years"
        )
    return age


def _written(age: timedelta) -> str:
    hours = int(age.total_seconds()) // 3600
    unit, size = next((unit, size) for unit, size in _UNITS.items() if hours % size == 0)
    return f"{hours // size}{unit}"
