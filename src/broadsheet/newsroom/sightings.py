"""Links that lead to pages of a source: what is new is judged by its address, and what is worth a visit is planned."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import NamedTuple
from urllib.parse import urlsplit

from broadsheet.archive import (
    PRIORITIES,
    AgendaEntry,
    FeedFacts,
    FetchRecord,
    Membership,
    PageRecord,
    PageState,
    VerdictRecord,
    VisitReason,
)
from broadsheet.base import reasons, urls
from broadsheet.base.domains import registrable_domain
from broadsheet.base.reasons import Reason
from broadsheet.base.records import Verdict
from broadsheet.newsroom.agenda import Agenda
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.judging import ADDRESS, FEED, combined, judge_addresses, probabilities_of, with_evidence
from broadsheet.newsroom.page_links import PageLinks
from broadsheet.newsroom.page_visit import Probabilities
from broadsheet.newsroom.seen_links import SeenLinks
from broadsheet.reading import is_page_of

#: A page is fetched if the probability that it is an article, or a section, is at least this: one that is missed is
#: lost, and one too many costs one request.
MIN_ARTICLE, MIN_SECTION = 0.05, 0.1
#: A link of a section has to look more like one to a section: most are to topics and authors.
MIN_SUBSECTION = 0.5
#: Candidates that are more likely sections go first: they lead to articles.
SECTION_LEAD = 5
#: Sections of these kinds list what other sections list, and there are thousands of them.
NOT_FOLLOWED = frozenset({"author", "search"})
#: Items of feeds lead to articles; what looks like a section there is not visited.
ITEM_DISTANCE = 3
NO_EVIDENCE: Probabilities = {}


class NewItems(NamedTuple):
    """New items of a feed: what it says of each, by their keys, and what it means for a page to be listed there."""

    facts: Mapping[str, FeedFacts]
    evidence: Probabilities


NO_ITEMS = NewItems({}, NO_EVIDENCE)


class Sightings:
    """Takes note of what the fronts of the sources link to."""

    def __init__(self, desk: Desk, agenda: Agenda) -> None:
        """Know no link yet."""
        self._desk = desk
        self._agenda = agenda
        self._seen = SeenLinks()
        #: By source and front; there are no more than `source.max_sections` of each source.
        self._distances: dict[tuple[str, str], int] = {}
        self._sections: dict[str, tuple[date, int]] = {}
        #: The targets that were new when a front was last seen, by source.
        self.fresh: dict[str, list[str]] = {}

    def see(self, source: str, front: str, links: PageLinks) -> list[PageRecord]:
        """Note what a front links to, on the source's own site; return sections that were fetched for other sources."""
        distance = self.distance(source, front)
        domain = self._agenda.domain(source)
        rows = [
            row
            for row in links.on_site(domain)
            if not self._seen.knows(source, links.keys[row], links.urls[row], distance)
        ]
        self.fresh[source] = []
        return self._note(source, front, links, rows, distance)

    def see_items(self, source: str, feed: str, links: PageLinks, items: NewItems) -> None:
        """Note the new items of a feed, on the source's own site."""
        domain = self._agenda.domain(source)
        rows = [row for row in links.on_site(domain) if links.keys[row] in items.facts]
        self._note(source, feed, links, rows, ITEM_DISTANCE, items)

    def _note(  # noqa: PLR0913, PLR0917 - what was seen, and where
        self, source: str, front: str, links: PageLinks, rows: list[int], distance: int, items: NewItems = NO_ITEMS
    ) -> list[PageRecord]:
        """Note links in some rows; return sections that were fetched for other sources."""
        if not rows:
            return []
        keys = [links.keys[row] for row in rows]
        known = self._desk.writer.pages(keys)
        # No source can lead to a page that is not known.
        members = self._desk.writer.members(source, known)
        verdicts = judge_addresses([links.urls[row] for row in rows], [links.anchors[row] for row in rows])
        now = self._desk.clock.now()
        shared = []
        for number, row in enumerate(rows):
            key, url = links.keys[row], links.urls[row]
            refusal = self._refusal(source, key, url, is_member=key in members)
            if refusal is None or refusal == reasons.FORGOTTEN:
                self._seen.remember(source, key, url, distance)
            if refusal is not None:
                self._desk.miss(source, refusal, url=url)
                continue
            page = _page(known.get(key), key, url, now)
            if key not in members and items is NO_ITEMS:
                self.fresh[source].append(key)
            found = Membership(
                source=source,
                page=key,
                first_seen=now,
                found_on=front,
                anchor=links.anchors[row],
                listed=items.facts.get(key),
            )
            self._join(members.get(key), found)
            evidence = items.evidence if key in items.facts else {}
            if page.fetch.state is PageState.KNOWN:
                page = self.consider(source, page, verdicts.verdict(number), distance, evidence)
            elif evidence and page.judged is not None:
                page = page.with_verdict(with_evidence(page.judged, evidence))
            elif self._is_shared(source, page, distance):
                shared.append(page)
            if page is not known.get(key):
                self._desk.batch.page(page)
        return shared

    def _refusal(self, source: str, key: str, url: str, *, is_member: bool) -> Reason | None:
        """Return why a link is not noted, if there is a reason."""
        if len(url) > urls.MAX_LENGTH:
            return reasons.ADDRESS_TOO_LONG
        if self._desk.writer.is_forgotten(key):
            return reasons.FORGOTTEN
        return None if is_member else self._desk.ledger.refusal(source, self._desk.clock.now())

    def distance(self, source: str, front: str) -> int:
        """Return how far what a front links to is from the home page: 1 if the front is the home page itself."""
        homes = self._agenda.homes(source)
        if front in homes:
            return 1
        if (source, front) not in self._distances:
            member = self._desk.writer.members(source, (front,)).get(front)
            self._distances[source, front] = 2 if member is not None and member.found_on in homes else 3
        return self._distances[source, front]

    def may_follow(self, source: str, page: PageRecord) -> bool:
        """Return whether a source may follow a section: one that lies within it, and is not the second page of a list.

        What the home page itself links to counts as the first page, unless it is a further page of the home page.
        """
        if not self._lies_within(source, page.key) or not is_numbered(page.url):
            return self._lies_within(source, page.key)
        member = self._desk.writer.members(source, (page.key,)).get(page.key)
        is_first = member is not None and member.found_on in self._agenda.homes(source)
        return is_first and member is not None and not self._continues_list(page, member)

    def consider(
        self, source: str, page: PageRecord, verdict: Verdict, distance: int, feed: Probabilities = NO_EVIDENCE
    ) -> PageRecord:
        """Plan a visit to a page that was never fetched, if its address, or a feed, says that it is worth one."""
        now = self._desk.clock.now()
        known = page.judged.evidence if page.judged else {}
        evidence = {ADDRESS: probabilities_of(verdict)}
        if feed := feed or known.get(FEED, NO_EVIDENCE):
            evidence[FEED] = feed
            verdict = combined(verdict, evidence)
        if page.judged is None or ADDRESS in known:
            page = page.with_verdict(VerdictRecord(verdict=verdict, at=now, evidence=evidence))
        self.plan_visit(source, page, verdict, distance)
        return page

    def plan_visit(self, source: str, page: PageRecord, verdict: Verdict, distance: int) -> None:
        """Plan a visit to a page that was never fetched, if a verdict on it says that it is worth one."""
        if self.is_wanted(source, page, probabilities_of(verdict), distance):
            lead = SECTION_LEAD if verdict.kind != "article" else 0
            # The page has to be known before a visit to it can be planned.
            self._desk.batch.page(page)
            self._agenda.plan(
                AgendaEntry(
                    source=source,
                    page=page.key,
                    due=self._desk.clock.now(),
                    reason=VisitReason.CANDIDATE,
                    priority=PRIORITIES[VisitReason.CANDIDATE] + lead,
                )
            )

    def is_wanted(self, source: str, page: PageRecord, address: Probabilities, distance: int) -> bool:
        """Return whether to visit a page: it may be an article, or a section that is not far from the home page."""
        planned = self._agenda.planned(page.key).get(source)
        # An article that was gone is planned for later, in case it returns; a link to it is more than that.
        if page.key == source or (planned is not None and planned.reason is not VisitReason.REVISION):
            return False
        if max(address, key=address.__getitem__) == "article":
            return True
        least = {1: MIN_SECTION, 2: MIN_SUBSECTION}.get(distance, 1.0)
        is_near = self._lies_within(source, page.key) and (distance == 1 or not is_numbered(page.url))
        may_be_section = is_near and address["section"] >= least
        if is_numbered(page.url):
            member = self._desk.writer.members(source, (page.key,)).get(page.key)
            may_be_section = may_be_section and not (member and self._continues_list(page, member))
        if not may_be_section and address["article"] < MIN_ARTICLE:
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

    def _continues_list(self, page: PageRecord, member: Membership) -> bool:
        """Return whether a page is a further page of the list on which it was found."""
        front = self._desk.record(member.found_on)
        return front is not None and is_page_of(page.url, front.url, member.anchor)

    def _lies_within(self, source: str, key: str) -> bool:
        """Return whether a page lies within what a source, or one of its editions, is about."""
        return any(lies_within(home, key) for home in self._agenda.homes(source))

    def _join(self, before: Membership | None, found: Membership) -> None:
        """Keep that a source leads to a page, and what the first feed to list it says."""
        if before is None:
            self._desk.batch.member(found)
        elif before.listed is None and found.listed is not None:
            self._desk.batch.member(replace(before, listed=found.listed))

    def _is_shared(self, source: str, page: PageRecord, distance: int) -> bool:
        """Return whether a page is a section that was fetched for another source, and this one should follow it."""
        is_near = distance == 1 and page.key != source and self._lies_within(source, page.key)
        return is_near and _is_section(page) and not self._agenda.follows(source, page.key)


