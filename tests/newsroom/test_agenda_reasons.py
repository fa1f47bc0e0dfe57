"""What the agenda says of a page: why it is visited, and whether it is the home page of a source."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from broadsheet.archive import PRIORITIES, AgendaEntry, PageRecord, SourceRecord, Store, VisitReason
from broadsheet.base.source_settings import SourceSettings
from broadsheet.crawling.simulated import VirtualClock
from broadsheet.newsroom.agenda import Agenda
from broadsheet.newsroom.desk import Desk

NOW = datetime(2026, 3, 2, 6, tzinfo=UTC)
GAZETTE, COURIER = (
    SourceRecord(key=f"{name}.example", url=f"https://{name}.example/", name=name, added_at=NOW)
    for name in ("gazette", "courier")
)
PAGE = "gazette.example/a"


@pytest.fixture
def agenda(tmp_path: Path) -> Iterator[Agenda]:
    """Return the agenda of two sources, with a page that is known."""
    with Store.open(tmp_path, create=True) as archive, archive.writer() as writer:
        desk = Desk(archive, writer, VirtualClock(NOW))
        desk.batch.page(PageRecord(key=PAGE, url=f"https://{PAGE}", first_seen=NOW))
        yield Agenda(desk, {source.key: source for source in (GAZETTE, COURIER)})


def entry(source: SourceRecord, reason: VisitReason, every: float | None = None) -> AgendaEntry:
    return AgendaEntry(source=source.key, page=PAGE, due=NOW, reason=reason, priority=PRIORITIES[reason], every=every)


@pytest.mark.parametrize(
    ("entries", "why"),
    [
        ((), VisitReason.CANDIDATE),
        ((entry(GAZETTE, VisitReason.REVISION),), VisitReason.REVISION),
        # What the page was asked for as, though another source wants it more.
        ((entry(COURIER, VisitReason.CANDIDATE), entry(GAZETTE, VisitReason.REVISION)), VisitReason.REVISION),
        # A front for any source is a front.
        ((entry(COURIER, VisitReason.SECTION, 3600.0), entry(GAZETTE, VisitReason.CANDIDATE)), VisitReason.SECTION),
        ((entry(COURIER, VisitReason.RETRY),), VisitReason.RETRY),
    ],
)
def test_a_page_is_visited_as_a_front_or_else_for_its_own_source(
    agenda: Agenda, entries: tuple[AgendaEntry, ...], why: VisitReason
) -> None:
    for each in entries:
        agenda.plan(each)

    assert agenda.why(PAGE, GAZETTE.key) is why


def test_home_pages_are_those_of_all_sources_and_their_editions_as_long_as_any_has_them(agenda: Agenda) -> None:
    english = SourceSettings(editions=("https://gazette.example/en/",))
    for source in (GAZETTE, COURIER):
        agenda.update(replace(source, settings=english))

    agenda.update(GAZETTE)
    still = agenda.is_home("gazette.example/en")
    agenda.update(COURIER)

    assert still
    assert not agenda.is_home("gazette.example/en")
    assert agenda.is_home(GAZETTE.key)
    assert agenda.is_home(COURIER.key)
