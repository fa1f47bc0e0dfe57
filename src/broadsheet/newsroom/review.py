"""The review of a source: all its current targets are judged together, whatever they were judged before."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import timedelta

from broadsheet.archive import (
    PRIORITIES,
    AgendaEntry,
    PageRecord,
    PageState,
    Phase,
    SourceRecord,
    VerdictRecord,
    VisitReason,
)
from broadsheet.base.records import Verdict
from broadsheet.newsroom.agenda import Agenda
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.false_sections import FalseSections
from broadsheet.newsroom.fronts import Fronts
from broadsheet.newsroom.judging import LINKS, LOOKED
from broadsheet.newsroom.kept_pages import without_validators
from broadsheet.newsroom.sightings import NOT_FOLLOWED
from broadsheet.newsroom.source_phases import SourcePhases
from broadsheet.newsroom.target_judges import Target, TargetJudge

#: Sections are followed that the home page links to, or one of those.
FOLLOWED_DISTANCE = 2
#: A section that is followed is given up only when it is hardly likely to be one: one that comes and goes costs more.
MIN_FOLLOWED = 0.2
#: In exploration a source is reviewed after every snapshot; if they come more often than after so many seconds, then,
#: but at the latest after so many snapshots.
EXPLORED_SECONDS, EXPLORED_SNAPSHOTS = 3600.0, 3
#: What was neither article nor section, but may be a section, is looked at again after this long, while the home page
#: still links to it; and so is what a review takes for an article, and a second look did not.
SECOND_LOOK = timedelta(days=3)
MIN_SECOND_LOOK = 0.1
#: A page that was fetched and judged to be neither is read as an article only if that is this likely: what is
#: archived stays archived.
MIN_READ = 0.8
#: A verdict of the same kind is kept again if a probability by the links has changed by more than this.
MIN_CHANGE = 0.25


class Reviews:
    """Reviews each source from time to time, and changes its agenda accordingly."""

    def __init__(self, desk: Desk, agenda: Agenda, fronts: Fronts, judge: TargetJudge, phases: SourcePhases) -> None:
        """Take the judge of all targets of a source, and who decides whether it is explored."""
        self._desk = desk
        self._agenda = agenda
        self._fronts = fronts
        self._judge = judge
        self._phases = phases
        self._false = FalseSections(desk, agenda, fronts)

    def review_if_due(self, source: str) -> None:
        """Review a source if that was not done for some time; a new source is first reviewed after that time."""
        record, now = self._agenda.sources[source], self._desk.clock.now()
        last = record.reviewed_at or record.added_at
        seconds = self._desk.settings.review_every
        if record.phase.phase is Phase.EXPLORATION:
            seconds = min(seconds, EXPLORED_SNAPSHOTS * record.every, max(record.every, EXPLORED_SECONDS))
        late = (now - last).total_seconds() - seconds
        if late >= record.every or (late >= 0 and self._is_complete(source)):
            self.review(source)

    def _is_complete(self, source: str) -> bool:
        """Return whether all fronts have come that are due: what they show belongs together."""
        now = self._desk.clock.now()
        return all(self._agenda.planned(front)[source].due > now for front in self._agenda.fronts(source))

    def review(self, source: str) -> None:
        """Judge all current targets of a source, and act on what has changed."""
        record = replace(self._agenda.sources[source], reviewed_at=self._desk.clock.now())
        self._agenda.sources[source] = record
        self._desk.batch.source(record)
        targets = list(self._targets(record))
        verdicts = self._judge(record, targets)
        for target, judged in zip(targets, verdicts, strict=True):
            self._apply(source, target, judged)
        judged_pages = {target.page.key: judged for target, judged in zip(targets, verdicts, strict=True)}
        articles = {key for key, judged in judged_pages.items() if judged.verdict.kind == "article"}
        self._false.leave(source, articles)
        if self._phases.evaluate(source, judged_pages):
            self._leave_doubtful(source, judged_pages)
            self._false.leave_empty(source, articles)

    def _leave_doubtful(self, source: str, judged: Mapping[str, VerdictRecord]) -> None:
        """Give up what is rather no section: while a source is explored such pages stay, so as not to come and go."""
        for key in set(self._agenda.fronts(source)) & judged.keys():
            page = self._desk.record(key)
            if page is not None and judged[key].verdict.kind != "section":
                self._fronts.lose(source, page, "did not look like a section when exploration ended")

    def _targets(self, source: SourceRecord) -> Iterator[Target]:
        """Yield what the fronts of a source link to on its site, as they were last fetched."""
        domain = self._agenda.domain(source.key)
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
        if before is not None and page.state is PageState.FETCHED:
            is_answered = self._has_answered(before, judged.verdict)
            judged = before if is_answered or _is_doubtful(before.verdict, judged.verdict) else judged
        if _is_news(before, judged):
            judged = replace(judged, at=self._desk.clock.now())
            page = page.with_verdict(judged)
            self._desk.batch.page(page)
        if page.state is PageState.KNOWN:
            self._fronts.sightings.plan_visit(source, page, judged.verdict, target.distance)
        elif page.state is PageState.FETCHED:
            self._reconsider(source, target, page, judged)

    def _has_answered(self, before: VerdictRecord, after: Verdict) -> bool:
        """Return whether a second look has lately shown that a page is not the article that it is said to be."""
        is_asked = after.kind == "article" and before.verdict.kind != "article"
        return is_asked and LOOKED in before.evidence and self._desk.clock.now() - before.at < SECOND_LOOK

    def _reconsider(self, source: str, target: Target, page: PageRecord, judged: VerdictRecord) -> None:
        verdict, planned = judged.verdict, self._agenda.planned(page.key).get(source)
        is_followed = planned is not None and planned.every is not None
        before = target.page.kind
        if is_followed:
            if verdict.probabilities.get("section", 0.0) < MIN_FOLLOWED:
                self._fronts.lose(source, page, "no longer looks like a section")
                # As a front it was not read, whatever its last visit said that it is.
                if verdict.kind == "article" and self._desk.writer.newest(page.key) is None:
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
        likely = verdict.kind == "other" and verdict.probabilities.get("section", 0.0) >= MIN_SECOND_LOOK
        return is_old and likely and target.distance == 1

    def _plan_look(self, source: str, page: PageRecord) -> None:
        self._desk.batch.page(without_validators(page))
        reason = VisitReason.SECOND_LOOK
        now = self._desk.clock.now()
        self._agenda.plan(
            AgendaEntry(source=source, page=page.key, due=now, reason=reason, priority=PRIORITIES[reason])
        )


def _is_doubtful(before: Verdict, after: Verdict) -> bool:
    """Return whether a page that was neither an article nor a section is now hardly more likely to be an article."""
    return before.kind == "other" and after.kind == "article" and after.probability < MIN_READ


def _is_news(before: VerdictRecord | None, judged: VerdictRecord) -> bool:
    """Return whether a verdict is worth keeping: it is another one, or what the links say has become clearer."""
    if before is None or before.verdict.kind != judged.verdict.kind:
        return True
    links, earlier = judged.evidence.get(LINKS, {}), before.evidence.get(LINKS, {})
    return any(abs(links[kind] - earlier.get(kind, 0.0)) > MIN_CHANGE for kind in links)
