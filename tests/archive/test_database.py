"""Rows reach the database as SQLAlchemy would write them, and meet those that are there as each function says."""

from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from sqlalchemy import Connection, create_engine, insert, select
from sqlalchemy.exc import DBAPIError

from broadsheet.archive import tables
from broadsheet.archive.database import Database
from broadsheet.archive.insertions import add_to, insert_new, upsert
from broadsheet.archive.sql_expressions import among, listed

MOMENT = datetime(2026, 11, 16, 8, 30, 0, 500, timezone(timedelta(hours=2)))


@pytest.fixture
def connection() -> Iterator[Connection]:
    engine = create_engine("sqlite://")
    with engine.connect() as connection:
        tables.metadata.create_all(connection)
        yield connection
    engine.dispose()


def verdict(page: str) -> dict[str, object]:
    return {
        "page": page,
        "kind": "article",
        "subtype": None,
        "probability": 1,
        "probabilities": {"article": 1.0},
        "reasons": ["a \N{SNOWMAN}"],
        "model": "test",
        "at": MOMENT,
        "evidence": {},
    }


def test_values_are_stored_as_sqlalchemy_stores_them(connection: Connection) -> None:
    upsert(connection, tables.verdicts, [verdict("ours")])
    connection.execute(insert(tables.verdicts), [verdict("theirs")])

    ours, theirs = (row[1:] for row in connection.exec_driver_sql("SELECT * FROM verdicts ORDER BY page"))

    assert ours == theirs
    assert "2026-11-16 06:30:00.000500" in ours


def test_a_row_that_is_there_is_changed(connection: Connection) -> None:
    upsert(connection, tables.meta, [{"name": "a", "value": "1"}, {"name": "b", "value": "1"}])
    upsert(connection, tables.meta, [{"value": "2", "name": "a"}])

    assert {row.name: row.value for row in connection.execute(select(tables.meta))} == {"a": "2", "b": "1"}


def test_a_number_is_added_to_the_one_that_is_there(connection: Connection) -> None:
    row = {"name": "visits", "reason": "", "source": "", "number": 3}
    add_to(connection, tables.counters, "number", [row])
    add_to(connection, tables.counters, "number", [{**row, "number": 4}])

    assert connection.execute(select(tables.counters.c.number)).scalars().all() == [7]


def test_a_new_row_must_not_be_there(connection: Connection) -> None:
    insert_new(connection, tables.meta, [{"name": "a", "value": "1"}])

    with pytest.raises(DBAPIError, match="UNIQUE"):
        insert_new(connection, tables.meta, [{"name": "a", "value": "2"}])


def test_any_number_of_values_is_asked_for_with_one_statement(connection: Connection) -> None:
    keys = [f"news.example/{number}" for number in range(2_000)]
    insert_new(connection, tables.pages, [{"key": key, "url": f"https://{key}"} for key in keys])
    query = select(tables.pages.c.key).where(among(tables.pages.c.key))

    few = connection.execute(query, {"keys": listed(keys[:2])}).scalars().all()
    many = connection.execute(query, {"keys": listed([*keys, "news.example/unknown"])}).scalars().all()

    assert set(few) == set(keys[:2])
    assert set(many) == set(keys)
    assert connection.execute(query, {"keys": listed(())}).scalars().all() == []


@pytest.mark.parametrize("key", ['a"b', "a'b\\", "a,b", "\N{SNOWMAN}", "1"])
def test_a_value_is_found_whatever_characters_it_has(connection: Connection, key: str) -> None:
    insert_new(connection, tables.pages, [{"key": key, "url": "https://news.example/"}])

    query = select(tables.pages.c.key).where(among(tables.pages.c.key))

    assert connection.execute(query, {"keys": listed([key])}).scalars().all() == [key]


def test_numbers_are_asked_for_as_numbers(connection: Connection) -> None:
    far = 2**63 - 1
    insert_new(connection, tables.sketch_hashes, [{"hash": number, "sketch": 1} for number in (-far, 7, far)])

    query = select(tables.sketch_hashes.c.hash).where(among(tables.sketch_hashes.c.hash))

    assert set(connection.execute(query, {"keys": listed([-far, far])}).scalars()) == {-far, far}


def test_a_question_about_some_keys_looks_them_up_in_the_index(connection: Connection) -> None:
    query = select(tables.pages).where(among(tables.pages.c.key))

    plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {query.compile(connection)}", ("[]",)).all()

    assert any("SEARCH pages USING INDEX" in str(row) for row in plan)


def test_only_the_connection_that_writes_has_a_large_cache(tmp_path: Path) -> None:
    database = Database(tmp_path, writable=True)
    try:
        with database.writing() as connection, database.glancing() as glance:
            kilobytes = [-each.exec_driver_sql("PRAGMA cache_size").scalar_one() for each in (connection, glance)]
    finally:
        database.close()

    assert kilobytes == [16_000, 2_000]
