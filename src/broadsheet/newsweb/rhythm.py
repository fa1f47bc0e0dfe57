"""When a section publishes: more in its morning hours than at night, and on weekdays than at weekends."""

import math
from dataclasses import dataclass
from datetime import date
from random import Random

#: An address has two digits for an article's place in its day.
MOST_A_DAY = 99


@dataclass(frozen=True, slots=True)
class Rhythm:
    """The habits of one section: articles on a weekday, their share at weekends, and its two busy hours."""

    articles: float
    weekend: float
    morning: float
    evening: float

    def expected(self, day: date) -> float:
        """Return how many articles such a day has on average."""
        return self.articles * (self.weekend if day.weekday() >= 5 else 1.0)

    def weights(self) -> list[float]:
        """Return how likely each hour of the day is, with something left for the night."""
        return [
            0.05 + math.exp(-(((hour - self.morning) / 2.5) ** 2)) + 0.5 * math.exp(-(((hour - self.evening) / 2) ** 2))
            for hour in range(24)
        ]

    def seconds(self, day: date, rng: Random) -> list[int]:
        """Choose the moments of one day, in seconds since midnight and in their order."""
        number = min(_poisson(self.expected(day), rng), MOST_A_DAY)
        hours = rng.choices(range(24), self.weights(), k=number)
        return sorted(hour * 3600 + rng.randrange(3600) for hour in hours)


def make_rhythm(rng: Random) -> Rhythm:
    """Invent the habits of a section of a small site."""
    return Rhythm(
        articles=rng.uniform(4, 12),
        weekend=rng.uniform(0.3, 0.7),
        morning=rng.uniform(6, 10),
        evening=rng.uniform(16, 20),
    )


def _poisson(mean: float, rng: Random) -> int:
    """Draw a number of events, by Knuth's product of uniform numbers."""
    floor, product, number = math.exp(-mean), rng.random(), 0
    while product > floor:
        product *= rng.random()
        number += 1
    return number
