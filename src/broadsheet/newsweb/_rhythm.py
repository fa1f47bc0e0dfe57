"""How often a section publishes: more in the morning than at night, and more on weekdays than at weekends."""

import math
import zlib
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from itertools import accumulate
from random import Random

#: URLs have two digits for an article's number within its day.
MAX_PER_DAY = 99


@dataclass(frozen=True, slots=True)
class Rhythm:
    """The publishing rhythm of a section: articles per weekday, the share of that at weekends, and two busy hours.

    A section may sleep for a share of all weeks, and it may be dead since a day.
    """

    articles: float
    weekend: float
    morning: float
    evening: float
    sleep: float = 0.0
    salt: int = 0
    dead_since: date | None = None

    def rests(self, day: date) -> bool:
        """Return whether the section publishes nothing on a day."""
        if self.dead_since is not None and day >= self.dead_since:
            return True
        week = day.toordinal() // 7
        return self.sleep > 0 and zlib.crc32(f"{self.salt}/{week}".encode()) < self.sleep * 2**32

    def expected(self, day: date) -> float:
        """Return the expected number of articles on a day."""
        return 0.0 if self.rests(day) else self.articles * (self.weekend if day.weekday() >= 5 else 1.0)

    def weights(self) -> list[float]:
        """Return the relative frequency of each hour of the day, never zero."""
        return list(_hour_weights(self.morning, self.evening))

    def seconds(self, day: date, rng: Random) -> list[int]:
        """Draw the publication times of one day, as sorted seconds since midnight."""
        return self.times(_poisson(self.expected(day), rng), rng)

    def number(self, day: date, share: float) -> int:
        """Return how many articles a day has that has more than this share of all such days."""
        mean = self.expected(day)
        number, probability = 0, math.exp(-mean)
        while share >= probability and number < MAX_PER_DAY:
            share -= probability
            number += 1
            probability *= mean / number
        return number

    def times(self, number: int, rng: Random) -> list[int]:
        """Draw so many publication times, as sorted seconds since midnight."""
        number = min(number, MAX_PER_DAY)
        hours = rng.choices(range(24), cum_weights=_cumulative(self.morning, self.evening), k=number)
        return sorted(hour * 3600 + rng.randrange(3600) for hour in hours)


@lru_cache(maxsize=4096)
def _hour_weights(morning: float, evening: float) -> tuple[float, ...]:
    return tuple(
        0.05 + math.exp(-(((hour - morning) / 2.5) ** 2)) + 0.5 * math.exp(-(((hour - evening) / 2) ** 2))
        for hour in range(24)
    )


@lru_cache(maxsize=4096)
def _cumulative(morning: float, evening: float) -> tuple[float, ...]:
    return tuple(accumulate(_hour_weights(morning, evening)))


def make_rhythm(rng: Random) -> Rhythm:
    """Draw the rhythm of a section of a small site."""
    return Rhythm(
        articles=rng.uniform(4, 12),
        weekend=rng.uniform(0.3, 0.7),
        morning=rng.uniform(6, 10),
        evening=rng.uniform(16, 20),
    )


def _poisson(mean: float, rng: Random) -> int:
    """Draw from a Poisson distribution with Knuth's algorithm, which multiplies uniform random numbers."""
    floor, product, number = math.exp(-mean), rng.random(), 0
    while product > floor:
        product *= rng.random()
        number += 1
    return number
