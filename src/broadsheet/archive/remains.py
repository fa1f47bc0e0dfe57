"""What can still be read of a catalogue that is damaged, or missing altogether."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Boolean, Table

from broadsheet.archive import rows, tables
from broadsheet.archive.archive_errors import DamagedRow
from broadsheet.archive.archive_records import PageRecord, SourceRecord
from broadsheet.archive.article_json import fingerprint, from_json
from broadsheet.archive.folder import CATALOGUE

# All that a row which does not hold what was written can raise on being read.
_DAMAGE = (DamagedRow, TypeError, ValueError, KeyError, AttributeError)


class Remains:
    """The rows of a catalogue that can be read one by one; `damaged` counts those that cannot, by table."""

    def __init__(self, folder: Path) -> None:
        """Take the folder of an archive, whatever state its catalogue is in."""
        self._path = folder / CATALOGUE
        self.damaged: dict[str, int] = {}

    def meta(self) -> dict[str, str]:
        """Return what the catalogue says of itself."""
        return {str(row["name"]): str(row["value"]) for row in self._rows(tables.meta)}

    def sources(self) -> Iterator[SourceRecord]:
        """Give the sources."""
        for row in self._rows(tables.sources):
            try:
                yield rows.to_source(row)
            except _DAMAGE:
                self._count(tables.sources)

    def pages(self) -> Iterator[PageRecord]:
        """Give the pages, without what is known of their content."""
        for row in self._rows(tables.pages):
            try:
                yield rows.to_page({**row, "digest": None, "visit": None})
            except _DAMAGE:
                self._count(tables.pages)

    def versions(self) -> Iterator[dict[str, Any]]:
        """Give the versions of articles that say what was written, as rows with times as they are stored."""
        for row in self._rows(tables.versions, converted=False):
            try:
                is_sound = fingerprint(from_json(row["article"])) == row["fingerprint"]
                # Layout 1 had no digests.
                if is_sound and row.get("digest", "") in {"", rows.version_digest(row)}:
                    yield row
                    continue
            except _DAMAGE:
                pass
            self._count(tables.versions)

    def counters(self) -> Iterator[dict[str, Any]]:
        """Give the counters."""
        return self._sound(tables.counters)

    def incidents(self) -> Iterator[dict[str, Any]]:
        """Give the incidents; catalogues of layouts before 3 have none."""
        return self._sound(tables.incidents)

    def _sound(self, table: Table) -> Iterator[dict[str, Any]]:
        for row in self._rows(table):
            try:
                rows.require_types(table, row, table.name)
            except DamagedRow:
                self._count(table)
            else:
                yield row

    def _rows(self, table: Table, *, converted: bool = True) -> Iterator[dict[str, Any]]:
        """Give the rows of a table from both its ends, as far as they can be reached from there."""
        seen: set[int] = set()
        for order in ("ASC", "DESC"):
            # The rest of a table is out of reach from an end where SQLite meets damage.
            with suppress(sqlite3.Error), closing(self._connect()) as connection:
                query = f"SELECT rowid AS rowid_, * FROM {table.name} ORDER BY rowid {order}"  # noqa: S608 - our names
                for row in connection.execute(query):
                    values = dict(row)
                    number = values.pop("rowid_")
                    if number in seen:
                        return
                    seen.add(number)
                    try:
                        yield _converted(table, values) if converted else values
                    except _DAMAGE:
                        self._count(table)
                return

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(f"{self._path.absolute().as_uri()}?mode=ro", uri=True)
        connection.row_factory = sqlite3.Row
        connection.text_factory = partial(str, encoding="utf-8", errors="surrogateescape")
        return connection

    def _count(self, table: Table) -> None:
        self.damaged[table.name] = self.damaged.get(table.name, 0) + 1


def _converted(table: Table, values: dict[str, Any]) -> dict[str, Any]:
    for column in table.c:
        value = values[column.name]
        if value is None:
            continue
        if isinstance(column.type, tables.UtcTime):
            values[column.name] = datetime.fromisoformat(value).replace(tzinfo=UTC)
        elif isinstance(column.type, tables.Json):
            values[column.name] = json.loads(value)
        elif isinstance(column.type, Boolean):
            values[column.name] = bool(value)
    return values
