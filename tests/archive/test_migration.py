"""Archives of earlier layouts are upgraded when they are opened: whole, or not at all."""

import signal
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from broadsheet.archive import (
    AgendaEntry,
    ArchiveBusy,
    ArchiveError,
    FetchRecord,
    FrontRecord,
    Membership,
    OpenLook,
    PageState,
    PhaseRecord,
    SourceRecord,
    Store,
    VisitReason,
    catalogued_files,
    layout,
    lease,
    repair,
)
from broadsheet.archive.article_records import RecordPlace
from broadsheet.archive.database import Database
from broadsheet.archive.kept_ranges import packed
from broadsheet.archive.migration import MIGRATION_STEPS
from broadsheet.base.clock import SystemClock
from broadsheet.base.records import Verdict
from tests.archive.old_layouts import (
    HOME,
    PAGES,
    catalogue,
    insert,
    make_layout_4,
    make_layout_5,
    make_layout_6,
    make_layout_7,
    make_layout_8,
    make_layout_9,
    make_layout_10,
    make_old,
)
from tests.archive.processes import context, upgrade
from tests.archive.rereaders import NothingRead
from tests.archive.samples import NOON, keep, page

ADDED, SEEN = datetime(2026, 3, 1, 8, tzinfo=UTC), datetime(2026, 3, 2, 9, tzinfo=UTC)
NEXT_ROUND = datetime(2026, 3, 2, 13, tzinfo=UTC)
LAYOUTS = (1, 2, 3)


def dump(folder: Path) -> list[str]:
    with closing(sqlite3.connect(catalogue(folder))) as connection:
        return list(connection.iterdump())


def change(folder: Path, statement: str) -> None:
    with closing(sqlite3.connect(catalogue(folder))) as connection, connection:
        connection.execute(statement)


@pytest.mark.parametrize("number", LAYOUTS)
def test_sources_and_pages_of_an_earlier_layout_come_in_their_new_parts(tmp_path: Path, number: int) -> None:
    make_old(tmp_path / "news", number)

    with Store.open(tmp_path / "news") as archive:
        assert archive.sources() == [
            SourceRecord(
                key="new.example",
                url="https://new.example/",
                name="New",
                added_at=ADDED,
                state="paused",
                every=60.0,
                every_given=True,
            ),
            SourceRecord(
                key=HOME,
                url="https://news.example/",
                name="News",
                added_at=ADDED,
                every=1800.0,
                every_given=True,
                snapshots=3,
                until_snapshot=9,
                goal="9 snapshots",
            ),
        ]
        pages = archive.pages([*PAGES, "new.example"])
        assert pages.keys() == {*PAGES, "new.example"}
        assert {key: page.fetch for key, page in pages.items() if page.fetch != FetchRecord()} == {
            HOME: FetchRecord(state=PageState.FETCHED, fetched_at=NOON, etag='"h"'),
            "news.example/section": FetchRecord(state=PageState.FETCHED, fetched_at=NOON),
            "news.example/a": FetchRecord(state=PageState.FETCHED, fetched_at=NOON),
            "news.example/tried": FetchRecord(state=PageState.KNOWN, attempts=2),
            "news.example/failed": FetchRecord(state=PageState.FAILED, attempts=5),
            "news.example/gone": FetchRecord(state=PageState.GONE, fetched_at=NOON),
            "news.example/twin": FetchRecord(state=PageState.DUPLICATE, fetched_at=NOON),
        }
        assert {key: page.first_seen for key, page in pages.items() if page.first_seen != SEEN} == {
            "news.example/tried": None,
            "news.example/bare": None,
            "new.example": ADDED,
        }
        assert pages["news.example/twin"].duplicate_of == "news.example/a"
        assert list(archive.check()) == []


