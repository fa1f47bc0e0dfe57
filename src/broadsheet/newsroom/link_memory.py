"""How the links of each source have behaved lately: counted visit by visit, and again from the archive where needed."""

import hashlib
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from broadsheet.archive import LinkRows
from broadsheet.base import reasons
from broadsheet.newsroom.agenda import Agenda
from broadsheet.newsroom.desk import Desk
from broadsheet.sources.link_history import LinkVisit
from broadsheet.sources.source_links import SourceLinks

#: Links are followed over at least so many intervals of their source, and less than twice as many: what a section that
#: is new has done for a day must not be compared with two years of another.
SPAN = 24
#: Targets in memory: of one source, and of all together. Each takes about one kilobyte.
MAX_OF_ONE = 20_000
MAX_OF_ALL = 200_000
#: Links that wait to be counted, of all sources together: many visits in a row take less time than each by itself,
#: between the work on two pages.
MAX_WAITING = 4_000
#: If that much of what one source may have is left after pruning, its pages link to too much to be followed.
_MAX_LEFT = 0.8


@dataclass(slots=True)
class _Followed:
    """The links of a source since a moment, in seconds since 1970, at an interval."""

    begin: float
    every: float
    links: SourceLinks = field(default_factory=SourceLinks)

    def snapshot(self, at: float) -> int:
        """Return the snapshot of a visit; one that was kept late, after the first of the next, belongs to that one."""
        return max(int(at // self.every), self.links.history.last_snapshot)

    def add(self, page: str, at: float, rows: LinkRows) -> bool:
        """Count a visit; return whether it is newer than the earlier ones of its page."""
        if at <= self.links.history.last_visit(page):
            return False
        collections = collection_numbers(rows.collections, rows.version)
        visit = LinkVisit(page, at, self.snapshot(at), rows.targets, collections, rows.positions)
        self.links.add(visit, rows.urls, rows.anchors, rows.paths)
        return True

    def repeat(self, page: str, at: float) -> bool:
        """Count a visit that found a page as it was; return whether the page is known and the visit is newer."""
        is_newer = at > self.links.history.last_visit(page)
        return is_newer and self.links.repeat(page, at, self.snapshot(at))


class _WaitingVisit(NamedTuple):
    """A visit that is to be counted for a source; without links if the page was as before."""

    source: str
    page: str
    at: float
    links: LinkRows | None


class LinkMemory:
    """Knows the links of the sources that were asked for, as many as there is room for.

    A source comes into memory when it is first asked for, or when it is new, and from then on each visit is added,
    some of them together. Whatever makes that impossible only makes it be counted again from the archive when it is
    asked for the next time: a restart, a visit out of order, the end of the span, no room, another interval.
    """

    def __init__(self, desk: Desk, agenda: Agenda, most: int = MAX_OF_ALL, most_of_one: int = MAX_OF_ONE) -> None:
        """Begin empty."""
        self._desk = desk
        self._agenda = agenda
        self._most = most
        self._most_of_one = most_of_one
        self._is_expected = False
        self._followed: OrderedDict[str, _Followed] = OrderedDict()
        self._waiting: list[_WaitingVisit] = []
        self._links_waiting = 0

    def __len__(self) -> int:
        """Return how many pages are in memory."""
        return sum(len(followed.links.history) for followed in self._followed.values())

    def expect(self) -> None:
        """Count the links of new sources from their first visit on, because they will be asked for."""
        self._is_expected = True

    def begin(self, source: str) -> None:
        """Take a source of which nothing is in the archive yet, so that it need not be counted from there."""
        if self._is_expected:
            every = self._agenda.sources[source].every
            self._followed[source] = _Followed(span_start(self._desk.clock.now().timestamp(), every), every)

    def see(self, source: str, page: str, at: datetime, rows: LinkRows) -> None:
        """Count a visit that was made for a source, for all sources that follow the page."""
        if len(rows):
            self._wait(source, page, at, rows)

    def see_again(self, source: str, page: str, at: datetime) -> None:
        """Count a visit that found a page as it was."""
        self._wait(source, page, at, None)

    def _wait(self, source: str, page: str, at: datetime, links: LinkRows | None) -> None:
        for each in self._concerned(source, page):
            self._waiting.append(_WaitingVisit(each, page, at.timestamp(), links))
            self._links_waiting += len(links or ())
        if self._links_waiting >= MAX_WAITING:
            self._catch_up()

    def _catch_up(self) -> None:
        """Count the visits that wait, each source's in the order in which they came."""
        waiting, self._waiting, self._links_waiting = self._waiting, [], 0
        for visit in waiting:
            followed = self._followed.get(visit.source)
            if followed is None:
                continue
            if visit.links is None:
                is_counted = followed.repeat(visit.page, visit.at)
            else:
                is_counted = followed.add(visit.page, visit.at, visit.links)
            if is_counted:
                self._limit(visit.source, followed)
            else:
                self.forget(visit.source)

    def forget(self, source: str) -> None:
        """Count a source again from the archive when it is asked for the next time."""
        self._followed.pop(source, None)

    def of(self, source: str) -> SourceLinks:
        """Return the links of a source; what is in the open batch may have to be committed for that."""
        self._catch_up()
        every = self._agenda.sources[source].every
        begin = span_start(self._desk.clock.now().timestamp(), every)
        followed = self._followed.get(source)
        if followed is None or (followed.begin, followed.every) != (begin, every):
            followed = self._count_again(source, begin, every)
        self._followed[source] = followed
        self._followed.move_to_end(source)
        while len(self) > self._most and len(self._followed) > 1:
            self._followed.popitem(last=False)
        return followed.links

    def _concerned(self, source: str, page: str) -> list[str]:
        """Return the sources in memory that a visit is counted for."""
        followers = (name for name, entry in self._agenda.planned(page).items() if entry.every is not None)
        return [each for each in dict.fromkeys((source, *followers)) if each in self._followed]

    def _count_again(self, source: str, begin: float, every: float) -> _Followed:
        self._desk.commit()
        followed, origins = _Followed(begin, every), dict[str, int]()
        since = datetime.fromtimestamp(begin, UTC)
        for visit in self._desk.archive.linking_visits(source, self._agenda.fronts(source), since):
            at = visit.at.timestamp()
            is_same = origins.get(visit.page) == visit.origin
            if not (is_same and followed.repeat(visit.page, at)):
                followed.add(visit.page, at, visit.links)
                self._limit(source, followed)
            origins[visit.page] = visit.origin
        return followed

    def _limit(self, source: str, followed: _Followed) -> None:
        """Forget targets that nothing links to any more, if there are too many; all, if that does not help."""
        if len(followed.links.history) <= self._most_of_one:
            return
        pruned = followed.links.prune()
        if len(followed.links.history) > _MAX_LEFT * self._most_of_one:
            pruned += len(followed.links.history)
            followed.links = SourceLinks()
        self._desk.miss(source, reasons.OVER_TARGETS, pruned)


def span_start(now: float, every: float) -> float:
    """Return since when links count: fixed moments, so that a restart does not change what is counted."""
    span = SPAN * every
    return (now // span - 1) * span


def collection_numbers(collections: Sequence[str], version: int) -> NDArray[np.uint64]:
    """Return numbers for the identities of collections; those of different versions do not compare."""
    numbers = {name: _number(f"{version}/{name}") for name in dict.fromkeys(collections)}
    return np.array([numbers[name] for name in collections], np.uint64)


def _number(name: str) -> int:
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest())
