"""Archives of layouts 4 to 10 get what these lacked, and keep the rest."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from broadsheet.archive import (
    ArchiveError,
    FrontRecord,
    OpenLook,
    PhaseRecord,
    SourceRecord,
    Store,
    catalogued_files,
    repair,
)
from broadsheet.archive.article_records import RecordPlace
from broadsheet.archive.database import Database
from broadsheet.archive.kept_ranges import packed
from broadsheet.base.clock import SystemClock
from tests.archive.old_layouts import (
    HOME,
    catalogue,
    make_layout_4,
    make_layout_5,
    make_layout_6,
    make_layout_7,
    make_layout_8,
    make_layout_9,
    make_layout_10,
)
from tests.archive.rereaders import NothingRead
from tests.archive.samples import NOON, keep, page
from tests.archive.upgrades import ADDED, change, schema


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