@pytest.mark.parametrize("number", LAYOUTS)
def test_verdicts_of_an_earlier_layout_are_dated(tmp_path: Path, number: int) -> None:
    make_old(tmp_path / "news", number)

    with Store.open(tmp_path / "news") as archive:
        judged = {key: page.judged for key, page in archive.pages(PAGES).items() if page.judged}

    a, known = judged["news.example/a"], judged["news.example/known"]
    assert a.verdict == Verdict("article", "news", 0.75, {"article": 0.75, "other": 0.25}, ("long text",), "trees-1")
    assert known.verdict == Verdict("section", "news", 0.75, {}, (), "trees-1")
    assert (a.at, known.at, a.evidence) == (NOON, SEEN, {})
    # A kind without a probability and a model is not a verdict.
    assert PAGES.keys() - judged.keys() == {
        "news.example/failed",
        "news.example/twin",
        "news.example/bare",
        "news.example/half",
    }


def test_a_page_of_an_earlier_layout_belongs_to_its_source_and_waits_on_its_agenda(tmp_path: Path) -> None:
    make_old(tmp_path / "news", 3)
    before = SystemClock().now()

    with Store.open(tmp_path / "news") as archive:
        with archive.writer() as writer:
            members = writer.members(HOME, [*PAGES, "new.example"])
        agenda = {planned.page.key: planned.entry for planned in archive.agenda(HOME)}
        (unvisited,) = archive.agenda("new.example")

    assert members.keys() == PAGES.keys()
    assert members["news.example/a"] == Membership(
        source=HOME, page="news.example/a", first_seen=SEEN, found_on=HOME, anchor="Ä link"
    )
    assert (members["news.example/bare"].first_seen, members["news.example/bare"].anchor) == (ADDED, "")
    home = AgendaEntry(source=HOME, page=HOME, due=NEXT_ROUND, reason=VisitReason.HOME, priority=20, every=1800.0)
    queued = AgendaEntry(source=HOME, page="news.example/queued", due=SEEN, reason=VisitReason.CANDIDATE)
    tried = agenda.pop("news.example/tried")
    assert agenda == {
        HOME: home,
        "news.example/section": replace(
            home, page="news.example/section", reason=VisitReason.SECTION, priority=10, every=900.0
        ),
        "news.example/queued": queued,
    }
    assert tried == replace(queued, page="news.example/tried", due=tried.due)
    assert before <= tried.due <= SystemClock().now()
    assert (unvisited.entry.reason, unvisited.entry.every) == (VisitReason.HOME, 60.0)
    assert before <= unvisited.entry.due <= SystemClock().now()


@pytest.mark.parametrize("number", LAYOUTS)
def test_articles_visits_and_counters_stay_as_they_were(tmp_path: Path, number: int) -> None:
    make_old(tmp_path / "news", number)

    with Store.open(tmp_path / "news") as archive:
        (stored,) = archive.articles(source=HOME)
        (news,) = [source for source in archive.status().sources if source.source.key == HOME]

        assert (stored.key, archive.exchange(stored).body) == ("news.example/a", b"a")
        assert (news.articles, news.visits, news.sections) == (1, 3, 2)
        assert news.pages["article"] == {"fetched": 1, "known": 2, "gone": 1}
        assert news.planned == {"home page": 1, "section": 1, "candidate": 2}
        assert archive.last_visit() == 3
        assert (archive.folder / "catalogue.sha256").exists()


def said(visit: dict[str, Any]) -> dict[str, Any]:
    """Return what a visit says, but for where its record lies."""
    return {name: value for name, value in visit.items() if name not in {"warc", "offset"}}


def schema(folder: Path) -> dict[str, list[str]]:
    """Return the columns of each table and index of a catalogue."""
    with closing(sqlite3.connect(catalogue(folder))) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE sql IS NOT NULL")]
        return {
            name: sorted(row[0] for row in connection.execute("SELECT name FROM pragma_table_info(?)", (name,)))
            or [row[0] for row in connection.execute("SELECT name FROM pragma_index_info(?)", (name,))]
            for name in names
        }


@pytest.mark.parametrize("number", LAYOUTS)
def test_an_upgraded_catalogue_has_the_tables_and_indexes_of_a_new_one(tmp_path: Path, number: int) -> None:
    make_old(tmp_path / "news", number)

    Store.open(tmp_path / "news").close()

    Store.open(tmp_path / "new", create=True).close()
    assert schema(tmp_path / "news") == schema(tmp_path / "new")


