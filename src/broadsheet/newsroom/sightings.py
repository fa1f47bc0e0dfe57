"""Links that lead to pages of a source: what is new is judged by its address, and what is worth a visit is planned."""

from dataclasses import replace
from datetime import UTC, date

from broadsheet.archive import (
    AgendaEntry,
    FetchRecord,
    Membership,
    PageRecord,
    PageState,
    VerdictRecord,
    VisitReason,
)
from broadsheet.base import reasons, urls
from broadsheet.base.domains import registrable_domain
from broadsheet.base.records import Verdict
from broadsheet.newsroom.agenda import PRIORITIES, Agenda
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.judging import ADDRESS, judge_addresses, probabilities_of
from broadsheet.newsroom.page_links import PageLinks
from broadsheet.newsroom.page_visit import Probabilities

#: A page is fetched if the probability that it is an article, or a section, is at least this: one that is missed is
#: lost, and one too many costs one request.
LEAST_ARTICLE, LEAST_SECTION = 0.05, 0.1
#: Candidates that are more likely sections go first: they lead to articles.
SECTION_LEAD = 5
#: Links that are known to be seen, of all sources together; beyond them they are looked up again.
MOST_SEEN = 500_000


class Sightings:
    """Takes note of what the fronts of the sources link to."""

    def __init__(self, desk: Desk, agenda: Agenda) -> None:
        """Know no link yet."""
        self._desk = desk
        self._agenda = agenda
        #: By source and key: the address that was seen, and whether the home page has linked to it.
        self._seen: dict[tuple[str, str], tuple[str, bool]] = {}
        self._sections: dict[str, tuple[date, int]] = {}

    def see(self, source: str, front: str, links: PageLinks) -> None:
        """Note what a front links to, on the source's own site."""
        from_home = front == source
        domain = registrable_domain(self._agenda.sources[source].url)
        rows = [row for row in links.on_site(domain) if self._is_new(source, links, row, from_home=from_home)]
        if not rows:
            return
        keys = [links.keys[row] for row in rows]
        known, members = self._desk.writer.pages(keys), self._desk.writer.members(source, keys)
        verdicts = judge_addresses([links.urls[row] for row in rows], [links.anchors[row] for row in rows])
        now = self._desk.clock.now()
        for number, row in enumerate(rows):
            key, url = links.keys[row], links.urls[row]
            if key not in members and (full := self._desk.ledger.refusal(source, now)):
                self._desk.miss(source, full, url=url)
                continue
            page = self._page(source, known.get(key), key, url)
            if page is None:
                continue
            self._remember(source, key, url, from_home=from_home)
            if key not in members:
                anchor = links.anchors[row]
                self._desk.batch.member(
                    Membership(source=source, page=key, first_seen=now, found_on=front, anchor=anchor)
                )
            if page.fetch.state is PageState.KNOWN:
                page = self.consider(source, page, verdicts.verdict(number), from_home=from_home)
            if page != known.get(key):
                self._desk.batch.page(page)

    def consider(self, source: str, page: PageRecord, verdict: Verdict, *, from_home: bool) -> PageRecord:
        """Plan a visit to a page that was never fetched, if its address says that it is worth one."""
        now = self._desk.clock.now()
        address = probabilities_of(verdict)
        if page.judged is None or ADDRESS in page.judged.evidence:
            page = replace(page, judged=VerdictRecord(verdict=verdict, at=now, evidence={ADDRESS: address}))
        if self.is_wanted(source, page, address, from_home=from_home):
            lead = SECTION_LEAD if verdict.kind != "article" else 0
            # The page has to be known before a visit to it can be planned.
            self._desk.batch.page(page)
            self._agenda.plan(
                AgendaEntry(
                    source=source,
                    page=page.key,
                    due=now,
                    reason=VisitReason.CANDIDATE,
                    priority=PRIORITIES[VisitReason.CANDIDATE] + lead,
                )
            )
        return page

    def is_wanted(self, source: str, page: PageRecord, address: Probabilities, *, from_home: bool) -> bool:
        """Return whether to visit a page: it may be an article, or a section that the home page links to."""
        if page.key == source or source in self._agenda.planned(page.key):
            return False
        if address["article"] >= LEAST_ARTICLE:
            return True
        if not from_home or address["section"] < LEAST_SECTION:
            return False
        day, number = self._sections.get(source, (date.min, 0))
        today = self._desk.clock.now().astimezone(UTC).date()
        number = number if day == today else 0
        if number >= self._desk.quotas.max_section_candidates:
            self._desk.miss(source, reasons.OVER_SECTION_CANDIDATES, url=page.url)
            return False
        self._sections[source] = today, number + 1
        return True

    def adopt(self, source: str, alias: str, key: str) -> None:
        """Note that a source leads to the page that another one redirects to."""
        if self._desk.writer.members(source, (key,)):
            return
        now = self._desk.clock.now()
        before = self._desk.writer.members(source, (alias,)).get(alias)
        anchor = before.anchor if before else ""
        self._desk.batch.member(Membership(source=source, page=key, first_seen=now, found_on=alias, anchor=anchor))

    def _is_new(self, source: str, links: PageLinks, row: int, *, from_home: bool) -> bool:
        seen = self._seen.get((source, links.keys[row]))
        return seen is None or seen[0] != links.urls[row] or (from_home and not seen[1])

    def _remember(self, source: str, key: str, url: str, *, from_home: bool) -> None:
        if len(self._seen) >= MOST_SEEN:
            self._seen.clear()
        self._seen[source, key] = url, from_home

    def _page(self, source: str, known: PageRecord | None, key: str, url: str) -> PageRecord | None:
        """Return the record of a target; None if its address is too long, which is counted."""
        if len(url) > urls.MAX_LENGTH:
            self._desk.miss(source, reasons.ADDRESS_TOO_LONG, url=url)
            return None
        now = self._desk.clock.now()
        if known is None:
            return PageRecord(key=key, url=url, first_seen=now)
        if known.fetch.fetched_at is None and known.url != url:
            # Several addresses may have one key, and a dead one must not hide the others.
            is_dead = known.state in {PageState.GONE, PageState.FAILED}
            return replace(known, url=url, fetch=FetchRecord() if is_dead else known.fetch)
        return known if known.first_seen else replace(known, first_seen=now)
