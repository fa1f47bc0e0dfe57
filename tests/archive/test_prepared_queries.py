"""A prepared query gives what SQLAlchemy gives for the same query, and fails as that does."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from sqlalchemy import Connection, bindparam, create_engine, insert, select
from sqlalchemy.exc import DBAPIError

from broadsheet.archive import tables
from broadsheet.archive.archive_errors import DamagedRow
from broadsheet.archive.prepared_queries import PreparedQuery
from broadsheet.archive.sql_expressions import among, listed

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
VERDICTS = select(tables.verdicts).where(among(tables.verdicts.c.page)).order_by(tables.verdicts.c.page)


@pytest.fixture
def connection() -> Iterator[Connection]:
    engine = create_engine("sqlite://")
    with engine.connect() as connection:
        tables.metadata.create_all(connection)
        for page in ("a", "b", "c"):
            connection.execute(
                insert(tables.verdicts).values(
                    page=page,
                    kind="article",
                    probability=0.5,
                    probabilities={"article": 0.5},
                    reasons=["a \N{SNOWMAN}"],
                    model="test",
                    at=NOON,
                    evidence={},
                )
            )
        yield connection
    engine.dispose()


def test_rows_are_those_of_sqlalchemy(connection: Connection) -> None:
    keys = listed(["a", "c", "missing"])

    found = PreparedQuery(VERDICTS).mappings(connection, keys=keys)

    assert [row["page"] for row in found] == ["a", "c"]
    assert found == [dict(row) for row in connection.execute(VERDICTS, {"keys": keys}).mappings()]


def test_parameters_are_stored_as_their_columns_are(connection: Connection) -> None:
    fields = tables.verdicts.c
    later = PreparedQuery(select(fields.page).where(fields.at >= bindparam("moment")).order_by(fields.page).limit(2))

    assert [tuple(row) for row in later.rows(connection, moment=NOON)] == [("a",), ("b",)]
    assert later.first(connection, moment=NOON.replace(hour=13)) is None


def test_a_failure_is_one_of_sqlalchemy(connection: Connection) -> None:
    connection.exec_driver_sql("DROP TABLE verdicts")

    with pytest.raises(DBAPIError, match="no such table"):
        PreparedQuery(VERDICTS).rows(connection, keys=listed([]))


def test_a_damaged_value_is_named_as_damage(connection: Connection) -> None:
    connection.exec_driver_sql("UPDATE verdicts SET reasons = '[half' WHERE page = 'b'")

    with pytest.raises(DamagedRow):
        PreparedQuery(VERDICTS).rows(connection, keys=listed(["b"]))