def test_files_of_both_layouts_are_read_together_and_merged(tmp_path: Path) -> None:
    make_old(tmp_path / "news", 3)

    with Store.open(tmp_path / "news") as archive:
        with archive.writer() as writer:
            keep(writer, "news.example/b", b"b")
        mixed = archive.visits().to_table().to_pylist(), archive.occurrences().to_table().to_pylist()
        files = len(archive.visits().files)
        with archive.writer(most_files=1) as writer:
            keep(writer, "news.example/c", b"c")
        merged = archive.visits().to_table().to_pylist(), archive.occurrences().to_table().to_pylist()

        assert (files, len(archive.visits().files)) == (3, 1)
        assert [row["why"] for row in mixed[0]] == [None, None, None, "candidate"]
        assert [row["anchor"] for row in mixed[1]][-2:] == ["To news.example/b/1", "To news.example/b/2"]
        assert [row["collection_version"] for row in mixed[1]] == [None] * 6 + [1] * 2
        assert list(map(said, merged[0][:4])) == list(map(said, mixed[0]))
        assert {row["warc"] for row in merged[0]} == {path.name for path in archive.warcs()}
        assert [row["why"] for row in merged[0]] == [None, None, None, "candidate", "candidate"]
        assert merged[1][: len(mixed[1])] == mixed[1]
        assert [archive.exchange(visit).body for visit in (1, 4, 5)] == [b"a", b"b", b"c"]
        assert list(archive.check()) == []


@pytest.mark.parametrize("step", MIGRATION_STEPS)
def test_a_kill_during_an_upgrade_leaves_the_archive_as_it_was(tmp_path: Path, step: str) -> None:
    folder = tmp_path / "news"
    make_old(folder, 1)
    before = dump(folder)

    child = context.Process(target=upgrade, args=(str(folder), step))
    child.start()
    child.join(600)

    assert child.exitcode == -signal.SIGKILL
    if step == "after migration":
        assert (f"INSERT INTO \"meta\" VALUES('layout','{layout.LAYOUT}');") in dump(folder)
    else:
        assert dump(folder) == before
    with Store.open(folder) as archive:
        assert [len(archive.agenda(source.key)) for source in archive.sources()] == [1, 4]
        assert list(archive.check()) == []


def test_every_step_of_an_upgrade_is_announced_in_order(tmp_path: Path) -> None:
    make_old(tmp_path / "news", 1)
    announced: list[str] = []

    layout.upgrade(tmp_path / "news", announced.append)

    assert tuple(announced) == MIGRATION_STEPS


def test_an_archive_that_another_process_upgrades_meanwhile_is_upgraded_once(tmp_path: Path) -> None:
    folder = tmp_path / "news"
    make_old(folder, 3)
    announced: list[str] = []

    def overtake(step: str) -> None:
        announced.append(step)
        if len(announced) == 1:
            Store.open(folder).close()

    layout.upgrade(folder, overtake)

    assert announced == ["before migration"]
    with Store.open(folder) as archive:
        assert list(archive.check()) == []


def test_what_layout_4_lacked_is_added_and_the_rest_stays(tmp_path: Path) -> None:
    folder = tmp_path / "news"
    with Store.open(folder, create=True) as archive, archive.writer() as writer:
        keep(writer, "news.example/a", b"a")
        sources, pages, agenda = archive.sources(), archive.pages(["news.example/a"]), archive.agenda(HOME)
    make_layout_4(folder)

    with Store.open(folder) as archive:
        assert (archive.sources(), archive.pages(["news.example/a"]), archive.agenda(HOME)) == (sources, pages, agenda)
        assert archive.events() == []
        assert list(archive.check()) == []
    Store.open(tmp_path / "new", create=True).close()
    assert schema(folder) == schema(tmp_path / "new")


