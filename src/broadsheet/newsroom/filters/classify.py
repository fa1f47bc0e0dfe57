"""The second step of a round: what the pages link to is counted and judged, and what looks new is wanted."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from broadsheet.archive import PageRecord, PageState
from broadsheet.base import reasons, urls
from broadsheet.crawling.fetch_messages import Outcome, Request
from broadsheet.newsroom.cycle import Cycle, Sighting
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.judge import LinkEvidence


class Classify:
    """Judges every target of the round; it fetches nothing."""

    name = "classify"

    def __init__(self, desk: Desk) -> None:
        """Take the desk."""
        self._desk = desk

    def begin(self, cycle: Cycle) -> tuple[Request, ...]:
        """Judge all sightings at once."""
        cycle.wanted = list(classify(self._desk, cycle, cycle.sightings.values()))
        return ()

    def take(self, cycle: Cycle, outcome: Outcome) -> tuple[Request, ...]:
        """Refuse: nothing was asked for."""
        raise AssertionError(f"nobody asked for {outcome.request.url} in round {cycle.number}")


def classify(desk: Desk, cycle: Cycle, sightings: Iterable[Sighting]) -> Iterator[PageRecord]:
    """Count and judge sightings, and give those that should be fetched: new articles, and what may be a section.

    A page belongs to the source that saw it first. What a round has no budget for is judged again in the next one.
    """
    seen = {sighting.key: sighting for sighting in sightings}
    known = desk.writer.pages(list(seen))
    for key, sighting in seen.items():
        before = known.get(key)
        if before is not None and before.source != cycle.source.key:
            if not _is_unseen(before):
                desk.leave(cycle.source.key, key, sighting.url)
                continue
            # Another source's page named it, and no page led to it yet.
            before = replace(before, source=cycle.source.key)
        if len(sighting.url) > urls.MAX_LENGTH:
            desk.miss(cycle.source.key, reasons.ADDRESS_TOO_LONG, url=sighting.url)
            continue
        if before is None and (full := desk.ledger.refusal(cycle.source.key, cycle.due)):
            desk.miss(cycle.source.key, full, url=sighting.url)
            continue
        record = _counted(cycle, sighting, before)
        if record.state is PageState.KNOWN:
            verdict = desk.judge.link(link_evidence(cycle, record))
            record = record.judged(verdict)
            if verdict.kind == "article" or (verdict.kind == "section" and sighting.from_home):
                if cycle.may_collect(verdict.kind):
                    record = replace(record, state=PageState.QUEUED)
                    yield record
                else:
                    desk.miss(cycle.source.key, reasons.OVER_BUDGET, url=record.url)
        if record != before:
            desk.batch.page(record)


def _is_unseen(record: PageRecord) -> bool:
    return record.state is PageState.KNOWN and record.rounds_seen == 0


def _counted(cycle: Cycle, sighting: Sighting, known: PageRecord | None) -> PageRecord:
    record = known or PageRecord(
        key=sighting.key,
        url=sighting.url,
        source=cycle.source.key,
        first_seen=cycle.due,
        first_round=cycle.number,
    )
    if _is_unseen(record):
        record = replace(record, url=sighting.url, first_seen=cycle.due, first_round=cycle.number)
    anchor = max(record.anchor or "", sighting.anchor, key=len)
    if record.fetched_at is None and record.url != sighting.url:
        # Of several addresses with one key a dead one must not hide the others.
        again = PageState.KNOWN if record.state in {PageState.GONE, PageState.FAILED} else record.state
        record = replace(record, url=sighting.url, state=again)
    # A round that was interrupted and begun again counts once.
    if record.last_round == cycle.number:
        return replace(record, anchor=anchor)
    return replace(
        record, anchor=anchor, last_seen=cycle.due, last_round=cycle.number, rounds_seen=record.rounds_seen + 1
    )


def link_evidence(cycle: Cycle, record: PageRecord) -> LinkEvidence:
    """Return what is known of a target by this round."""
    first = record.first_round or cycle.number
    return LinkEvidence(
        record.url,
        record.anchor or "",
        seen=record.rounds_seen,
        rounds=cycle.number - first + 1,
        late=first > 1,
    )
