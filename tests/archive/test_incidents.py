"""The newest example of each reason, and which sources fail now."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from broadsheet.archive import HOME_PAGE, ProvisionalArchive, Store, repair
from broadsheet.base import reasons
from broadsheet.base.clock import SystemClock
from broadsheet.base.incident import Incident
from tests.archive.rereaders import NothingRead
from tests.archive.samples import FETCHED, SOURCE, keep, page
from tests.archive.samples import NOON as AT

URL = "https://news.example/"
FAILURE = Incident(URL, reasons.TIMEOUT, "cannot be fetched (timeout): it took too long", AT)
LATER = replace(FAILURE, url=URL + "later", at=AT + timedelta(hours=1))


def test_the_newest_example_of_a_reason_is_kept(archive: Store) -> None:
    with archive.writer() as writer:
        for incident in (FAILURE, LATER):
            batch = writer.batch()
            batch.source(SOURCE)
            batch.count("failed", incident.reason, source=SOURCE.key)
            batch.incident(SOURCE.key, "failed", incident)
            writer.commit(batch)

    status = archive.status()
    assert status.examples == (LATER,)
    assert status.sources[0].examples == (LATER,)
    assert list(archive.check()) == []


def test_a_source_fails_until_its_home_page_has_come_again(archive: Store) -> None:
    with archive.writer() as writer:
        batch = writer.batch()
        batch.source(SOURCE)
        batch.page(page(SOURCE.key, url=URL, fetch=replace(FETCHED, fetched_at=AT - timedelta(hours=1))))
        batch.incident(SOURCE.key, HOME_PAGE, FAILURE)
        writer.commit(batch)
        failing = archive.failing()
        batch = writer.batch()
        batch.page(page(SOURCE.key, url=URL, fetch=replace(FETCHED, fetched_at=AT + timedelta(hours=1))))
        writer.commit(batch)

    assert failing == {SOURCE.key: FAILURE}
    assert archive.failing() == {}
    assert archive.status().sources[0].failing is None


def test_a_repair_keeps_the_incidents(archive: Store) -> None:
    with archive.writer() as writer:
        keep(writer, SOURCE.key, b"a")
        batch = writer.batch()
        batch.incident(SOURCE.key, "failed", FAILURE)
        writer.commit(batch)
    archive.close()

    repair(archive.folder, NothingRead(), SystemClock(), lambda _: None)

    with Store.open(archive.folder) as repaired:
        assert repaired.status().examples == (FAILURE,)


def test_an_archive_that_was_just_made_can_be_withdrawn(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    provisional = ProvisionalArchive(folder)
    Store.open(folder, create=True).close()

    provisional.withdraw()

    assert list(tmp_path.iterdir()) == []


def test_what_was_there_before_is_not_withdrawn(archive: Store) -> None:
    provisional = ProvisionalArchive(archive.folder)

    provisional.withdraw()

    assert archive.status().sources == ()


def test_an_archive_that_somebody_writes_to_is_not_withdrawn(tmp_path: Path) -> None:
    provisional = ProvisionalArchive(tmp_path / "news")
    with Store.open(tmp_path / "news", create=True) as archive, archive.writer():
        provisional.withdraw()

        assert archive.status().holder is not None


def test_an_archive_into_which_a_page_came_meanwhile_is_not_withdrawn(tmp_path: Path) -> None:
    provisional = ProvisionalArchive(tmp_path / "news")
    with Store.open(tmp_path / "news", create=True) as archive, archive.writer() as writer:
        batch = writer.batch()
        batch.source(SOURCE)
        batch.page(page(fetch=FETCHED))
        writer.commit(batch)

    provisional.withdraw()

    with Store.open(tmp_path / "news") as archive:
        assert [source.key for source in archive.sources()] == [SOURCE.key]


def test_files_of_others_stay_when_an_archive_is_withdrawn(tmp_path: Path) -> None:
    folder = tmp_path / "news"
    provisional = ProvisionalArchive(folder)
    Store.open(folder, create=True).close()
    (folder / "notes.txt").write_text("mine")

    provisional.withdraw()

    assert [path.name for path in folder.iterdir()] == ["notes.txt"]