def test_what_layout_5_lacked_is_added_and_its_events_and_moved_records_stay(tmp_path: Path) -> None:
    folder = tmp_path / "news"
    with Store.open(folder, create=True) as archive, archive.writer() as writer:
        keep(writer, "news.example/a", b"a")
        sources, pages = archive.sources(), archive.pages(["news.example/a"])
    make_layout_5(folder)
    change(folder, "INSERT INTO events VALUES (7, '2026-03-02 12:00:00', 'new article', 'news.example', 'a', '{}')")
    change(folder, "INSERT INTO moved_parts SELECT 'old.warc.gz', 0, 9, id, 5 FROM files WHERE kind = 'warc'")

    with Store.open(folder) as archive:
        assert (archive.sources(), archive.pages(["news.example/a"])) == (sources, pages)
        assert [event.id for event in archive.events()] == [7]
        assert list(archive.check()) == []
    with closing(sqlite3.connect(catalogue(folder))) as connection:
        assert connection.execute("SELECT name, base, kept FROM moved").fetchall() == [
            ("old.warc.gz", 5, packed([(0, 9)]))
        ]
    Store.open(tmp_path / "new", create=True).close()
    assert schema(folder) == schema(tmp_path / "new")


def test_the_parts_of_rewritten_files_of_layout_6_are_joined_and_their_records_are_still_found(tmp_path: Path) -> None:
    folder = tmp_path / "news"
    with Store.open(folder, create=True) as archive, archive.writer() as writer:
        keep(writer, "news.example/a", b"a")
        [name] = [path.name for path in (folder / "warc").iterdir()]
    make_layout_6(folder)
    for part in ("0, 40, id, 7", "100, 130, id, -53", "200, 260, id, -123"):
        change(folder, f"INSERT INTO moved_parts SELECT 'old.warc.gz', {part} FROM files WHERE kind = 'warc'")  # noqa: S608
    change(folder, "INSERT INTO moved SELECT 'whole.warc.gz', id, 300 FROM files WHERE kind = 'warc'")

    with Store.open(folder) as archive:
        assert list(archive.check()) == []
    database = Database(folder)
    with database.reading() as connection:
        places = [
            catalogued_files.moved(connection, RecordPlace(warc, offset, 1))
            for warc, offset in [("old.warc.gz", offset) for offset in (39, 40, 100, 259, 260)] + [("whole.warc.gz", 5)]
        ]
    database.close()
    found = [place and place.offset for place in places]
    assert found == [46, None, 47, 136, None, 305]
    assert {place.warc for place in places if place} == {name}
    Store.open(tmp_path / "new", create=True).close()
    assert schema(folder) == schema(tmp_path / "new")


def test_a_source_of_layout_7_begins_in_exploration(tmp_path: Path) -> None:
    folder = tmp_path / "news"
    with Store.open(folder, create=True) as archive, archive.writer() as writer:
        batch = writer.batch()
        batch.source(SourceRecord(key=HOME, url="https://news.example/", name="News", added_at=ADDED))
        writer.commit(batch)
    make_layout_7(folder)

    with Store.open(folder) as archive:
        assert archive.sources()[0].phase == PhaseRecord()
        assert archive.front_records() == []
        assert list(archive.check()) == []
    Store.open(tmp_path / "new", create=True).close()
    assert schema(folder) == schema(tmp_path / "new")


def test_articles_of_layout_8_keep_their_digests_and_new_ones_get_others(tmp_path: Path) -> None:
    folder = tmp_path / "news"
    with Store.open(folder, create=True) as archive, archive.writer() as writer:
        keep(writer, "news.example/a", b"a")
    make_layout_8(folder)

    with Store.open(folder) as archive, archive.writer() as writer:
        keep(writer, "news.example/b", b"b")

    with Store.open(folder) as archive:
        assert [stored.key for stored in archive.articles()] == ["news.example/a", "news.example/b"]
        assert list(archive.check()) == []
    with closing(sqlite3.connect(catalogue(folder))) as connection:
        digests = [digest for (digest,) in connection.execute("SELECT digest FROM versions ORDER BY key")]
    assert [digest.startswith("2:") for digest in digests] == [False, True]


def test_an_article_of_layout_8_that_was_changed_on_disk_is_noticed(tmp_path: Path) -> None:
    folder = tmp_path / "news"
    with Store.open(folder, create=True) as archive, archive.writer() as writer:
        keep(writer, "news.example/a", b"a")
    make_layout_8(folder)
    with closing(sqlite3.connect(catalogue(folder))) as connection, connection:
        connection.execute("UPDATE versions SET model = 'another'")

    with Store.open(folder) as archive, pytest.raises(ArchiveError, match="does not match its digest"):
        list(archive.articles())


