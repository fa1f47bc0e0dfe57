"""The agenda: which pages are due when, for which sources, and why; it hands out what the crawler fetches next."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from heapq import heappop, heappush
from itertools import count

from broadsheet.archive import (
    NEVER_FETCHED,
    PRIORITIES,
    AgendaEntry,
    PageRecord,
    PageState,
    SourceRecord,
    VisitReason,
)
from broadsheet.base import counter_names, reasons, urls
from broadsheet.base.domains import registrable_domain
from broadsheet.crawling.fetch_messages import Request
from broadsheet.newsroom.budgets import SourceBudget, own_quotas
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.handed_visits import HandedVisit, HandedVisits

#: Pages of one source that the crawler has at a time, beside its home page and sections; the others wait here, where
#: they need little memory.
WINDOW = 32
#: A visit to a home page that is due less than this share of its interval after a snapshot is not another one.
BROUGHT_FORWARD = 0.8
#: The share of a source's budget that is left to its home page and sections.
RESERVE = 0.1


class Agenda:
    """The planned visits of all sources that are crawled; every change is written to the open batch.

    A page that several sources want is fetched once for all of them. A source that was left keeps its plans, but none
    of its visits is handed out.
    """

    def __init__(self, desk: Desk, sources: Mapping[str, SourceRecord]) -> None:
        """Start with what the archive has planned for the sources."""
        self._desk = desk
        #: All sources of which anything is known here, those that were left included.
        self.sources: dict[str, SourceRecord] = {}
        self._homes: dict[str, tuple[str, ...]] = {}
        self._domains: dict[str, str] = {}
        #: The home pages of all sources and editions.
        self._all_homes: set[str] = set()
        self._budgets: dict[str, SourceBudget] = {}
        self._plans: dict[str, dict[str, AgendaEntry]] = {}
        #: Pages that are wanted once and not due yet, of all sources.
        self._later: list[tuple[datetime, int, str, str]] = []
        #: Those that are due, by source, until it is their turn; only sources that are followed have a list.
        self._waiting: dict[str, list[tuple[int, datetime, int, str]]] = {}
        self._handed = HandedVisits()
        #: Sources whose turn may have come, in order.
        self._touched: dict[str, None] = {}
        self._order = count()
        #: The home page and sections of each source.
        self._fronts: dict[str, set[str]] = {}
        #: When the last snapshot of each source should have been in this crawl: whole intervals after the first.
        self._last_snapshot: dict[str, datetime] = {}
        for source in sources.values():
            self.follow(source)

    def __len__(self) -> int:
        """Return how many visits are planned."""
        return sum(map(len, self._plans.values()))

    def follow(self, source: SourceRecord) -> None:
        """Hand out the visits of a source from now on: those that the archive has planned, and new ones."""
        key, is_new, pace = source.key, source.key not in self.sources, self._desk.settings.pace
        if source.pace != pace:
            source = replace(source, pace=pace)
            self._desk.batch.source(source)
        self.update(source)
        self._waiting[key] = []
        self._handed.restore_all(key)
        if is_new:
            entries = [each.entry for each in self._desk.writer.agenda(key)]
        else:
            entries = [planned[key] for planned in self._plans.values() if key in planned]
        for entry in entries:
            self._put(entry)

    def leave(self, source: SourceRecord) -> None:
        """Hand out no more visits of a source; what is planned for it stays."""
        key = source.key
        if key not in self.sources:
            return
        self.update(source)
        self._waiting.pop(key, None)
        self._touched.pop(key, None)
        for page in self._handed.withdraw_all(key):
            for entry in self.planned(page).values():
                # The visit may have served other sources, too.
                self._put(entry)

    def update(self, source: SourceRecord) -> None:
        """Take a change to a source that is known here, or a new one."""
        self.sources[source.key] = source
        before, homes = self._homes.get(source.key, ()), (source.key, *map(urls.key, source.settings.editions))
        self._homes[source.key] = homes
        self._domains[source.key] = registrable_domain(source.url)
        self._all_homes.update(homes)
        if not set(before) <= set(homes):
            # Another source may still have an edition that this one has given up.
            self._all_homes = set().union(*self._homes.values())
        quotas = own_quotas(self._desk.quotas, source.settings)
        if source.key in self._budgets:
            self._budgets[source.key].change(quotas, self._desk.clock.now())
        else:
            self._budgets[source.key] = SourceBudget(quotas, self._desk.clock.now())

    def is_followed(self, source: str) -> bool:
        """Return whether visits of a source are handed out."""
        return source in self._waiting

    def homes(self, source: str) -> tuple[str, ...]:
        """Return the home page of a source, and those of its further editions."""
        return self._homes[source]

    def domain(self, source: str) -> str:
        """Return the registrable domain of a source, which says what belongs to its site."""
        return self._domains[source]

    def is_home(self, page: str) -> bool:
        """Return whether a page was given as the home page of a source, or of an edition of one."""
        return page in self._all_homes

    def is_wanted(self, request: Request) -> bool:
        """Return whether the crawler is to begin a visit that it was handed."""
        return self._handed.is_wanted(request.number)

    def answered(self, request: Request) -> None:
        """Note that a visit was answered."""
        self._handed.answered(request.tag, request.number)

    def planned(self, page: str) -> dict[str, AgendaEntry]:
        """Return the planned visits of a page, by source."""
        return dict(self._plans.get(page, {}))

    def why(self, page: str, source: str) -> VisitReason:
        """Return why a page was fetched for a source: it is a front if it is one for any source.

        A page that was taken off the agenda meanwhile is still what it was asked for as.
        """
        asked, wanted = self._handed.entry_in_hand(page), list(self._plans.get(page, {}).values())
        if asked is not None and asked not in wanted:
            wanted.append(asked)
        if len(wanted) <= 1:
            return wanted[0].reason if wanted else VisitReason.CANDIDATE

        def rank(entry: AgendaEntry) -> tuple[bool, bool, int]:
            is_front = entry.every is not None
            return not is_front, not is_front and entry.source != source, -entry.priority

        return min(wanted, key=rank).reason

    def followed(self, source: str) -> int:
        """Return how many home pages and sections of a source are visited again and again."""
        return len(self._fronts.get(source, ()))

    def follows(self, source: str, page: str) -> bool:
        """Return whether a source visits a page again and again, as a home page or section."""
        return page in self._fronts.get(source, ())

    def fronts(self, source: str) -> list[str]:
        """Return the home page of a source and the sections that are visited again and again."""
        return sorted(self._fronts.get(source, ()), key=lambda page: (page != source, page))

    def plan(self, entry: AgendaEntry) -> None:
        """Plan a visit, in place of the one that is planned for the same source and page; none to a forgotten page."""
        if self._desk.writer.is_forgotten(entry.page):
            self._desk.miss(entry.source, reasons.FORGOTTEN, url=entry.page)
            return
        self._desk.batch.plan(entry)
        self._put(entry)

    def unplan(self, source: str, page: str) -> None:
        """Take a visit off the agenda."""
        self._desk.batch.unplan(source, page)
        self._drop(source, page)

    def settle(self, page: str, at: datetime, *, is_reached: bool = True) -> None:
        """Note that a page was visited: what is wanted once is done, and a front is due again after its interval."""
        self._release(page)
        for source, entry in self.planned(page).items():
            if entry.every is None:
                self.unplan(source, page)
                continue
            if entry.due - at >= timedelta(seconds=entry.every) / 2:
                # The visit was for another source, which is quicker: it is too early to count for this one.
                self.plan(entry)
                continue
            if page == source:
                self._count_snapshot(source, entry.due, is_reached=is_reached)
            due = next_due(entry.due, timedelta(seconds=entry.every), at)
            wait = self._budgets[source].wait(at) if source in self._budgets else timedelta()
            self.plan(replace(entry, due=max(due, at + wait)))

    def postpone(self, page: str, until: datetime) -> None:
        """Plan another try of a page that could not be fetched; a front is due again after its interval anyway."""
        self._release(page)
        for entry in self.planned(page).values():
            retry = VisitReason.RETRY if entry.reason is VisitReason.CANDIDATE else entry.reason
            self.plan(replace(entry, due=until, reason=retry, priority=PRIORITIES[retry]))

    def spend(self, source: str, requests: int, received: int, at: datetime) -> None:
        """Charge a source with what a page has cost."""
        if source in self._budgets:
            self._budgets[source].spend(requests, received, at)

    def requests(self) -> list[Request]:
        """Return what the crawler can be given now: fronts with the time when they are due, and pages in their turn."""
        now = self._desk.clock.now()
        while self._later and self._later[0][0] <= now:
            due, order, source, page = heappop(self._later)
            entry = self._plans.get(page, {}).get(source)
            if entry is not None and entry.due == due and source in self._waiting:
                heappush(self._waiting[source], (-entry.priority, due, order, page))
                self._touched[source] = None
        while self._touched:
            source = next(iter(self._touched))
            del self._touched[source]
            self._take_turn(source, now)
        return [self._request(visit, not_before) for visit, not_before in self._handed.take_new()]

    def is_reached(self, source: str) -> bool:
        """Return whether a source has reached its goal, so that no front is visited any more."""
        record = self.sources[source]
        if record.until is not None and self._desk.clock.now() > record.until:
            return True
        return record.until_snapshot is not None and record.snapshots >= record.until_snapshot

    def _count_snapshot(self, source: str, due: datetime, *, is_reached: bool) -> None:
        """Count a visit to a home page, unless a policy has brought it forward: snapshots are an interval apart."""
        last, every = self._last_snapshot.get(source), timedelta(seconds=self.sources[source].every)
        if last is not None and due - last < BROUGHT_FORWARD * every:
            return
        # The next one is counted from when this one should have been: otherwise each would put off all that follow.
        self._last_snapshot[source] = (
            due if last is None else last + (due - last + (1 - BROUGHT_FORWARD) * every) // every * every
        )
        self.sources[source] = replace(self.sources[source], snapshots=self.sources[source].snapshots + 1)
        self._desk.batch.source(self.sources[source])
        self._desk.progress.snapshots += 1
        self._desk.batch.count(
            counter_names.SNAPSHOTS, None if is_reached else counter_names.HOME_NOT_REACHED, source=source
        )

    def _put(self, entry: AgendaEntry) -> None:
        self._drop(entry.source, entry.page)
        self._plans.setdefault(entry.page, {})[entry.source] = entry
        if _is_front(entry):
            self._fronts.setdefault(entry.source, set()).add(entry.page)
        if entry.source not in self._waiting:
            return
        self._touched[entry.source] = None
        if self._handed.serves(entry):
            return
        if entry.every is not None:
            self._handed.withdraw_later(entry)
            if not self._is_past_goal(entry):
                self._handed.hand(entry, entry.due)
        else:
            heappush(self._later, (entry.due, next(self._order), entry.source, entry.page))

    def _drop(self, source: str, page: str) -> None:
        planned = self._plans.get(page)
        if planned is None:
            return
        entry = planned.pop(source, None)
        if entry is not None and _is_front(entry):
            self._fronts[source].discard(page)
        if not planned:
            del self._plans[page]

    def _take_turn(self, source: str, now: datetime) -> None:
        """Hand out the pages whose turn it is, as far as window and budget go; fronts are handed out when planned."""
        waiting = self._waiting[source]
        while waiting and self._handed.turns(source) < WINDOW:
            entry = self._plans.get(waiting[0][3], {}).get(source)
            if entry is None or self._is_settled(entry, now):
                heappop(waiting)
                continue
            wait = self._budgets[source].wait(now, RESERVE, self._handed.turns(source))
            if wait and self.is_reached(source):
                # What the budget does not allow for now is left to the next crawl.
                return
            heappop(waiting)
            self._handed.hand(entry, now + wait if wait else None)

    def _is_settled(self, entry: AgendaEntry, now: datetime) -> bool:
        """Return whether a page that waits needs no visit now: it was put off, or was fetched for another source."""
        if entry.page in self._handed or entry.every is not None or entry.due > now:
            return True
        if entry.reason is not VisitReason.CANDIDATE or self._page(entry.page).state is PageState.KNOWN:
            return False
        self.unplan(entry.source, entry.page)
        return True

    def _request(self, visit: HandedVisit, not_before: datetime | None) -> Request:
        entry = visit.entry
        page, source = self._page(entry.page), self.sources[entry.source]
        # Of a page that scripts write, it says nothing that the page itself has not changed.
        is_scripted = source.scripts.fronts if entry.every is not None else source.scripts.articles
        fetch = NEVER_FETCHED if is_scripted and entry.reason is not VisitReason.FEED else page.fetch
        return Request(
            page.url,
            tag=page.key,
            etag=fetch.etag,
            last_modified=fetch.last_modified,
            not_before=not_before,
            priority=entry.priority,
            source=entry.source,
            not_after=source.until,
            number=visit.number,
            verify_tls=source.settings.verify_tls,
        )

    def _release(self, page: str) -> None:
        """Note that the crawler has returned a page: there is room for another of the same source."""
        entry = self._handed.take_back(page)
        if entry is not None and entry.source in self._waiting:
            self._touched[entry.source] = None

    def _page(self, key: str) -> PageRecord:
        page = self._desk.record(key)
        assert page is not None  # noqa: S101 - a visit is planned to a known page only
        return page

    def _is_past_goal(self, entry: AgendaEntry) -> bool:
        """Return whether a front is due only after the last snapshot, or the last moment, of its source's goal."""
        source = self.sources[entry.source]
        if source.until is not None and entry.due >= source.until:
            # What a visit at the last moment found could no longer be fetched.
            return True
        if source.until_snapshot is None:
            return False
        left = source.until_snapshot - source.snapshots
        home = self._plans.get(source.key, {}).get(source.key)
        if left <= 0 or home is None:
            return left <= 0
        every, last = timedelta(seconds=source.every), self._last_snapshot.get(source.key)
        following = home.due if last is None else max(home.due, last + BROUGHT_FORWARD * every)
        return entry.due > following + (left - 1) * every


def next_due(due: datetime, every: timedelta, now: datetime) -> datetime:
    """Return when a front is due again: in step with the last visit, but not before half an interval has passed.

    Visits that were missed are not made up for.
    """
    following, earliest = due + every, now + every / 2
    if following >= earliest:
        return following
    return following + -(-(earliest - following) // every) * every


def _is_front(entry: AgendaEntry) -> bool:
    return entry.every is not None and entry.reason is not VisitReason.FEED
