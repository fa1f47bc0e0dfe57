"""Rows reach the database as SQLAlchemy would write them, and meet those that are there as each function says."""

from collections.abc import Iterator
from datetime import datetime, timedelta, timezone

import pytest
from sqlalchemy import Connection, create_engine, insert, select
from sqlalchemy.exc import IntegrityError

from broadsheet.archive import tables
from broadsheet.archive.database import add_to, insert_new, upsert

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

    with pytest.raises(IntegrityError):
        insert_new(connection, tables.meta, [{"name": "a", "value": "2"}])
