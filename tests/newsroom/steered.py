"""A crawl that is steered by a script of random orders, and a simple model of what must and what may not happen."""

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from broadsheet.archive import Order, OrderKind, Store
from broadsheet.newsroom.assignment import Assignment
from broadsheet.newsroom.source_orders import give
from broadsheet.newsweb.response import Response, ServedContent, answer, failure
from broadsheet.simulation.simulated_crawl import simulate
from tests.newsroom.site import HOUR, ONCE, START, front, story

PAPERS = 3
#: An article is listed on the home page for so long.
LISTED = 4 * HOUR
PACES = (1800.0, 3600.0, 5400.0)
#: A home page is visited within its interval, and its articles come within minutes.
SURELY = timedelta(seconds=max(PACES)) + timedelta(minutes=15)
#: An order is looked for every minute, and what is in flight then still comes.
SOON = timedelta(seconds=90)

Span = tuple[datetime, datetime]


class Killed(BaseException):
    """What ends a crawl at once."""


class Papers:
    """Sites that each publish one article per hour; remembers what was asked for when."""

    def __init__(self) -> None:
        """Nothing was asked for yet."""
        self.asked: list[tuple[str, datetime]] = []

    def fetch(self, url: str, at: datetime, headers: Mapping[str, str]) -> Response:
        """Answer as a server would."""
        parts = urlsplit(url)
        key, path = parts.hostname or "", parts.path or "/"
        if path != "/" and "story-number-" not in path:
            return failure(404, b"", at)
        self.asked.append((key, at))
        if path == "/":
            page = front(*(address(number) for number in range(1000) if _is_listed(number, at)))
        else:
            page = story(f"{key} {path.split('-')[2]}")
        return answer(ServedContent("text/html; charset=utf-8", page.encode(), START - HOUR, 60), at, headers)


def address(number: int) -> str:
    """Return the path of the article that is published in an hour."""
    return f"/2026/03/02/story-number-{number}-of-all"


def published(number: int) -> datetime:
    """Return when an article is published."""
    return START + number * HOUR


def _is_listed(number: int, at: datetime) -> bool:
    return published(number) <= at < published(number) + LISTED


@dataclass
class Followed:
    """What the model knows of a source: its state, its settings, and when it was followed."""

    state: str = "absent"
    values: dict[str, Any] = field(default_factory=dict)
    spans: list[Span] = field(default_factory=list)
    since: datetime | None = None


class Model:
    """Predicts what orders do."""

    def __init__(self) -> None:
        """No source is known, and nothing runs."""
        self.sources = {f"paper{number}.example": Followed() for number in range(PAPERS)}
        self._runs = False

    def run(self, now: datetime) -> None:
        """Note that a crawl begins."""
        self._runs = True
        for source in self.sources.values():
            source.since = now if source.state == "active" else None

    def halt(self, now: datetime) -> None:
        """Note that the crawl ended."""
        self._runs = False
        for source in self.sources.values():
            self._close(source, now)

    def obey(self, order: Order, now: datetime) -> bool:
        """Apply an order, and return whether it makes sense."""
        source = self.sources[order.source]
        if order.what is OrderKind.ADD:
            return self._enter(source, "active", now)
        if source.state == "absent":
            return False
        if order.what is OrderKind.SET:
            source.values |= order.values
            return True
        if order.what is OrderKind.REMOVE:
            return self._enter(source, "removed", now)
        if source.state == "removed":
            # To pause it again does nothing, and is refused.
            return False
        return self._enter(source, "paused" if order.what is OrderKind.PAUSE else "active", now)

    def _enter(self, source: Followed, state: str, now: datetime) -> bool:
        if state == "active" and source.state != "active" and self._runs:
            source.since = now
        elif state != "active":
            self._close(source, now)
        source.state = state
        return True

    def _close(self, source: Followed, now: datetime) -> None:
        if source.since is not None:
            source.spans.append((source.since, now))
            source.since = None

    def required(self) -> Iterator[str]:
        """Give the titles of the articles that must be there: listed while their source was followed for long."""
        return self._titles(lambda overlap: overlap >= SURELY, timedelta())

    def possible(self) -> Iterator[str]:
        """Give the titles of the articles that may be there: listed while their source was followed at all."""
        return self._titles(lambda overlap: overlap > timedelta(), SOON)

    def _titles(self, is_enough: Callable[[timedelta], bool], slack: timedelta) -> Iterator[str]:
        for key, source in self.sources.items():
            for number in range(1000):
                first, last = published(number), published(number) + LISTED
                if any(is_enough(min(last, end + slack) - max(first, begin)) for begin, end in source.spans):
                    yield f"{key} {number}"

    def may_visit(self, key: str, at: datetime) -> bool:
        """Return whether a source may be visited at a moment."""
        return any(begin <= at <= end + SOON for begin, end in self.sources[key].spans)


