"""At which hours a source publishes: its rhythm over the day, on weekdays and at weekends."""

from datetime import datetime, timedelta
from math import floor

HOUR = timedelta(hours=1)
_SECONDS = HOUR.total_seconds()
#: Days of the week from which on it is the weekend.
SATURDAY = 5
#: What is known before anything was seen, that all hours are alike, weighs as much as so many articles per hour of
#: the day, and as much as so many days: what came at one hour of one day is not a rhythm.
PRIOR_ARTICLES, PRIOR_DAYS = 1.0, 2.0
#: For the likely intensity, that the hours of all days are alike weighs as much as so many articles, and that weekdays
#: and weekends are alike as much as so many.
ALIKE_HOURS, ALIKE_DAYS = 1.0, 4.0
#: The time after which what was seen counts half.
HALF_LIFE = timedelta(days=14)
#: A longer time between two visits says nothing about the hours at which its articles came.
LONGEST_SPREAD = timedelta(hours=12)
#: Which of the 48 kinds of hours each hour since 1970 began with, a Thursday, is; after a week they recur.
_BINS = tuple(hour % 24 + 24 * ((hour // 24 + 3) % 7 >= SATURDAY) for hour in range(7 * 24))


class ArrivalRhythm:
    """Learns from the articles that come between visits how much of a day's news comes in each hour."""

    def __init__(self) -> None:
        """Take all hours to be alike."""
        self._articles = [0.0] * 48
        self._hours = [0.0] * 48
        self._until: datetime | None = None
        #: For how long all fronts together were watched; several may be at the same time.
        self._watched = 0.0
        #: What `intensity` and `likely_intensity` return for each kind of hour; None after anything was noted.
        self._intensities: list[float] | None = None
        self._likely: list[float] | None = None

    def add(self, start: datetime, end: datetime, articles: int) -> None:
        """Note how many articles came between two visits, as if evenly."""
        if not timedelta() < end - start <= LONGEST_SPREAD:
            return
        self._fade(end)
        self._intensities = self._likely = None
        length = (end - start) / HOUR
        for number, hours in _pieces(start, end):
            self._articles[number] += articles * hours / length
            self._hours[number] += hours

    def intensity(self, at: datetime) -> float:
        """Return how many articles come at a time, as a multiple of what comes on average; with caution.

        As long as few days were seen, all hours are taken to be nearly alike: what comes and goes in an hour that was
        taken to be quiet is lost.
        """
        return self._known_intensities()[_bin(floor(at.timestamp() / _SECONDS))]

    def likely_intensity(self, at: datetime) -> float:
        """Return the same without caution, for a front from which nothing is lost: what was seen on one day counts."""
        if self._likely is None:
            self._likely = self._estimate()
        return self._likely[_bin(floor(at.timestamp() / _SECONDS))]

    def expected_hours(self, start: datetime, end: datetime) -> float:
        """Return the time between two moments in hours of average intensity."""
        intensities = self._known_intensities()
        return sum([intensities[number] * hours for number, hours in _pieces(start, end)])

    def _known_intensities(self) -> list[float]:
        """Return the intensity of each kind of hour, which many articles are asked for between two visits."""
        if self._intensities is None:
            hours = sum(self._hours)
            mean = sum(self._articles) / hours if hours else 0.0
            prior = PRIOR_DAYS * hours / max(1.0, self._watched) * mean + PRIOR_ARTICLES
            self._intensities = [
                (articles + prior) / (watched * mean + prior) if mean else 1.0
                for articles, watched in zip(self._articles, self._hours, strict=True)
            ]
        return self._intensities

    def _estimate(self) -> list[float]:
        """Estimate the intensity of each kind of hour from its neighbours, too, and from other days."""
        hours = sum(self._hours)
        mean = sum(self._articles) / hours if hours else 0.0
        if not mean:
            return [1.0] * 48
        articles = _with_neighbours(self._articles)
        expected = [mean * watched for watched in _with_neighbours(self._hours)]
        all_days = [
            (articles[hour] + articles[hour + 24] + ALIKE_HOURS) / (expected[hour] + expected[hour + 24] + ALIKE_HOURS)
            for hour in range(24)
        ]
        return [
            (articles[number] + ALIKE_DAYS * all_days[number % 24]) / (expected[number] + ALIKE_DAYS)
            for number in range(48)
        ]

    def _fade(self, now: datetime) -> None:
        if self._until is not None and now > self._until:
            share = 0.5 ** ((now - self._until) / HALF_LIFE)
            self._articles = [share * number for number in self._articles]
            self._hours = [share * number for number in self._hours]
            self._watched = share * self._watched + (now - self._until) / HOUR
        self._until = max(now, self._until or now)


def _bin(hour: int) -> int:
    """Return the kind of an hour, counted from 1970 on in UTC."""
    return _BINS[hour % len(_BINS)]


def _with_neighbours(numbers: list[float]) -> list[float]:
    """Return the mean of each hour of the day, the one before and the one after."""
    return [
        sum(numbers[first + (hour + step) % 24] for step in (-1, 0, 1)) / 3 for first in (0, 24) for hour in range(24)
    ]


def _pieces(start: datetime, end: datetime) -> list[tuple[int, float]]:
    """Cut a time into pieces at full hours; return the kind of hour of each, and how long it is, in hours."""
    pieces = []
    at, last = start.timestamp() / _SECONDS, end.timestamp() / _SECONDS
    while at < last:
        hour = floor(at)
        following = min(last, hour + 1.0)
        pieces.append((_bin(hour), following - at))
        at = following
    return pieces
