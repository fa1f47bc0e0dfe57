"""Times in command-line options: 2026-03-02, 2026-03-02T12:00+02:00, today, yesterday, 36h, 2d. Days are in UTC."""

from argparse import ArgumentTypeError
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

from broadsheet.cli.durations import seconds

_DAY = timedelta(days=1)
_LAST = datetime.max.replace(tzinfo=UTC)
_DAYS = {"today": timedelta(), "yesterday": _DAY}


@dataclass(frozen=True, slots=True)
class When:
    """A moment or a whole day, absolute or relative to now."""

    fixed: datetime | None = None
    ago: timedelta = timedelta()
    is_day: bool = False

    def start(self, now: datetime) -> datetime:
        """Return the moment, or the start of the day."""
        moment = self.fixed or now - self.ago
        return datetime.combine(moment.date(), time(), UTC) if self.is_day else moment

    def end(self, now: datetime) -> datetime:
        """Return the moment, or the end of the day."""
        start = self.start(now)
        return min(start, _LAST - _DAY) + _DAY if self.is_day else start


def when(text: str) -> When:
    """Parse a time, for `argparse`; without an offset, it is in UTC."""
    word = text.strip().lower()
    if word in _DAYS:
        return When(ago=_DAYS[word], is_day=True)
    try:
        moment = datetime.fromisoformat(word)
    except ValueError:
        return _ago(text)
    is_day = len(word) == len("2026-03-02") and "t" not in word
    return When(moment if moment.tzinfo else moment.replace(tzinfo=UTC), is_day=is_day)


def _ago(text: str) -> When:
    try:
        return When(ago=timedelta(seconds=seconds(text)))
    except ArgumentTypeError as error:
        raise ArgumentTypeError(
            f"{text!r} is not a time; write 2026-03-02, 2026-03-02T12:00+02:00, today, yesterday, 36h or 2d"
        ) from error
