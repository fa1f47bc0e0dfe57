"""Sources that are late, failing or silent are named, and no others."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from broadsheet.archive import HOME_PAGE, AgendaEntry, Membership, SourceRecord, Store, VerdictRecord, VisitReason
from broadsheet.base import reasons
from broadsheet.base.incident import Incident
from broadsheet.base.records import Verdict
from tests.archive.samples import NOON, SOURCE, page

HOUR = timedelta(hours=1)


def fill(folder: Path, source: SourceRecord, *, gap: timedelta, articles: int, is_failing: bool = False) -> None:
    """Make an archive whose source was due at noon, and whose articles came at intervals until then."""
    verdict = VerdictRecord(verdict=Verdict("article", None, 1.0, {"article": 1.0}, (), "given"), at=NOON)
    with Store.open(folder, create=True) as archive, archive.writer() as writer:
        batch = writer.batch()
        batch.source(source)
        batch.page(page(source.key))
        for number in range(articles):
            key = f"{source.key}/{number}"
            batch.page(replace(page(key), judged=verdict))
            seen = NOON - number * gap
            batch.member(Membership(source=source.key, page=key, first_seen=seen, found_on=source.key))
        entry = AgendaEntry(source=source.key, page=source.key, due=NOON, reason=VisitReason.HOME, every=source.every)
        batch.plan(entry)
        if is_failing:
            batch.incident(source.key, HOME_PAGE, Incident(source.url, reasons.TIMEOUT, "too slow", NOON))
        writer.commit(batch)


def found(folder: Path, after: timedelta) -> dict[str, str]:
    with Store.open(folder) as archive:
        named = archive.ailments(NOON + after)
    assert {one.source for one in named} <= {SOURCE.key}
    return {one.problem: one.detail for one in named}


def test_a_source_is_late_after_one_more_interval(tmp_path: Path) -> None:
    fill(tmp_path, SOURCE, gap=HOUR, articles=0)

    assert found(tmp_path, HOUR) == {}
    assert found(tmp_path, HOUR * 1.1) == {
        "late": "its home page has not been visited, though it was due at 2026-03-02 12:00 UTC"
    }


def test_a_source_is_silent_after_ten_times_its_usual_gap(tmp_path: Path) -> None:
    fill(tmp_path, SOURCE, gap=2 * HOUR, articles=20)

    assert "silent" not in found(tmp_path, 20 * HOUR)
    assert found(tmp_path, 21 * HOUR)["silent"] == (
        "no new article since 2026-03-02 12:00 UTC; usually one comes every 2:00:00"
    )


def test_articles_of_one_visit_are_one_arrival_and_few_arrivals_say_nothing(tmp_path: Path) -> None:
    fill(tmp_path, SOURCE, gap=timedelta(seconds=1), articles=100)

    assert set(found(tmp_path, 1000 * HOUR)) == {"late"}


def test_a_source_whose_home_page_does_not_come_is_failing(tmp_path: Path) -> None:
    fill(tmp_path, SOURCE, gap=HOUR, articles=0, is_failing=True)

    assert "too slow" in found(tmp_path, HOUR)["failing"]


def test_a_paused_source_has_no_problems(tmp_path: Path) -> None:
    fill(tmp_path, replace(SOURCE, state="paused"), gap=HOUR, articles=20, is_failing=True)

    assert found(tmp_path, 1000 * HOUR) == {}
