"""What can still be read of a catalogue that is damaged, or missing altogether."""

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Boolean, Table

from broadsheet.archive import checked_rows, front_rows, log_rows, page_rows, source_rows, stored_versions, tables
from broadsheet.archive.archive_errors import DamagedRow
from broadsheet.archive.article_json import fingerprint, from_json
from broadsheet.archive.column_types import Json, UtcTime
from broadsheet.archive.event_records import Tombstone
from broadsheet.archive.folder import CATALOGUE
from broadsheet.archive.front_records import FeedRecord, FrontRecord
from broadsheet.archive.page_records import AgendaEntry, FetchRecord, Membership, PageRecord, VerdictRecord
from broadsheet.archive.source_records import SourceRecord

T = TypeVar("T")

# All that a row which does not hold what was written can raise on being read.
_DAMAGE = (DamagedRow, TypeError, ValueError, KeyError, AttributeError)


class Remains:
    """The rows of a catalogue that can be read one by one; `damaged` counts those that cannot, by table."""

    def __init__(self, folder: Path) -> None:
        """Take the folder of an archive, whatever state its catalogue is in."""
        self._path = folder / CATALOGUE
        self.damaged: dict[str, int] = {}
        self._broken: set[str] = set()
        #: Where tables are read that are not read from the catalogue itself.
        self._instead: dict[str, Path] = {}

    def is_whole(self, *of: Table) -> bool:
        """Say whether all rows of some tables, which have been asked for, could be read."""
        names = {table.name for table in of}
        return not names.intersection(self.damaged) and not names.intersection(self._broken)

    def read_instead(self, path: Path, of: Iterable[Table]) -> None:
        """Read some tables from another catalogue, which holds what remains of them."""
        self._instead |= {table.name: path for table in of}

    def meta(self) -> dict[str, str]:
        """Return what the catalogue says of itself."""
        return {str(row["name"]): str(row["value"]) for row in self._rows(tables.meta)}

    def sources(self) -> Iterator[SourceRecord]:
        """Give the sources."""
        return (source for _, source in self._read(tables.sources, source_rows.to_source))

    def pages(self) -> Iterator[PageRecord]:
        """Give the pages: their addresses, without what else is known of them."""
        for row in self._sound(tables.pages):
            yield PageRecord(**row)

    def fetches(self) -> Iterator[tuple[str, FetchRecord]]:
        """Give the fetch states of pages, with the pages' keys."""
        return ((row["page"], fetch) for row, fetch in self._read(tables.fetches, page_rows.to_fetch))

    def verdicts(self) -> Iterator[tuple[str, VerdictRecord]]:
        """Give the verdicts on pages, with the pages' keys."""
        return ((row["page"], verdict) for row, verdict in self._read(tables.verdicts, page_rows.to_verdict))

    def members(self) -> Iterator[Membership]:
        """Give which sources lead to which pages."""
        return (member for _, member in self._read(tables.members, page_rows.to_member))

    def agenda(self) -> Iterator[AgendaEntry]:
        """Give the visits that are planned."""
        return (entry for _, entry in self._read(tables.agenda, page_rows.to_entry))

    def feeds(self) -> Iterator[FeedRecord]:
        """Give the feeds of sources; catalogues of layouts before 5 have none."""
        return (feed for _, feed in self._read(tables.feeds, front_rows.to_feed))

    def fronts(self) -> Iterator[FrontRecord]:
        """Give what is known of fronts; catalogues of layouts before 8 have nothing of it."""
        return (front for _, front in self._read(tables.fronts, front_rows.to_front))

    def versions(self) -> Iterator[dict[str, Any]]:
        """Give the versions of articles that say what was written, as rows with times as they are stored."""
        for row in self.stored_rows(tables.versions):
            try:
                is_sound = fingerprint(from_json(row["article"])) == row["fingerprint"]
                # Layout 1 had no digests.
                if is_sound and (not row.get("digest") or stored_versions.is_sound(row)):
                    yield row
                    continue
            except _DAMAGE:
                pass
            self.count(tables.versions)

    def commits(self) -> Iterator[dict[str, Any]]:
        """Give the commits."""
        return self._sound(tables.commits)

    def counters(self) -> Iterator[dict[str, Any]]:
        """Give the counters."""
        return self._sound(tables.counters)

    def incidents(self) -> Iterator[dict[str, Any]]:
        """Give the incidents; catalogues of layouts before 3 have none."""
        return self._sound(tables.incidents)

    def events(self) -> Iterator[dict[str, Any]]:
        """Give the events; catalogues of layouts before 5 have none."""
        return (row for row, _ in self._read(tables.events, log_rows.to_event))

    def earlier_verdicts(self) -> Iterator[dict[str, Any]]:
        """Give the verdicts that were replaced."""
        return (row for row, _ in self._read(tables.earlier_verdicts, page_rows.to_verdict))

    def rereads(self) -> Iterator[dict[str, Any]]:
        """Give the runs over the archived pages."""
        return (row for row, _ in self._read(tables.rereads, log_rows.to_reread))

    def tombstones(self) -> Iterator[Tombstone]:
        """Give what was forgotten; damaged rows are in the file of tombstones, too."""
        return (tombstone for _, tombstone in self._read(tables.tombstones, log_rows.to_tombstone))

    def orders(self) -> Iterator[dict[str, Any]]:
        """Give the orders, those that were taken and those that wait."""
        return (row for row, _ in self._read(tables.orders, source_rows.to_order))

    def deliveries(self) -> Iterator[dict[str, Any]]:
        """Give the last events that listeners have confirmed."""
        return self._sound(tables.deliveries)

    def prunings(self) -> Iterator[dict[str, Any]]:
        """Give how much keep rules have removed; catalogues of layouts before 5 have none."""
        return self._sound(tables.prunings)

    def _sound(self, table: Table) -> Iterator[dict[str, Any]]:
        return (row for row, _ in self._read(table, lambda row: checked_rows.require_types(table, row, table.name)))

    def _read(self, table: Table, read: Callable[[dict[str, Any]], T]) -> Iterator[tuple[dict[str, Any], T]]:
        """Give the rows of a table with what they hold; damaged ones are counted."""
        for row in self._rows(table):
            try:
                found = read(row)
            except _DAMAGE:
                self.count(table)
            else:
                yield row, found

    def stored_rows(self, table: Table) -> Iterator[dict[str, Any]]:
        """Give the rows of a table as they are stored, whatever columns they have."""
        return self._rows(table, converted=False)

    def _rows(self, table: Table, *, converted: bool = True) -> Iterator[dict[str, Any]]:
        """Give the rows of a table from both its ends, as far as they can be reached from there."""
        seen: set[int] = set()
        for order in ("ASC", "DESC"):
            with self._noting(table), closing(self._connect(table)) as connection:
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
                        self.count(table)
                return

    @contextmanager
    def _noting(self, table: Table) -> Iterator[None]:
        """Note where SQLite meets damage: the rest of the table is out of reach from that end."""
        try:
            yield
        except sqlite3.Error:
            self._broken.add(table.name)

    def _connect(self, table: Table) -> sqlite3.Connection:
        path = self._instead.get(table.name, self._path)
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        connection.row_factory = sqlite3.Row
        connection.text_factory = partial(str, encoding="utf-8", errors="surrogateescape")
        return connection

    def count(self, table: Table) -> None:
        """Count a row that cannot be read."""
        self.damaged[table.name] = self.damaged.get(table.name, 0) + 1


def _converted(table: Table, values: dict[str, Any]) -> dict[str, Any]:
    for column in table.c:
        # A column that a later layout added is null in the rows of an earlier one.
        value = values.setdefault(column.name, None)
        if value is None:
            continue
        if isinstance(column.type, UtcTime):
            values[column.name] = datetime.fromisoformat(value).replace(tzinfo=UTC)
        elif isinstance(column.type, Json):
            values[column.name] = json.loads(value)
        elif isinstance(column.type, Boolean):
            values[column.name] = bool(value)
    return values
