"""Whoever goes through an archive slowly keeps nobody else waiting."""

import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy.pool import QueuePool

from broadsheet.archive import Store, article_search
from broadsheet.archive.export import export
from broadsheet.archive.stored_versions import version_digest
from tests.archive.samples import keep


def open_transactions(archive: Store) -> int:
    """Return how many connections of a reader are in use."""
    pool = archive._database._engine.pool
    assert isinstance(pool, QueuePool)
    return pool.checkedout()


def log_is_emptied(folder: Path) -> bool:
    """Move the write-ahead log into the catalogue, which an open snapshot prevents; say whether that was possible."""
    with closing(sqlite3.connect(folder / "catalogue.sqlite", timeout=0)) as connection:
        busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return not busy


def test_no_transaction_is_open_while_a_caller_works_with_an_article(archive: Store) -> None:
    number = article_search.ARTICLES_AT_ONCE + 20
    with archive.writer() as writer:
        for index in range(3):
            keep(writer, f"p{index}", b"%d" % index)
        fill(archive, number)
        found = archive.articles()
        first = next(found)

        keep(writer, "new", b"new")
        keep(writer, "p2", b"changed", title="Changed")

        assert open_transactions(archive) == 0
        assert log_is_emptied(archive.folder)
        # The articles are those of when it began, each in the version that was the newest then.
        rest = list(found)
        keys = [first.key, *(stored.key for stored in rest)]
        assert len(keys) == len(set(keys)) == number + 3
        assert "new" not in keys
        assert {stored.article.title for stored in [first, *rest] if stored.key == "p2"} == {"p2"}
    assert "Changed" in {stored.article.title for stored in archive.articles()}


def fill(archive: Store, number: int) -> None:
    """Add articles without their pages, which is quicker."""
    with closing(sqlite3.connect(archive.folder / "catalogue.sqlite")) as connection, connection:
        columns = [row[1] for row in connection.execute("PRAGMA table_info(versions)")]
        row = connection.execute("SELECT * FROM versions WHERE key = 'p0'").fetchone()
        for index in range(number):
            values = dict(zip(columns, row, strict=True)) | {"key": f"q{index:03}"}
            values["digest"] = version_digest(values)
            connection.execute(
                f"INSERT INTO versions VALUES ({', '.join('?' * len(columns))})",  # noqa: S608 - only marks
                [values[name] for name in columns],
            )


def test_no_transaction_is_open_while_a_caller_works_with_a_problem(archive: Store) -> None:
    with archive.writer() as writer:
        for index in range(3):
            keep(writer, f"p{index}", b"%d" % index)
        damaged = archive.warcs()
        for path in damaged:
            path.write_bytes(b"damaged")
        found = archive.check()
        next(found)

        keep(writer, "new", b"new")

        assert open_transactions(archive) == 0
        assert log_is_emptied(archive.folder)
        # What came since is not looked at.
        assert {problem.where for problem in found} == {f"warc/{path.name}" for path in damaged[1:]}


def test_no_transaction_is_open_while_an_export_is_written(archive: Store, tmp_path: Path) -> None:
    seen = []
    with archive.writer() as writer:
        keep(writer, "a", b"a")
        keep(writer, "b", b"b")
        with closing(sqlite3.connect(archive.folder / "catalogue.sqlite")) as connection, connection:
            connection.execute("UPDATE versions SET digest = '' WHERE key = 'a'")

        export(archive, "jsonl", tmp_path / "a.jsonl", on_damage=lambda _: seen.append(open_transactions(archive)))

    assert seen == [0]
