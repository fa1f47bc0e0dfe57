"""At which hours a source publishes: its rhythm over the day, on weekdays and at weekends."""

from datetime import UTC, datetime, timedelta

HOUR = timedelta(hours=1)
#: Days of the week from which on it is the weekend.
SATURDAY = 5
#: What is known before anything was seen, that all hours are alike, weighs as much as so many articles per hour of
#: the day, and as much as so many days: what came at one hour of one day is not a rhythm.
PRIOR_ARTICLES, PRIOR_DAYS = 1.0, 2.0
#: After so much time, what was seen counts half.
HALF_LIFE = timedelta(days=14)
#: A longer time between two visits says nothing about the hours at which its articles came.
LONGEST_SPREAD = timedelta(hours=12)


class ArrivalRhythm:
    """Learns from the articles that come between visits how much of a day's news comes in each hour."""

    def __init__(self) -> None:
        """Take all hours to be alike."""
        self._articles = [0.0] * 48
        self._hours = [0.0] * 48
        self._until: datetime | None = None
        #: For how long all fronts together were watched; several may be at the same time.
        self._watched = 0.0

    def add(self, start: datetime, end: datetime, articles: int) -> None:
        """Note how many articles came between two visits, as if evenly."""
        if not timedelta() < end - start <= LONGEST_SPREAD:
            return
        self._fade(end)
        length = (end - start) / HOUR
        for at, hours in _pieces(start, end):
            self._articles[_bin(at)] += articles * hours / length
            self._hours[_bin(at)] += hours

    def intensity(self, at: datetime) -> float:
        """Return how many articles come at a time, as a multiple of what comes on average."""
        hours = sum(self._hours)
        mean = sum(self._articles) / hours if hours else 0.0
        if not mean:
            return 1.0
        number, fronts = _bin(at), hours / max(1.0, self._watched)
        prior = PRIOR_DAYS * fronts * mean + PRIOR_ARTICLES
        return (self._articles[number] + prior) / (self._hours[number] * mean + prior)

    def expected_hours(self, start: datetime, end: datetime) -> float:
        """Return the time between two moments in hours of average intensity."""
        return sum(self.intensity(at) * hours for at, hours in _pieces(start, end))

    def _fade(self, now: datetime) -> None:
        if self._until is not None and now > self._until:
            share = 0.5 ** ((now - self._until) / HALF_LIFE)
            self._articles = [share * number for number in self._articles]
            self._hours = [share * number for number in self._hours]
            self._watched = share * self._watched + (now - self._until) / HOUR
        self._until = max(now, self._until or now)


def _bin(at: datetime) -> int:
    moment = at.astimezone(UTC)
    return moment.hour + 24 * (moment.weekday() >= SATURDAY)


def _pieces(start: datetime, end: datetime) -> list[tuple[datetime, float]]:
    """Cut a time into pieces at full hours; return when each begins and how long it is, in hours."""
    pieces = []
    while start < end:
        following = min(end, start.replace(minute=0, second=0, microsecond=0) + HOUR)
        pieces.append((start, (following - start) / HOUR))
        start = following
    return pieces