class SteeredCrawl:
    """Runs crawls one after the other and steers them at random, keeping the model informed."""

    def __init__(self, folder: Path, seed: int, hours: float) -> None:
        """Take the archive's folder; the same seed gives the same orders."""
        self.folder = folder
        self.papers = Papers()
        self.model = Model()
        self._random = random.Random(seed)
        self._end = START + hours * HOUR
        self._next = START
        #: The orders that were left with a crawl, and whether each makes sense.
        self.placed: list[tuple[int, bool]] = []
        self.kills = self.stops = 0

    def play(self) -> None:
        """Crawl, stop, be killed, and go on until the end."""
        now = START
        self._give(Order(what=OrderKind.ADD, source="paper0.example", values={"every": 3600.0}, at=now), now)
        while now < self._end:
            if not any(source.state in {"active", "paused"} for source in self.model.sources.values()):
                self._give(Order(what=OrderKind.ADD, source="paper0.example", at=now), now)
            now = self._run(now) + self._random.uniform(0.05, 2.0) * HOUR
            for _ in range(self._random.randrange(3)):
                self._give(self._order(now), now)

    def _run(self, start: datetime) -> datetime:
        self.model.run(start)
        ended = start
        self._next = start + self._random.expovariate(1) * HOUR

        def on_wake(now: datetime) -> None:
            nonlocal ended
            ended = now
            if now >= self._end:
                self._stop(now)
            elif now >= self._next:
                self._next = now + self._random.expovariate(0.7) * HOUR
                self._steer(now)

        try:
            simulate(self.folder, self.papers.fetch, start, Assignment(), settings=ONCE, on_wake=on_wake)
        except Killed:
            self.kills += 1
        self.model.halt(ended)
        return ended

    def _steer(self, now: datetime) -> None:
        chance = self._random.random()
        if chance < 0.05:
            raise Killed
        if chance < 0.1:
            self._stop(now)
            return
        order = self._order(now)
        with Store.open(self.folder) as archive:
            placed = archive.place(order)
        assert placed is not None
        self.placed.append((placed[0].id, self.model.obey(order, now)))

    def _stop(self, now: datetime) -> None:
        with Store.open(self.folder) as archive:
            assert archive.place(Order(what=OrderKind.STOP, at=now)) is not None
        self.stops += 1

    def _give(self, order: Order, now: datetime) -> None:
        with Store.open(self.folder, create=True) as archive:
            [outcome] = give(archive, [order])
        self.placed.append((outcome.order.id, self.model.obey(order, now)))

    def _order(self, now: datetime) -> Order:
        kinds = [kind for kind in OrderKind if kind is not OrderKind.STOP]
        what = self._random.choices(kinds, weights=[3 if kind is not OrderKind.REMOVE else 1 for kind in kinds])[0]
        values: dict[str, Any] = {}
        if what is OrderKind.SET:
            values = self._random.choice(
                (
                    {"every": self._random.choice(PACES)},
                    {"name": f"Paper {self._random.randrange(10)}"},
                    {"tags": [f"tag {self._random.randrange(3)}"]},
                )
            )
        return Order(what=what, source=self._random.choice(list(self.model.sources)), values=values, at=now)
