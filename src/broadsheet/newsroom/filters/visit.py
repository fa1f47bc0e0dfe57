"""The first step of a round: fetch the home page and the sections, and note what they link to."""

from collections.abc import Iterator
from dataclasses import replace

from broadsheet.archive import PageRecord, PageState
from broadsheet.base import reasons, statuses, urls
from broadsheet.base.domains import registrable_domain
from broadsheet.base.reasons import Reason
from broadsheet.crawling.fetch_messages import FetchAnswer, Outcome, Request
from broadsheet.newsroom.cycle import Cycle
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.kept_visit import keep_visit
from broadsheet.newsroom.newsroom_errors import PageRefused

#: The home page first, as what it links to is all that is known at the beginning.
HOME_PRIORITY, SECTION_PRIORITY = 20, 10


class Visit:
    """Asks for every page that is followed, if it has changed since it was last seen."""

    name = "visit"

    def __init__(self, desk: Desk) -> None:
        """Take the desk."""
        self._desk = desk

    def begin(self, cycle: Cycle) -> Iterator[Request]:
        """Ask for the home page and all sections, when the round is due."""
        source = cycle.source
        followed = {record.key: record for record in self._desk.writer.followed(source.key)}
        home = followed.pop(source.key, None) or _home(cycle)
        self._desk.batch.page(home)
        for record, priority in ((home, HOME_PRIORITY), *((record, SECTION_PRIORITY) for record in followed.values())):
            yield replace(
                cycle.request(record, priority),
                etag=record.etag,
                last_modified=record.last_modified,
                not_before=cycle.due,
            )

    def take(self, cycle: Cycle, outcome: Outcome) -> tuple[Request, ...]:
        """Note what the page links to; one that did not change links to what it linked to before."""
        self._desk.count(outcome)
        record = self._desk.record(outcome.request.tag)
        if record is not None and isinstance(outcome, FetchAnswer):
            self._receive(cycle, record, outcome)
        return ()

    def _receive(self, cycle: Cycle, record: PageRecord, outcome: FetchAnswer) -> None:
        if registrable_domain(outcome.url) != registrable_domain(cycle.source.url):
            self._refuse(record, outcome, reasons.LEFT, f"redirects to another site, {outcome.url}")
        elif outcome.status == statuses.NOT_MODIFIED:
            self._unchanged(cycle, record, outcome)
        elif outcome.status == statuses.OK:
            self._changed(cycle, record, outcome)
        else:
            self._refuse(record, outcome, reasons.answered(outcome.status))
            if outcome.status in statuses.GONE and record.key != cycle.source.key:
                self._desk.batch.page(replace(record, state=PageState.GONE, every=None, due=None))

    def _unchanged(self, cycle: Cycle, record: PageRecord, page: FetchAnswer) -> None:
        self._desk.progress.unchanged += 1
        self._desk.batch.visit(page_key=record.key, url=page.url, exchanges=page.exchanges)
        self._desk.batch.page(replace(record, fetched_at=page.at))
        self._see(cycle, record)

    def _changed(self, cycle: Cycle, record: PageRecord, page: FetchAnswer) -> None:
        try:
            links = self._desk.findings(page).links
        except PageRefused as error:
            self._refuse(record, page, error.reason, error.told)
            return
        assert links is not None  # noqa: S101 - they were asked for
        self._desk.linked(record.source, page.url, links)
        keep_visit(self._desk, self._moved(cycle, record, page), page, links.rows)
        self._desk.links.remember(record.key, links.targets)
        self._see(cycle, record)

    def _moved(self, cycle: Cycle, record: PageRecord, page: FetchAnswer) -> PageRecord:
        """Return the record of a page that was sent on within its site: asked for where it is, it can answer 304."""
        if urls.normalise(record.url) == urls.normalise(page.url):
            return record
        final = self._desk.record(urls.key(page.url))
        if record.key != cycle.source.key and final is not None and final.every is not None:
            # What it leads to is followed already.
            return replace(record, every=None, duplicate_of=final.key)
        return replace(record, url=page.url)

    def _refuse(self, record: PageRecord, page: FetchAnswer, why: Reason, detail: str = "") -> None:
        """Keep an answer that is not the page, and forget the validators: they would speak of content without links."""
        self._desk.miss(record.source, why, page=record.key, url=page.request.url, detail=detail or why)
        self._desk.batch.visit(page_key=record.key, url=page.url, exchanges=page.exchanges)
        self._desk.batch.page(replace(record, etag=None, last_modified=None))

    def _see(self, cycle: Cycle, record: PageRecord) -> None:
        self._desk.progress.visits += 1
        is_home = record.key == cycle.source.key
        if is_home:
            cycle.home_seen = True
            self._desk.reached(record.source)
        dropped = cycle.see(self._desk.links.of(record).on_site(cycle.source.url, from_home=is_home))
        self._desk.miss(record.source, reasons.OVER_ROUND_LINKS, dropped, url=record.url)


def _home(cycle: Cycle) -> PageRecord:
    source = cycle.source
    return PageRecord(
        key=source.key,
        url=source.url,
        source=source.key,
        state=PageState.QUEUED,
        kind="section",
        subtype="home",
        probability=1.0,
        reasons=("the home page of the source",),
        model="given",
        first_seen=cycle.due,
        last_seen=cycle.due,
        first_round=cycle.number,
        every=source.every,
    )
