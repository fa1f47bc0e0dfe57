"""Sends every source's cycles through the filters, while one crawler fetches for all of them."""

import logging
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from broadsheet.archive import ArchiveError, SourceRecord
from broadsheet.base.errors import WorkerFailed
from broadsheet.crawling.fetch_messages import Outcome, Request
from broadsheet.newsroom.cycle import Course, Cycle, Filter
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.filters.classify import Classify
from broadsheet.newsroom.filters.collect import Collect
from broadsheet.newsroom.filters.update import Update
from broadsheet.newsroom.filters.visit import Visit

_log = logging.getLogger(__name__)


def usual_filters(desk: Desk) -> tuple[Filter, ...]:
    """Return the filters of a round, in their order."""
    return (Visit(desk), Classify(desk), Collect(desk), Update(desk))


class Newsroom:
    """Decides what a crawler fetches next: `first` begins, `decide` goes on, `idle` makes the past durable."""

    def __init__(self, desk: Desk, filters: Sequence[Filter], sources: Sequence[SourceRecord]) -> None:
        """Take the desk, the filters and the sources to follow; nothing happens before `first`."""
        self._desk = desk
        self._filters = tuple(filters)
        self._sources = tuple(sources)
        self._courses: dict[str, Course] = {}

    def first(self) -> Iterator[Request]:
        """Begin a round of every source whose goal is not reached."""
        for source in self._sources:
            yield from self._begin(source)

    def decide(self, outcome: Outcome) -> list[Request]:
        """Hand a page to the filter that asked for it, and move its cycle on when it was the last one."""
        course = self._courses[outcome.request.source]
        course.waiting -= 1
        # All of it is done at once: a crawl that is ending uses the page, but not what it asks for.
        requests = [*self._ask(course, self._take(course, outcome)), *self._advance(course)]
        self._desk.commit_if_due()
        return requests

    def _take(self, course: Course, outcome: Outcome) -> list[Request]:
        """Let a filter use a page; one that it stumbles over is put aside, and stops nobody else."""
        try:
            return list(course.filter.take(course.cycle, outcome))
        except (ArchiveError, WorkerFailed):
            # Every page would fail in the same way.
            raise
        except Exception as error:  # noqa: BLE001 - one odd page of one site must not end the crawl of all
            _log.exception("%s of %s failed", course.filter.name, outcome.request.url)
            self._desk.put_aside(course.cycle.source.key, outcome.request, error)
            return []

    def idle(self) -> None:
        """Make durable what has come: nobody knows how long nothing will happen."""
        self._desk.commit()

    def _begin(self, source: SourceRecord) -> Iterator[Request]:
        now = self._desk.clock.now()
        due = max(now, source.next_round) if source.next_round else now
        if _reached(source, due):
            self._desk.finish(source)
            return
        filters = iter(self._filters)
        quotas = self._desk.quotas
        cycle = Cycle(
            source,
            source.rounds + 1,
            due,
            budget=quotas.max_fetches,
            section_budget=quotas.max_section_fetches,
            max_sightings=quotas.max_round_links,
        )
        course = Course(cycle, filters, next(filters))
        self._courses[source.key] = course
        yield from self._ask(course, course.filter.begin(course.cycle))
        yield from self._advance(course)

    def _advance(self, course: Course) -> Iterator[Request]:
        while course.waiting == 0:
            following = next(course.filters, None)
            if following is None:
                yield from self._begin(course.cycle.source)
                return
            course.filter = following
            yield from self._ask(course, following.begin(course.cycle))

    def _ask(self, course: Course, requests: Iterable[Request]) -> Iterator[Request]:
        # All are counted before the first is handed out: its outcome may come while the others are still made.
        asked = list(requests)
        course.waiting += len(asked)
        yield from asked


def _reached(source: SourceRecord, due: datetime) -> bool:
    if source.until_round is not None and source.rounds >= source.until_round:
        return True
    return source.until is not None and due > source.until