def test_what_layout_9_did_not_keep_of_sources_and_of_sections_that_were_given_up_is_told_from_the_rest(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "news"
    hourly = SourceRecord(key=HOME, url="https://news.example/", name="News", added_at=ADDED, every_given=True)
    often = replace(hourly, key="often.example", url="https://often.example/", every=1800.0, pace="arrivals")
    left = FrontRecord(source=HOME, page=HOME, left_at=NOON, left_because="has listed no article", may_rejoin=True)
    with Store.open(folder, create=True) as archive, archive.writer() as writer:
        batch = writer.batch()
        batch.source(hourly)
        batch.source(often)
        batch.page(page(HOME))
        batch.front(left)
        writer.commit(batch)
    make_layout_9(folder)

    with Store.open(folder) as archive:
        # An hour was more often the default than given, and only sections were noted that were given up for long.
        assert archive.sources() == [replace(hourly, every_given=False), replace(often, pace=None)]
        assert archive.front_records() == [replace(left, may_rejoin=False)]
        assert list(archive.check()) == []
    Store.open(tmp_path / "new", create=True).close()
    assert schema(folder) == schema(tmp_path / "new")


def test_fronts_of_layout_10_have_no_looks_that_have_not_ended(tmp_path: Path) -> None:
    folder = tmp_path / "news"
    look = OpenLook(page=f"{HOME}?page=2", number=2, since=NOON, begun=NOON + timedelta(hours=1))
    front = FrontRecord(source=HOME, page=HOME, gaps=1, last_gap=NOON, looks=(look,))
    with Store.open(folder, create=True) as archive, archive.writer() as writer:
        batch = writer.batch()
        batch.source(SourceRecord(key=HOME, url="https://news.example/", name="News", added_at=ADDED))
        batch.page(page(HOME))
        batch.front(front)
        writer.commit(batch)
        kept = archive.front_records()
    make_layout_10(folder)

    with Store.open(folder) as archive:
        assert (kept, archive.front_records()) == ([front], [replace(front, looks=())])
        assert list(archive.check()) == []
    Store.open(tmp_path / "new", create=True).close()
    assert schema(folder) == schema(tmp_path / "new")


def test_a_repair_keeps_the_fronts_of_layout_10(tmp_path: Path) -> None:
    folder = tmp_path / "news"
    with Store.open(folder, create=True) as archive, archive.writer() as writer:
        keep(writer, "news.example/a", b"a")
        batch = writer.batch()
        batch.page(page(HOME))
        batch.front(FrontRecord(source=HOME, page=HOME, gaps=1, last_gap=NOON))
        writer.commit(batch)
        fronts = archive.front_records()
    make_layout_10(folder)

    repair(folder, NothingRead(), SystemClock(), lambda _: None)

    with Store.open(folder) as archive:
        assert archive.front_records() == fronts


def test_a_repair_keeps_the_sources_of_layout_4(tmp_path: Path) -> None:
    folder = tmp_path / "news"
    with Store.open(folder, create=True) as archive, archive.writer() as writer:
        keep(writer, "news.example/a", b"a")
        sources = archive.sources()
    make_layout_4(folder)

    done = repair(folder, NothingRead(), SystemClock(), lambda _: None)

    assert not any("sources" in line for line in done.lost)
    with Store.open(folder) as archive:
        assert archive.sources() == sources
        assert [stored.key for stored in archive.articles()] == ["news.example/a"]
        assert list(archive.check()) == []


def hold(folder: Path, holder: lease.Lease) -> None:
    names = ("holder", "host", "boot", "space", "pid", "started", "acquired", "heartbeat")
    row = {name: getattr(holder, name) for name in names}
    times = {name: row[name].replace(tzinfo=None).isoformat(" ") for name in ("acquired", "heartbeat")}
    with closing(sqlite3.connect(catalogue(folder))) as connection, connection:
        insert(connection, "lease", {"id": 1, **row, **times})


def test_an_archive_that_is_written_to_is_not_upgraded(tmp_path: Path) -> None:
    folder = tmp_path / "news"
    make_old(folder, 3)
    hold(folder, lease.mine(SystemClock().now()))
    before = dump(folder)

    with pytest.raises(ArchiveBusy, match="has an older layout; stop the process that writes to it"):
        Store.open(folder)

    assert dump(folder) == before


def test_the_lease_of_a_dead_writer_goes_with_the_upgrade(tmp_path: Path) -> None:
    folder = tmp_path / "news"
    make_old(folder, 3)
    hold(folder, replace(lease.mine(SystemClock().now()), pid=2**22 + 1))

    with Store.open(folder) as archive, archive.writer() as writer:
        keep(writer, "news.example/b", b"b")

    with closing(sqlite3.connect(catalogue(folder))) as connection:
        assert connection.execute("SELECT * FROM lease").fetchall() == []


def test_pages_of_sources_that_are_missing_are_not_dropped_without_a_word(tmp_path: Path) -> None:
    folder = tmp_path / "news"
    make_old(folder, 3)
    change(folder, "UPDATE pages SET source = 'nobody' WHERE key = 'news.example/queued'")
    before = dump(folder)

    with pytest.raises(ArchiveError, match=r"1 of its pages belong to sources that are missing .* `broadsheet repair`"):
        Store.open(folder)

    assert dump(folder) == before


@pytest.mark.parametrize("number", LAYOUTS)
@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE pages SET source = 'nobody' WHERE key = 'news.example/failed'",
        "UPDATE pages SET url = CAST(x'ff' AS TEXT) WHERE key = 'news.example/failed'",
        "UPDATE pages SET key = NULL WHERE key = 'news.example/failed'",
    ],
)
def test_a_repair_keeps_what_remains_of_an_earlier_layout(tmp_path: Path, number: int, damage: str) -> None:
    folder = tmp_path / "news"
    make_old(folder, number)
    with closing(sqlite3.connect(catalogue(folder))) as connection, connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_master SET sql = replace(sql, '\"key\" TEXT NOT NULL', '\"key\" TEXT')")
    change(folder, damage)

    done = repair(folder, NothingRead(), SystemClock(), lambda _: None)

    assert any("1 rows of the table `pages`" in line for line in done.lost)
    with Store.open(folder) as archive:
        assert [(source.key, source.goal) for source in archive.sources()] == [
            ("new.example", None),
            (HOME, "9 snapshots"),
        ]
        pages = archive.pages(PAGES)
        assert pages.keys() == PAGES.keys() - {"news.example/failed"}
        assert pages["news.example/tried"].fetch == FetchRecord(attempts=2)
        assert pages["news.example/known"].kind == "section"
        assert {planned.page.key for planned in archive.agenda(HOME)} == {
            HOME,
            "news.example/section",
            "news.example/queued",
            "news.example/tried",
        }
        assert [stored.key for stored in archive.articles()] == ["news.example/a"]
        assert list(archive.check()) == []


def upgrade_time(folder: Path, pages: int) -> float:
    """Return the CPU seconds that it takes to upgrade an archive of so many pages."""
    make_old(folder, 3)
    fill: Callable[[sqlite3.Connection], object] = lambda connection: connection.execute(  # noqa: E731
        "INSERT INTO pages (key, url, source, state, kind, probability, probabilities, reasons, model, first_seen,"
        " last_seen, rounds_seen, attempts) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)"
        " SELECT 'news.example/p' || i, 'https://news.example/p' || i, 'news.example', 'queued', 'article', 0.5, '{}',"
        " '[]', 'm', '2026-03-02 09:00:00.000000', '2026-03-02 09:00:00.000000', 1, 0 FROM n",
        (pages,),
    )
    with closing(sqlite3.connect(catalogue(folder))) as connection, connection:
        fill(connection)
    begun = time.process_time()
    layout.upgrade(folder)
    return time.process_time() - begun


def test_the_time_of_an_upgrade_grows_with_the_pages_and_no_faster(tmp_path: Path) -> None:
    small = min(upgrade_time(tmp_path / f"small{number}", 5_000) for number in range(3))
    large = upgrade_time(tmp_path / "large", 40_000)

    assert large < 8 * small * 3
