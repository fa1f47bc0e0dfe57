"""The dates of feeds and sitemaps: RFC 822, as RSS has them, and ISO 8601, as all others have them."""

from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

#: Longer texts are not dates.
MAX_CHARACTERS = 60
#: Nothing on the web is older; many feeds give the first second of 1970 for a date that they do not know.
EARLIEST = datetime(1994, 1, 1, tzinfo=UTC)
#: Clocks differ, and some feeds give local times as UTC; what is later than this is wrong.
TOLERANCE = timedelta(hours=14)


def read_date(text: str, at: datetime) -> datetime | None:
    """Return the date that a text states, or None if there is none, or none that can be right at the time `at`.

    A date without an offset is taken as UTC. One that lies a little ahead, as those of wrong time zones do, is moved
    to `at`.
    """
    value = text.strip()
    if not value or len(value) > MAX_CHARACTERS:
        return None
    try:
        moment = _parse(value)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        is_possible = EARLIEST <= moment <= at + TOLERANCE
    except (ValueError, OverflowError):
        return None
    return min(moment, at) if is_possible else None


def _parse(value: str) -> datetime:
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        return parsedate_to_datetime(value)
