"""The review of a source: all its current targets are judged together, whatever they were judged before."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Protocol

from broadsheet.archive import AgendaEntry, PageRecord, PageState, SourceRecord, VerdictRecord, VisitReason
from broadsheet.base.domains import registrable_domain
from broadsheet.base.records import KINDS, Verdict
from broadsheet.newsroom.agenda import PRIORITIES, Agenda
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.fronts import Fronts
from broadsheet.newsroom.judging import ADDRESS, FEED, combined, judge_addresses
from broadsheet.newsroom.kept_pages import without_validators
from broadsheet.newsroom.sightings import NOT_FOLLOWED
from broadsheet.pages.url_verdicts import UrlVerdicts

#: Sections are followed that the home page links to, or one of those.
FOLLOWED_DISTANCE = 2
#: A section that is followed is given up only when it is hardly likely to be one: one that comes and goes costs more.
LEAST_FOLLOWED = 0.2
#: What was neither article nor section, but may be a section, is looked at again after this long, while the home page
#: still links to it.
SECOND_LOOK = timedelta(days=3)
LEAST_SECOND_LOOK = 0.1


@dataclass(frozen=True, slots=True)
class Target:
    """A page that the fronts of a source link to now: what is known of it, its link text, and who links to it."""

    page: PageRecord
    url: str
    anchor: str
    #: 1 if the home page links to it, 2 if a section does that the home page links to.
    distance: int


class TargetJudge(Protocol):
    """Judges all targets of a source at once: `judge(source, targets)` returns one verdict record per target."""

    def __call__(self, source: SourceRecord, targets: Sequence[Target]) -> list[VerdictRecord]:
        """Judge the targets."""
        ...


def judge_targets(source: SourceRecord, targets: Sequence[Target]) -> list[VerdictRecord]:
    """Judge each target by its address and, if it was fetched, by its content as it was judged then."""
    del source
    addresses = judge_addresses([target.url for target in targets], [target.anchor for target in targets])
    return [_judged(target.page, addresses, row) for row, target in enumerate(targets)]


def _judged(page: PageRecord, addresses: UrlVerdicts, row: int) -> VerdictRecord:
    address = dict(zip(KINDS, addresses.probabilities[row].tolist(), strict=True))
    before = page.judged
    if before is None or set(before.evidence) <= {ADDRESS, FEED}:
        at = before.at if before else page.first_seen
        assert at is not None  # noqa: S101 - a page that fronts link to was seen
        # Only here are the reasons needed, which take most of the time.
        own, evidence = addresses.verdict(row), {**(before.evidence if before else {}), ADDRESS: address}
        return VerdictRecord(verdict=combined(own, evidence), at=at, evidence=evidence)
    evidence = {**before.evidence, ADDRESS: address}
    return VerdictRecord(verdict=combined(before.verdict, evidence), at=before.at, evidence=evidence)


class Reviews:
    """Reviews each source from time to time, and changes its agenda accordingly."""

    def __init__(self, desk: Desk, agenda: Agenda, fronts: Fronts, judge: TargetJudge = judge_targets) -> None:
        """Take the judge; by default addresses and contents are judged."""
        self._desk = desk
        self._agenda = agenda
        self._fronts = fronts
        self._judge = judge

    def review_if_due(self, source: str) -> None:
        """Review a source if that was not done for long; a new source is first reviewed after that time."""
        record, now = self._agenda.sources[source], self._desk.clock.now()
        last = record.reviewed_at or record.added_at
        if now - last >= timedelta(seconds=self._desk.settings.review_every):
            self.review(source)

    def review(self, source: str) -> None:
        """Judge all current targets of a source, and act on what has changed."""
        record = replace(self._agenda.sources[source], reviewed_at=self._desk.clock.now())
        self._agenda.sources[source] = record
        self._desk.batch.source(record)
        targets = list(self._targets(record))
        for target, judged in zip(targets, self._judge(record, targets), strict=True):
            self._apply(source, target, judged)

    def _targets(self, source: SourceRecord) -> Iterator[Target]:
        """Yield what the fronts of a source link to on its site, as they were last fetched."""
        domain = registrable_domain(source.url)
        found: dict[str, tuple[str, str, int]] = {}
        for front in self._agenda.fronts(source.key):
            links, distance = self._desk.links.of(front), self._fronts.sightings.distance(source.key, front)
            for row in links.on_site(domain):
                url, anchor, nearest = found.get(links.keys[row], (links.urls[row], "", distance))
                found[links.keys[row]] = url, max(anchor, links.anchors[row], key=len), min(nearest, distance)
        pages = self._desk.writer.pages(found)
        for key, (url, anchor, distance) in found.items():
            # What is given as a home page is one, whatever it looks like; and feeds are judged otherwise.
            planned = self._agenda.planned(key).get(source.key)
            is_feed = planned is not None and planned.reason is VisitReason.FEED
            if key in pages and not self._agenda.is_home(key) and not is_feed:
                yield Target(pages[key], url, anchor, distance)

    def _apply(self, source: str, target: Target, judged: VerdictRecord) -> None:
        page, before = target.page, target.page.judged
        if before is None or before.verdict.kind != judged.verdict.kind:
            judged = replace(judged, at=self._desk.clock.now())
            page = replace(page, judged=judged)
            self._desk.batch.page(page)
        if page.state is PageState.KNOWN:
            self._fronts.sightings.consider(source, page, judged.verdict, target.distance)
        elif page.state is PageState.FETCHED:
            self._reconsider(source, target, page, judged)

    def _reconsider(self, source: str, target: Target, page: PageRecord, judged: VerdictRecord) -> None:
        verdict, planned = judged.verdict, self._agenda.planned(page.key).get(source)
        is_followed = planned is not None and planned.every is not None
        before = target.page.kind
        if is_followed:
            if verdict.probabilities.get("section", 0.0) < LEAST_FOLLOWED:
                self._agenda.unplan(source, page.key)
                self._fronts.events.section_lost(source, page, "no longer looks like a section")
                if self._is_new_article(before, verdict):
                    self._plan_look(source, page)
        elif self._is_front(source, target, verdict):
            entry = self._fronts.following(source, page)
            if entry is not None:
                self._desk.batch.page(without_validators(page))
                self._agenda.plan(replace(entry, due=self._desk.clock.now()))
                self._fronts.found(source, page)
        elif planned is None and (self._is_new_article(before, verdict) or self._is_worth_a_look(target, verdict)):
            self._plan_look(source, page)

    def _is_front(self, source: str, target: Target, verdict: Verdict) -> bool:
        """Return whether a source should follow a page."""
        is_section = verdict.kind == "section" and verdict.subtype not in NOT_FOLLOWED
        is_near = target.distance <= FOLLOWED_DISTANCE
        return is_section and is_near and self._fronts.sightings.may_follow(source, target.page)

    def _is_new_article(self, before: str | None, verdict: Verdict) -> bool:
        """Return whether a page was fetched as something else, so that it was not read."""
        return verdict.kind == "article" and before != "article"

    def _is_worth_a_look(self, target: Target, verdict: Verdict) -> bool:
        fetched = target.page.fetch.fetched_at
        is_old = fetched is not None and self._desk.clock.now() - fetched >= SECOND_LOOK
        likely = verdict.kind == "other" and verdict.probabilities.get("section", 0.0) >= LEAST_SECOND_LOOK
        return is_old and likely and target.distance == 1

    def _plan_look(self, source: str, page: PageRecord) -> None:
        self._desk.batch.page(without_validators(page))
        reason = VisitReason.SECOND_LOOK
        now = self._desk.clock.now()
        self._agenda.plan(
            AgendaEntry(source=source, page=page.key, due=now, reason=reason, priority=PRIORITIES[reason])
        )
