"""A check finds every kind of damage, and nothing where there is none."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from broadsheet.archive import Archive
from tests.archive.samples import SOURCE, exchange, keep, page


@pytest.fixture
def kept(archive: Archive) -> Archive:
    with archive.writer() as writer:
        keep(writer, "news.example/a", b"a" * 5000)
        keep(writer, "news.example/a", b"b" * 5000, title="changed")
        keep(writer, "news.example/b", b"c" * 5000)
    return archive


def file(archive: Archive, kind: str) -> Path:
    return next((archive.folder / kind).iterdir())


def change(archive: Archive, statement: str) -> None:
    connection = sqlite3.connect(archive.folder / "catalogue.sqlite")
    connection.execute(statement)
    connection.commit()
    connection.close()


def test_a_sound_archive_has_no_problems(kept: Archive) -> None:
    assert list(kept.check()) == []


def test_an_empty_archive_has_no_problems(archive: Archive) -> None:
    assert list(archive.check()) == []


@pytest.mark.parametrize("kind", ["warc", "visits", "occurrences"])
@pytest.mark.parametrize(
    ("damage", "what"),
    [
        (Path.unlink, "is missing"),
        (lambda path: path.write_bytes(path.read_bytes()[:-3]), "bytes instead of"),
        (lambda path: path.write_bytes(path.read_bytes()[:-9] + bytes(9)), "not those that were written"),
    ],
)
def test_damaged_files_are_named(kept: Archive, kind: str, damage: Callable[[Path], object], what: str) -> None:
    damaged = file(kept, kind)

    damage(damaged)

    found = {problem.where: problem.what for problem in kept.check()}
    assert what in found[f"{kind}/{damaged.name}"]


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("UPDATE versions SET visit = 99 WHERE version = 2", "was read from visit 99, which is not there"),
        ("UPDATE versions SET latest = 1", "2 versions up to number 2, 2 of them the latest"),
        ("UPDATE versions SET offset = offset + 1", "cannot be read: it is no whole gzip member"),
        ("UPDATE contents SET visit = 99", "has its content from visit 99"),
        ("UPDATE meta SET value = '1' WHERE name = 'last_visit'", "beyond the last visit that was committed, 1"),
        ("UPDATE pages SET source = 'nobody'", "refers to nothing"),
        ("UPDATE pages SET etag = 'x', key = 'y' WHERE key LIKE '%b'", "its content was never kept"),
        ("UPDATE files SET rows = 9 WHERE kind = 'visits'", "rows instead of 9"),
    ],
)
def test_rows_that_do_not_agree_are_named(kept: Archive, statement: str, what: str) -> None:
    change(kept, statement)

    assert any(what in problem.what for problem in kept.check())


def test_a_revisit_of_nothing_and_a_visit_beyond_are_named(archive: Archive) -> None:
    with archive.writer() as writer:
        batch = writer.batch()
        batch.visit("a", "https://a", (exchange(b"a"),), same_as=77)
        writer.commit(batch)

    assert [(problem.where, problem.what) for problem in archive.check()] == [
        ("visit 77", "is named as the same as another, but is not there")
    ]


def test_leftovers_are_harmless_and_the_next_writer_removes_them(kept: Archive) -> None:
    (kept.folder / "warc" / ".tmp-x").write_bytes(b"half")
    (kept.folder / "visits" / f"{'0' * 64}.parquet").write_bytes(b"whole")
    (kept.folder / "visits" / "README").write_text("not ours", encoding="utf-8")

    assert [problem.harmless for problem in kept.check()] == [True, True]
    with kept.writer():
        pass
    assert list(kept.check()) == []
    assert (kept.folder / "visits" / "README").exists()


def test_a_page_that_would_never_be_fetched_whole_again_is_named(archive: Archive) -> None:
    with archive.writer() as writer:
        batch = writer.batch()
        batch.source(SOURCE)
        batch.page(page(etag='"x"'))
        writer.commit(batch)

    assert [problem.what for problem in archive.check()] == [
        "is asked for only if it changed, but its content was never kept"
    ]
