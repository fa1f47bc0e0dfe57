"""The further pages of a list: visited if all of the list was replaced since the last visit, so items may be missed.

They are visited until one shows something that the list showed at the visit before: that has hidden nothing. How many
pages that may be is set for each front by the policy. The archive keeps looks that have not ended, so that a crawl that
is interrupted goes on with them.
"""

from collections import defaultdict
from collections.abc import Collection
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import datetime

from broadsheet.archive import PRIORITIES, AgendaEntry, Membership, OpenLook, PageRecord, VisitReason
from broadsheet.base import reasons, urls
from broadsheet.base.domains import registrable_domain
from broadsheet.newsroom.agenda import Agenda
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.front_paces import FrontPaces
from broadsheet.newsroom.front_register import FrontRegister
from broadsheet.newsroom.kept_pages import AnsweredVisit
from broadsheet.newsroom.page_links import PageLinks
from broadsheet.newsroom.page_visit import FoundLinks

#: A list of fewer articles than this can be replaced as a whole though nothing else came.
MIN_LISTED = 5


@dataclass(frozen=True, slots=True)
class _Look:
    """A look at one page of the list of a front."""

    front: str
    #: What the front linked to at the visit before; empty if that was in an earlier crawl.
    before: AbstractSet[str]
    #: When that visit was, and the one that began the look.
    since: datetime
    begun: datetime
    #: The number of the page, the front being 1.
    number: int = 1


class FurtherPages:
    """Plans visits to the next page of a list."""

    def __init__(self, desk: Desk, agenda: Agenda, register: FrontRegister, paces: FrontPaces) -> None:
        """Use this agenda, this record of fronts, and these paces, which record how looks at lists end."""
        self._desk = desk
        self._agenda = agenda
        self._register = register
        self._paces = paces
        #: The looks at pages that were planned, by source and page.
        self._looks: dict[tuple[str, str], _Look] = {}
        #: The sources whose looks from earlier crawls were taken up.
        self._resumed: set[str] = set()

    def look_beyond(self, visit: AnsweredVisit, links: FoundLinks, fresh: Collection[str], before: PageLinks) -> bool:
        """Plan a visit to the second page of a front whose list shows nothing that it showed at the visit before.

        Return whether there is one: if so, the end of this look decides whether something may have been missed.
        """
        since = visit.page.fetch.fetched_at
        if since is None:
            # What a source published before it was followed is not asked for.
            return False
        self.give_up(visit)
        look = _Look(visit.page.key, frozenset(before.keys), since, visit.answer.at)
        goes_on = self._look(visit, links, set(fresh), look)
        self._keep(visit.source, look.front)
        return goes_on

    def look_further(self, visit: AnsweredVisit, links: FoundLinks, fresh: Collection[str]) -> None:
        """Plan a visit to the page after a further page of a list, if that shows nothing known either."""
        self._resume(visit.source)
        look = self._looks.pop((visit.source, visit.page.key), None)
        # An archive of an earlier version may have planned the visit without keeping why.
        if look is not None:
            self._look(visit, links, set(fresh), look)
            self._keep(visit.source, look.front)

    def give_up(self, visit: AnsweredVisit) -> None:
        """End the looks at a front that began at earlier visits, if their next pages are not there."""
        source, front = visit.source, visit.page.key
        self._resume(source)
        for key, look in self._of(source, front).items():
            if source not in self._agenda.planned(key):
                del self._looks[source, key]
                self._paces.tally.add_gap(source, front, look.since, look.begun)
        self._keep(source, front)

    def _of(self, source: str, front: str) -> dict[str, _Look]:
        return {page: look for (of, page), look in self._looks.items() if (of, look.front) == (source, front)}

    def _resume(self, source: str) -> None:
        """Go on with the looks that an earlier crawl began, unless they are known."""
        if source in self._resumed:
            return
        self._resumed.add(source)
        for front, record in self._register.known(source).items():
            for look in record.looks:
                self._looks[source, look.page] = _Look(front, frozenset(), look.since, look.begun, look.number)

    def _keep(self, source: str, front: str) -> None:
        """Keep the looks at a front that have not ended for another crawl."""
        record = self._register.of(source, front)
        looks = tuple(
            OpenLook(page=page, number=look.number, since=look.since, begun=look.begun)
            for page, look in self._of(source, front).items()
        )
        if looks != record.looks:
            self._register.put(replace(record, looks=looks))

    def _look(self, visit: AnsweredVisit, links: FoundLinks, fresh: set[str], look: _Look) -> bool:
        is_open = self._is_replaced(visit.source, links, fresh, look)
        further = links.next_page if is_open else None
        if further is not None and look.number >= self._register.of(visit.source, look.front).depth:
            self._desk.miss(visit.source, reasons.OVER_DEPTH, url=further)
        elif further is not None and self._plan(visit, further, replace(look, number=look.number + 1)):
            return True
        if not is_open or further is not None or look.number > 1:
            self._paces.set_depth(visit.source, look.front, is_open=is_open)
        if is_open and (further is not None or look.number > 1):
            self._paces.tally.add_gap(visit.source, look.front, look.since, look.begun)
        return further is not None

    def _is_replaced(self, source: str, links: FoundLinks, fresh: set[str], look: _Look) -> bool:
        """Return whether a list shows no article that was there before, and mostly such as have come since.

        It is the list with the most articles that nothing else has shown; if there is none, the longest.
        """
        targets = set(links.rows.targets)
        is_elsewhere = self._paces.leadership.is_shown_elsewhere(source, look.front)
        if not (fresh if is_elsewhere else self._articles(targets - look.before)):
            return False
        articles = self._articles(targets)
        came = {
            key
            for key, page in articles.items()
            if key in fresh or (not is_elsewhere and page.first_seen is not None and page.first_seen > look.since)
        }
        lists: defaultdict[str, set[str]] = defaultdict(set)
        for collection, target in zip(links.rows.collections, links.rows.targets, strict=True):
            if target in articles:
                lists[collection].add(target)
        longest = max(lists.values(), key=lambda listed: (len(listed & fresh), len(listed)), default=set())
        # If the page was empty at the visit before, whatever is known has to do.
        shown = longest & look.before if look.before else longest - came
        return not shown and len(longest) >= MIN_LISTED and len(longest & came) > len(longest) / 2

    def _articles(self, keys: AbstractSet[str]) -> dict[str, PageRecord]:
        return {key: page for key, page in self._desk.writer.pages(keys).items() if page.kind == "article"}

    def _plan(self, visit: AnsweredVisit, url: str, look: _Look) -> bool:
        """Plan a visit to a further page; return whether there will be one."""
        key, now, source = urls.key(url), self._desk.clock.now(), visit.source
        if source in self._agenda.planned(key):
            return (source, key) in self._looks
        if registrable_domain(url) != self._agenda.domain(source) or len(url) > urls.MAX_LENGTH:
            return False
        if self._desk.record(key) is None:
            self._desk.batch.page(PageRecord(key=key, url=url, first_seen=now))
        if not self._desk.writer.members(source, (key,)):
            member = Membership(source=source, page=key, first_seen=now, found_on=visit.page.key)
            self._desk.batch.member(member)
        self._looks[source, key] = look
        reason = VisitReason.FURTHER_PAGE
        self._agenda.plan(AgendaEntry(source=source, page=key, due=now, reason=reason, priority=PRIORITIES[reason]))
        return True