def lies_within(source: str, key: str) -> bool:
    """Return whether a page lies within what a source is about, both given by their keys.

    A source that is a section of a site, or has a host of its own, is about nothing else: its navigation leads to all
    the rest of the site, too.
    """
    host, slash, _ = source.partition("/")
    if slash:
        return key == source or key.startswith((source + "/", source + "?"))
    return host == registrable_domain(source) or key.partition("/")[0].partition("?")[0] == host


def is_numbered(url: str) -> bool:
    """Return whether an address has a number at its end, as the further pages of a list have."""
    parts = urlsplit(url)
    return bool(parts.query) or any(map(str.isdigit, parts.path.rstrip("/").rpartition("/")[2]))


def _page(known: PageRecord | None, key: str, url: str, now: datetime) -> PageRecord:
    """Return the record of a target, as this link to it changes it."""
    if known is None:
        return PageRecord(key=key, url=url, first_seen=now)
    is_dead = known.state in {PageState.GONE, PageState.FAILED}
    if known.url != url and (is_dead or known.fetch.fetched_at is None):
        # Several addresses may have one key, and a dead one must not hide the others.
        fetch = FetchRecord(fetched_at=known.fetch.fetched_at) if is_dead else known.fetch
        return replace(known, url=url, fetch=fetch)
    return known if known.first_seen else replace(known, first_seen=now)


def _is_section(page: PageRecord) -> bool:
    verdict = page.verdict
    is_listing = verdict is not None and verdict.kind == "section" and verdict.subtype not in NOT_FOLLOWED
    return is_listing and page.state is PageState.FETCHED
