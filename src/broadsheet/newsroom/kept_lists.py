"""Pages that list others, as they are kept: fronts, their further pages, feeds, and sections that are new."""

from dataclasses import replace

from broadsheet.archive import AgendaEntry, PageRecord
from broadsheet.newsroom.agenda import Agenda
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.front_paces import FrontPaces
from broadsheet.newsroom.fronts import Fronts
from broadsheet.newsroom.further_pages import FurtherPages
from broadsheet.newsroom.kept_pages import AnsweredVisit, PageKeeper
from broadsheet.newsroom.page_links import readdress, readdress_rows
from broadsheet.newsroom.page_visit import Findings, FoundLinks
from broadsheet.newsroom.revisits import Revisits
from broadsheet.newsroom.session_links import SessionLinks
from broadsheet.newsroom.sightings import NOT_FOLLOWED
from broadsheet.newsroom.source_feeds import SourceFeeds
from broadsheet.newsroom.source_phases import SourcePhases


class ListKeeper:
    """Keeps pages with what they link to, and passes the links on to what follows them."""

    def __init__(  # noqa: PLR0913, PLR0917 - everything that follows links
        self,
        desk: Desk,
        agenda: Agenda,
        pages: PageKeeper,
        fronts: Fronts,
        feeds: SourceFeeds,
        revisits: Revisits,
        paces: FrontPaces,
        phases: SourcePhases,
    ) -> None:
        """Take the keeper of pages, and everything that follows what they list."""
        self._desk = desk
        self._agenda = agenda
        self._pages = pages
        self._fronts = fronts
        self._feeds = feeds
        self._revisits = revisits
        self._paces = paces
        self._phases = phases
        self._further = FurtherPages(desk, agenda, fronts.register, paces)
        self._sessions = SessionLinks()

    def keep_front(self, visit: AnsweredVisit, page: PageRecord, found: Findings) -> None:
        """Keep a home page or section that is followed, and note what it links to."""
        if found.links is None:
            self._pages.keep(visit, page)
            return
        links = self._without_sessions(visit, page, found.links)
        self._pages.count_dropped(visit, links)
        if page.key in self._agenda.sources:
            self._fronts.events.home_came(visit.page)
            self._paces.home_came(visit.page)
        self._pages.keep(visit, self._fronts.moved(visit, page), links.rows)
        before = self._desk.links.of(page.key)
        self._revisits.see_headlines(page.key, before, links.targets)
        self._desk.links.remember(page.key, links.targets)
        self._fronts.memory.see(visit.source, page.key, visit.answer.at, links.rows)
        self._fronts.see(page.key)
        fresh = self._fronts.sightings.fresh.get(visit.source, ())
        goes_on = self._further.look_beyond(visit, links, fresh, before)
        received = len(visit.answer.exchanges[-1].body)
        since = visit.page.fetch.fetched_at
        self._paces.changed(page.key, before, links.targets, since=since, received=received, goes_on=goes_on)
        self._phases.see_home(page.key, links.rows)
        self._feeds.seen_front(visit, links.feeds)

    def keep_front_again(self, visit: AnsweredVisit) -> None:
        """Note that a front links to what it linked to at the visit before."""
        self._further.give_up(visit)
        self._fronts.memory.see_again(visit.source, visit.page.key, visit.answer.at)
        self._fronts.see(visit.page.key)
        self._paces.unchanged(visit.page.key)
        self._feeds.seen_front(visit)

    def keep_further(self, visit: AnsweredVisit, page: PageRecord, found: Findings) -> None:
        """Keep the further page of a front, and note what it links to."""
        if found.links is None:
            self._pages.keep(visit, page)
            return
        links = self._without_sessions(visit, page, found.links)
        self._pages.count_dropped(visit, links)
        self._pages.keep(visit, page, links.rows)
        self._fronts.memory.see(visit.source, page.key, visit.answer.at, links.rows)
        self._fronts.sightings.see(visit.source, page.key, links.targets)
        self._further.look_further(visit, links, self._fronts.sightings.fresh.get(visit.source, ()))

    def keep_feed(self, visit: AnsweredVisit, page: PageRecord, found: Findings) -> None:
        """Keep a feed or sitemap, and use what it lists."""
        links, listing = found.links, found.listing
        if links is None or listing is None:
            raise RuntimeError("a feed was not read")
        self._pages.count_dropped(visit, links)
        before = self._desk.links.of(page.key)
        # A feed that moved answers 304 only at its new address.
        self._pages.keep(visit, replace(page, url=visit.answer.url), links.rows)
        self._desk.links.remember(page.key, links.targets)
        self._revisits.see_headlines(page.key, before, links.targets)
        self._feeds.keep(visit, listing, links.targets, before)

    def follow(self, visit: AnsweredVisit, page: PageRecord, links: FoundLinks) -> list[AgendaEntry]:
        """Keep a section, note what it links to already, and return the visits with which it is followed."""
        subtype = page.judged.verdict.subtype if page.judged else None
        if subtype in NOT_FOLLOWED:
            self._pages.keep(visit, page)
            return []
        links = self._without_sessions(visit, page, links)
        self._pages.count_dropped(visit, links)
        self._pages.keep(visit, page, links.rows)
        self._fronts.memory.see(visit.source, page.key, visit.answer.at, links.rows)
        following: list[AgendaEntry] = []
        wanted = {visit.source, *self._agenda.planned(visit.page.key)}
        for source in sorted(wanted):
            entry = self._fronts.following(source, page) if self._fronts.sightings.may_follow(source, page) else None
            if entry is not None:
                following.append(entry)
                self._fronts.found(source, page)
                self._fronts.sightings.see(source, page.key, links.targets)
        if following:
            # Many pages that look like sections are never visited again; their links would only fill the memory.
            self._desk.links.remember(page.key, links.targets)
        return following

    def _without_sessions(self, visit: AnsweredVisit, page: PageRecord, links: FoundLinks) -> FoundLinks:
        """Lead links whose addresses are new in each session to the pages as they are known."""
        addresses = dict(zip(links.targets.keys, links.targets.urls, strict=True))
        known = self._sessions.known(visit.source, page.key, visit.answer.url, addresses)
        if not known:
            return links
        return replace(links, rows=readdress_rows(links.rows, known), targets=readdress(links.targets, known))
