"""What remains of a catalogue of an earlier layout, in the tables of this one."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Table

from broadsheet.archive import migration, tables
from broadsheet.archive.archive_errors import from_system
from broadsheet.archive.article_json import to_valid_unicode
from broadsheet.archive.database import Database
from broadsheet.archive.folder import CATALOGUE
from broadsheet.archive.insertions import upsert
from broadsheet.archive.remains import Remains
from broadsheet.base.clock import Clock

#: The columns of the two tables that changed in layout 4, the primary key first.
_COLUMNS: Mapping[Table, tuple[str, ...]] = {
    tables.sources: tuple(
        "key url name added_at state every rounds next_round until_round until goal".split(),
    ),
    tables.pages: tuple(
        "key url source state kind subtype probability probabilities reasons model first_seen last_seen first_round"
        " last_round rounds_seen anchor attempts due every etag last_modified fetched_at duplicate_of".split(),
    ),
}


def convert_remains(remains: Remains, aside: Path, clock: Clock) -> None:
    """Let what remains of an earlier layout's sources and pages be read as if it had been upgraded.

    The rows that can be read are copied to a catalogue aside, which is upgraded as a whole one would be.
    """
    if remains.meta().get("layout") not in migration.IN_ROUNDS:
        return
    try:
        aside.mkdir(exist_ok=True)
        for path in aside.iterdir():
            path.unlink()
    except OSError as error:
        raise from_system(error, aside) from error
    database = Database(aside, writable=True)
    try:
        with database.writing() as connection:
            _copy(connection, remains)
            migration.convert(connection, clock.now(), lambda _: None)
    finally:
        database.close()
    remains.read_instead(aside / CATALOGUE, migration.CHANGED)


def _copy(connection: Connection, remains: Remains) -> None:
    tables.metadata.create_all(connection, [tables.meta, tables.lease])
    created = remains.meta().get("created", "")
    upsert(connection, tables.meta, [{"name": "created", "value": created}])
    known: set[object] = set()
    for table, names in _COLUMNS.items():
        listed = ", ".join(names)
        connection.exec_driver_sql(f"CREATE TABLE {table.name} ({listed}, PRIMARY KEY (key))")
        insert = f"INSERT OR IGNORE INTO {table.name} ({listed}) VALUES ({', '.join('?' * len(names))})"  # noqa: S608
        for row in _sound(remains, table, known):
            connection.exec_driver_sql(insert, tuple(row[name] for name in names))
            if table is tables.sources:
                known.add(row["key"])


def _sound(remains: Remains, table: Table, sources: set[object]) -> Iterator[dict[str, Any]]:
    """Give the rows that can be copied; pages of sources that are gone belong to nobody."""
    for row in remains.stored_rows(table):
        # Bytes that are not UTF-8 come as lone surrogates.
        is_text = all(value == to_valid_unicode(value) for value in row.values() if isinstance(value, str))
        is_whole = row.keys() >= set(_COLUMNS[table]) and row["key"] is not None
        if is_text and is_whole and (table is tables.sources or row["source"] in sources):
            yield row
        else:
            remains.count(table)
