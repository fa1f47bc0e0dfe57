"""The fronts of sources: home pages and sections, visited again and again, and what their links lead to."""

from dataclasses import replace
from datetime import datetime, timedelta

from broadsheet.archive import PRIORITIES, AgendaEntry, Membership, PageRecord, SourceRecord, VerdictRecord, VisitReason
from broadsheet.base import reasons, urls
from broadsheet.base.records import Verdict
from broadsheet.newsroom.agenda import Agenda, next_due
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.event_recorder import EventRecorder
from broadsheet.newsroom.front_register import FrontRegister
from broadsheet.newsroom.kept_pages import AnsweredVisit, without_validators
from broadsheet.newsroom.link_memory import LinkMemory
from broadsheet.newsroom.sightings import Sightings


class Fronts:
    """Decides which sections a source follows, and notes what its fronts link to."""

    def __init__(self, desk: Desk, agenda: Agenda) -> None:
        """Take the agenda on which fronts are planned."""
        self._desk = desk
        self._agenda = agenda
        self.sightings = Sightings(desk, agenda)
        self.events = EventRecorder(desk)
        self.memory = LinkMemory(desk, agenda)
        self.register = FrontRegister(desk)

    def plan_homes(self, source: SourceRecord) -> None:
        """Follow the home page of a source, and those of its further editions, unless they are followed already."""
        homes = zip(self._agenda.homes(source.key), (source.url, *source.settings.editions), strict=True)
        for key, url in homes:
            if not self._agenda.follows(source.key, key):
                self._plan_home(source, key, url)

    def _plan_home(self, source: SourceRecord, key: str, url: str) -> None:
        now = self._desk.clock.now()
        verdict = Verdict("section", "home", 1.0, {"section": 1.0}, ("the home page of the source",), "given")
        judged = VerdictRecord(verdict=verdict, at=now)
        known = self._desk.record(key)
        if known is None:
            known = PageRecord(key=key, url=url, first_seen=now)
            if key == source.key:
                self.memory.begin(key)
        if not self._desk.links.of(key).keys:
            known = without_validators(known)
        self._desk.batch.page(replace(known, url=url, judged=judged))
        self._desk.batch.member(Membership(source=source.key, page=key, first_seen=now, found_on=source.key))
        reason = VisitReason.HOME
        self._agenda.plan(
            AgendaEntry(
                source=source.key,
                page=key,
                due=now,
                reason=reason,
                priority=PRIORITIES[reason],
                every=source.every,
            )
        )

    def following(self, source: str, page: PageRecord) -> AgendaEntry | None:
        """Return the entry with which a source follows a section, in step with its home page.

        None if there is no room, if it was given up lately, or if it redirects to one that is followed.
        """
        is_copy = page.duplicate_of is not None and self._agenda.follows(source, page.duplicate_of)
        if is_copy or not self.register.may_join(source, page.key):
            return None
        if self._agenda.followed(source) >= self._desk.quotas.max_sections:
            self._desk.miss(source, reasons.OVER_SECTIONS, url=page.url)
            return None
        return AgendaEntry(
            source=source,
            page=page.key,
            due=self.next_home(source),
            reason=VisitReason.SECTION,
            priority=PRIORITIES[VisitReason.SECTION],
            every=self._agenda.sources[source].every,
        )

    def found(self, source: str, page: PageRecord) -> None:
        """Note that a source follows a section from now on."""
        self._desk.progress.sections += 1
        self.register.join(source, page.key)
        self.events.section_found(source, page)

    def lose(self, source: str, page: PageRecord, because: str, to: str = "", *, may_rejoin: bool = True) -> None:
        """Follow a section of a source no more, and note why; without `may_rejoin`, not for some time."""
        self._agenda.unplan(source, page.key)
        self.register.leave(source, page.key, because, may_rejoin=may_rejoin)
        self.events.section_lost(source, page, because, to)

    def next_home(self, source: str) -> datetime:
        """Return when the home page of a source is due after now."""
        home, now = self._agenda.planned(source).get(source), self._desk.clock.now()
        last = home.due if home else now
        every = timedelta(seconds=self._agenda.sources[source].every)
        return last if last > now else next_due(last, every, now)

    def moved(self, visit: AnsweredVisit, page: PageRecord) -> PageRecord:
        """Return a front that has moved within its site: asked for at its new address, it can answer 304."""
        if urls.normalise(page.url) == urls.normalise(visit.answer.url):
            return page
        final = urls.key(visit.answer.url)
        if not self._agenda.is_home(page.key) and final != page.key:
            for source in self._agenda.planned(final):
                if source in self._agenda.planned(page.key):
                    # What it leads to is followed already.
                    page = replace(page, duplicate_of=final)
                    self.lose(source, page, "redirects to a section that is followed", visit.answer.url)
        return replace(page, url=visit.answer.url)

    def see(self, front: str) -> None:
        """Note what a front links to, for every source that wants it."""
        self._desk.progress.visits += 1
        for source, entry in self._agenda.planned(front).items():
            if entry.every is None:
                # It came as a front of another source, before this one could find out what it is.
                self._join(source, front)
                continue
            if front == source:
                self._desk.reached(source)
            for section in self.sightings.see(source, front, self._desk.links.of(front)):
                self._join(source, section.key)

    def _join(self, source: str, key: str) -> None:
        """Follow a section that came for another source, and note what it links to already."""
        page = self._desk.record(key)
        entry = self.following(source, page) if page else None
        if page is None or entry is None:
            return
        home, now = self._agenda.planned(source).get(source), self._desk.clock.now()
        fetched = page.fetch.fetched_at
        if home is not None and (fetched is None or now - fetched > timedelta(seconds=home.every or 0) / 2):
            entry = replace(entry, due=min(home.due, now))
        self._agenda.plan(entry)
        # What it linked to before counts as well.
        self.memory.forget(source)
        self.found(source, page)
        self.sightings.see(source, key, self._desk.links.of(key))
