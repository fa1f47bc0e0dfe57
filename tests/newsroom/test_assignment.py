from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from broadsheet.archive import AgendaEntry, PageRecord, SourceRecord, Store, VisitReason
from broadsheet.base.errors import InputError
from broadsheet.newsroom.agenda import next_due
from broadsheet.newsroom.assignment import Assignment, assign, home

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def assigned(folder: Path, assignment: Assignment, now: datetime = NOON, **changes: object) -> list[SourceRecord]:
    """Give an assignment to an archive, after some other changes to its sources."""
    with Store.open(folder, create=True) as archive, archive.writer() as writer:
        if changes:
            batch = writer.batch()
            for source in writer.sources():
                batch.source(replace(source, **changes))  # type: ignore[arg-type]
            writer.commit(batch)
        return assign(writer, assignment, now)


@pytest.mark.parametrize(
    ("written", "url"),
    [
        ("news.example", "https://news.example/"),
        (" news.example/english ", "https://news.example/english"),
        ("news.example/index.html", "https://news.example/index.html"),
        ("http://news.example", "http://news.example/"),
        ("http://127.0.0.1:8000/a/", "http://127.0.0.1:8000/a/"),
    ],
)
def test_a_home_page_may_be_written_as_people_write_it(written: str, url: str) -> None:
    assert home(written) == url


@pytest.mark.parametrize("written", ["", "news", "ftp://news.example/", "http://", "mailto:a@b.example"])
def test_what_is_no_home_page_is_refused(written: str) -> None:
    with pytest.raises(InputError, match="is not the http or https URL"):
        home(written)


@pytest.mark.parametrize(
    "goal", [{"snapshots": 0}, {"span": 0.0}, {"every": -1.0}, {"every": float("nan")}, {"span": float("nan")}]
)
def test_a_goal_that_cannot_be_reached_is_refused(goal: dict[str, float]) -> None:
    with pytest.raises(InputError):
        Assignment(("news.example",), **goal)  # type: ignore[arg-type]


def test_an_archive_without_sites_wants_one(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not follow any site yet"):
        assigned(tmp_path / "a", Assignment())


def test_sites_once_named_need_not_be_named_again(tmp_path: Path) -> None:
    assigned(tmp_path / "a", Assignment(("a.example", "b.example", "https://www.a.example/")))

    again = assigned(tmp_path / "a", Assignment())

    assert [source.key for source in again] == ["a.example", "b.example"]


def test_snapshots_are_counted_from_where_the_source_stands(tmp_path: Path) -> None:
    assigned(tmp_path / "a", Assignment(("a.example",)))

    [source] = assigned(tmp_path / "a", Assignment(snapshots=5), snapshots=7)

    assert source.until_snapshot == 12


def test_another_goal_replaces_the_one_that_was_not_reached(tmp_path: Path) -> None:
    assigned(tmp_path / "a", Assignment(("a.example",), snapshots=5))

    [source] = assigned(tmp_path / "a", Assignment(("a.example",), snapshots=2), snapshots=3)

    assert source.until_snapshot == 5
    assert source.goal == "2 snapshots"


@pytest.mark.parametrize(
    ("assignment", "due"),
    [
        (Assignment(snapshots=1), NOON),
        (Assignment(), NOON + HOUR),
        (Assignment(every=60.0), NOON + timedelta(minutes=1)),
        (Assignment(every=86_400.0), NOON + 20 * HOUR),
    ],
)
def test_a_new_goal_begins_at_once_and_a_shorter_interval_does_not_wait_for_the_longer_one(
    tmp_path: Path, assignment: Assignment, due: datetime
) -> None:
    assigned(tmp_path / "a", Assignment(("a.example",)))
    with Store.open(tmp_path / "a") as archive, archive.writer() as writer:
        batch = writer.batch()
        for key, every in (("a.example", 3600.0), ("a.example/once", None)):
            batch.page(PageRecord(key=key, url=f"https://{key}", first_seen=NOON))
            reason = VisitReason.CANDIDATE if every is None else VisitReason.HOME
            batch.plan(AgendaEntry(source="a.example", page=key, due=NOON + 20 * HOUR, reason=reason, every=every))
        writer.commit(batch)

    assigned(tmp_path / "a", assignment)

    with Store.open(tmp_path / "a") as archive:
        planned = {each.entry.page: each.entry for each in archive.agenda("a.example")}
    assert planned["a.example"].due == due
    assert planned["a.example"].every == (assignment.every or 3600.0)
    assert planned["a.example/once"].due == NOON + 20 * HOUR


def test_a_site_that_is_named_anew_is_asked_at_its_new_address(tmp_path: Path) -> None:
    assigned(tmp_path / "a", Assignment(("https://a.example/",)))

    [source] = assigned(tmp_path / "a", Assignment(("http://a.example/",)))

    assert source.url == "http://a.example/"


def test_a_goal_that_was_not_reached_is_kept(tmp_path: Path) -> None:
    assigned(tmp_path / "a", Assignment(("a.example",), snapshots=5))

    [source] = assigned(tmp_path / "a", Assignment(("a.example",), snapshots=5), snapshots=3)

    assert source.until_snapshot == 5


def test_a_time_that_has_passed_begins_anew(tmp_path: Path) -> None:
    span = Assignment(("a.example",), span=7200.0)
    assigned(tmp_path / "a", span)

    [kept] = assigned(tmp_path / "a", span, NOON + HOUR)
    [anew] = assigned(tmp_path / "a", span, NOON + 3 * HOUR)

    assert kept.until == NOON + 2 * HOUR
    assert anew.until == NOON + 5 * HOUR


def test_without_a_goal_the_last_one_is_forgotten(tmp_path: Path) -> None:
    assigned(tmp_path / "a", Assignment(("a.example",), snapshots=5))

    [source] = assigned(tmp_path / "a", Assignment())

    assert (source.until_snapshot, source.until) == (None, None)


def test_visits_keep_step_and_missed_ones_are_not_made_up_for() -> None:
    assert next_due(NOON, HOUR, NOON + timedelta(minutes=5)) == NOON + HOUR
    assert next_due(NOON, HOUR, NOON + HOUR / 2) == NOON + HOUR
    # A visit that came when the next one was due is not followed by another at once.
    assert next_due(NOON, HOUR, NOON + HOUR) == NOON + 2 * HOUR
    assert next_due(NOON, HOUR, NOON + timedelta(hours=3, minutes=1)) == NOON + 4 * HOUR
