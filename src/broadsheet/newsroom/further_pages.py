"""The further pages of a list: visited if all of the list was replaced since the last visit, so items may be missed.

How deep that goes depends on the list alone: one that shows some of what it showed before has hidden nothing.
"""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import replace

from broadsheet.archive import AgendaEntry, Membership, PageRecord, VisitReason
from broadsheet.base import reasons, urls
from broadsheet.base.domains import registrable_domain
from broadsheet.newsroom.agenda import PRIORITIES, Agenda
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.front_register import FrontRegister
from broadsheet.newsroom.kept_pages import AnsweredVisit
from broadsheet.newsroom.page_visit import FoundLinks

#: A list that has fewer new articles than this can be short for other reasons.
LEAST_NEW = 5
#: Pages of one list, the first included, that are visited at one time.
MOST_DEPTH = 10


class FurtherPages:
    """Plans visits to the next page of a list."""

    def __init__(self, desk: Desk, agenda: Agenda, register: FrontRegister) -> None:
        """Take the agenda on which visits are planned, and what is known of fronts."""
        self._desk = desk
        self._agenda = agenda
        self._register = register
        #: How deep the pages lie that were planned, by source and page.
        self._depths: dict[tuple[str, str], int] = {}
        #: The front to whose list each of them belongs.
        self._lists: dict[tuple[str, str], str] = {}

    def look_further(self, visit: AnsweredVisit, links: FoundLinks, fresh: Collection[str]) -> bool:
        """Plan a visit to the next page of a list that shows nothing of what was known before this visit.

        Return whether one was planned.
        """
        if visit.page.fetch.fetched_at is None and visit.is_front:
            # What a source published before it was followed is not asked for.
            return False
        depth = self._depths.pop((visit.source, visit.page.key), 1)
        front = self._lists.pop((visit.source, visit.page.key), visit.page.key)
        known = self._register.of(visit.source, front)
        if known.depth != depth:
            self._register.put(replace(known, depth=depth))
        if links.next_page is None or not self._is_replaced(links, set(fresh)):
            return False
        if depth >= MOST_DEPTH:
            self._desk.miss(visit.source, reasons.OVER_DEPTH, url=links.next_page)
            return False
        self._plan(visit, links.next_page, depth + 1, front)
        return True

    def _is_replaced(self, links: FoundLinks, fresh: set[str]) -> bool:
        """Return whether the list with the most new articles shows no article that was known before."""
        if len(fresh) < LEAST_NEW:
            return False
        articles = {key for key, page in self._desk.writer.pages(fresh).items() if page.kind == "article"}
        lists: defaultdict[str, set[str]] = defaultdict(set)
        for collection, target in zip(links.rows.collections, links.rows.targets, strict=True):
            lists[collection].add(target)
        longest = max(lists.values(), key=lambda targets: len(targets & articles), default=set())
        if len(longest & articles) < LEAST_NEW:
            return False
        known = self._desk.writer.pages(longest - fresh).values()
        return not any(page.kind == "article" for page in known)

    def _plan(self, visit: AnsweredVisit, url: str, depth: int, front: str) -> None:
        key, now, source = urls.key(url), self._desk.clock.now(), visit.source
        is_ours = registrable_domain(url) == registrable_domain(self._agenda.sources[source].url)
        if not is_ours or len(url) > urls.MAX_LENGTH or source in self._agenda.planned(key):
            return
        if self._desk.record(key) is None:
            self._desk.batch.page(PageRecord(key=key, url=url, first_seen=now))
        if not self._desk.writer.members(source, (key,)):
            member = Membership(source=source, page=key, first_seen=now, found_on=visit.page.key)
            self._desk.batch.member(member)
        self._depths[source, key] = depth
        self._lists[source, key] = front
        reason = VisitReason.FURTHER_PAGE
        self._agenda.plan(AgendaEntry(source=source, page=key, due=now, reason=reason, priority=PRIORITIES[reason]))
