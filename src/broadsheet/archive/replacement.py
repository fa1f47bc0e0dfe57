"""A new catalogue in the place of the old one."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, insert

from broadsheet.archive import (
    front_rows,
    layout,
    likeness_index,
    log_rows,
    page_rows,
    seal,
    source_rows,
    stored_versions,
    tables,
    tallies,
    text_index,
)
from broadsheet.archive.archive_errors import from_system
from broadsheet.archive.database import Database
from broadsheet.archive.durable_files import sync_folder
from broadsheet.archive.folder import CATALOGUE, JOURNALS, LOST, SEAL
from broadsheet.archive.insertions import upsert
from broadsheet.archive.noted import Noted
from broadsheet.archive.page_records import NEVER_FETCHED
from broadsheet.archive.rebuilt import Rebuilt
from broadsheet.archive.rebuilt_files import NamedFile
from broadsheet.archive.salvage import Salvage
from broadsheet.archive.shards import last_visit_mark, shard_of
from broadsheet.archive.visit_counts import BYTES_KEPT, NOT_MODIFIED_KEPT, REQUESTS_KEPT, VISITS_KEPT
from broadsheet.base import statuses
from broadsheet.base.clock import Clock

ASIDE = ".repair"
_ROWS_AT_ONCE = 1_000
#: What the archive counts by itself follows from its visits.
_OWN_COUNTS = frozenset((VISITS_KEPT, BYTES_KEPT, NOT_MODIFIED_KEPT))


def replace_catalogue(  # noqa: PLR0913, PLR0917 - all that a catalogue is made of
    folder: Path,
    saved: Salvage,
    rebuilt: Rebuilt,
    files: Sequence[NamedFile],
    noted: Noted,
    clock: Clock,
) -> None:
    """Write a catalogue aside, then set the old one aside and put the new one in its place."""
    aside = folder / ASIDE
    try:
        aside.mkdir(exist_ok=True)
        for path in aside.iterdir():
            path.unlink()
        values = layout.first_values(clock, saved.archive)
        layout.write(aside, values if noted.created is None else {**values, "created": noted.created})
        database = Database(aside, writable=True)
        try:
            with database.writing() as connection:
                _fill(connection, saved, rebuilt, files, noted)
        finally:
            database.close()
        # It follows from the old catalogue.
        text_index.discard(folder)
        _swap(folder, aside, clock.now())
    except OSError as error:
        raise from_system(error, folder) from error
    seal.seal(folder)


def _swap(folder: Path, aside: Path, now: datetime) -> None:
    old = folder / LOST / f"catalogue-{now:%Y%m%dT%H%M%S%f}"
    for name in (SEAL, *JOURNALS, CATALOGUE):
        if (folder / name).exists():
            old.mkdir(parents=True, exist_ok=True)
            (folder / name).replace(old / name)
    (aside / CATALOGUE).replace(folder / CATALOGUE)
    sync_folder(folder)
    aside.rmdir()


def _fill(
    connection: Connection,
    saved: Salvage,
    rebuilt: Rebuilt,
    files: Sequence[NamedFile],
    noted: Noted,
) -> None:
    numbers = {file.stored.name: _insert_file(connection, file) for file in files}
    upsert(connection, tables.sources, [source_rows.of_source(source) for source in rebuilt.sources.values()])
    _fill_pages(connection, rebuilt)
    contents = [
        {
            "page": key,
            "visit": row["visit"],
            "digest": row["digest"],
            "url": row["url"],
            "at": row["fetched_at"],
            **_location(row, numbers),
        }
        for key, row in rebuilt.contents.items()
    ]
    _upsert_all(connection, tables.contents, contents)
    _upsert_all(connection, tables.versions, list(_versions(saved, rebuilt, numbers)))
    likeness_index.rebuild(connection)
    _upsert_all(connection, tables.counters, [row for row in noted.counters if row["name"] not in _OWN_COUNTS])
    _upsert_all(connection, tables.incidents, noted.incidents)
    _upsert_all(connection, tables.events, noted.events)
    _upsert_all(connection, tables.orders, noted.orders)
    _upsert_all(connection, tables.deliveries, noted.deliveries)
    _upsert_all(connection, tables.commits, noted.commits)
    _upsert_all(connection, tables.earlier_verdicts, noted.earlier_verdicts)
    _upsert_all(connection, tables.rereads, noted.rereads)
    _upsert_all(connection, tables.prunings, noted.prunings)
    _upsert_all(connection, tables.tombstones, [log_rows.of_tombstone(one) for one in noted.tombstones])
    tallies.recount(connection)
    _count(connection, saved, noted)
    last: dict[int, int] = {}
    for visit in (*saved.visits, *saved.forgotten):
        last[shard_of(visit)] = max(last.get(shard_of(visit), 0), visit)
    marks = [{"name": last_visit_mark(shard), "value": str(visit)} for shard, visit in last.items()]
    upsert(connection, tables.meta, marks)


def _fill_pages(connection: Connection, rebuilt: Rebuilt) -> None:
    pages = list(rebuilt.records())
    _upsert_all(connection, tables.pages, [page_rows.of_page(page) for page in pages])
    fetched = [page_rows.of_fetch(page) for page in pages if page.fetch != NEVER_FETCHED]
    _upsert_all(connection, tables.fetches, fetched)
    _upsert_all(
        connection, tables.verdicts, [page_rows.of_verdict(page.key, page.judged) for page in pages if page.judged]
    )
    _upsert_all(connection, tables.members, [page_rows.of_member(member) for member in rebuilt.members.values()])
    _upsert_all(connection, tables.agenda, [page_rows.of_entry(entry) for entry in rebuilt.agenda.values()])
    _upsert_all(connection, tables.feeds, [front_rows.of_feed(feed) for feed in rebuilt.feeds.values()])
    _upsert_all(connection, tables.fronts, [front_rows.of_front(front) for front in rebuilt.fronts.values()])


def _insert_file(connection: Connection, file: NamedFile) -> int:
    row = {
        "kind": file.stored.kind,
        "name": file.stored.name,
        "size": file.stored.size,
        "rows": file.rows,
        "first_visit": file.first_visit,
        "last_visit": file.last_visit,
        "retired": file.retired,
    }
    return int(connection.execute(insert(tables.files).values(row).returning(tables.files.c.id)).scalar_one())


def _versions(saved: Salvage, rebuilt: Rebuilt, numbers: dict[str, int]) -> Iterator[dict[str, Any]]:
    names = {column.name for column in tables.versions.c}
    for versions in rebuilt.versions.values():
        for version in versions:
            said = {name: value for name, value in version.items() if name in names}
            latest = version["version"] == versions[-1]["version"]
            where = _location(saved.visits[version["visit"]], numbers)
            yield {**said, **where, "latest": latest, "digest": stored_versions.version_digest(version)}


def _location(row: dict[str, Any], numbers: dict[str, int]) -> dict[str, Any]:
    return {"file": numbers[row["warc"]], "offset": row["offset"], "length": row["length"]}


def _count(connection: Connection, saved: Salvage, noted: Noted) -> None:
    """Count what the archive counts by itself; how many requests a visit took is kept nowhere else."""
    has_requests = any(row["name"] == REQUESTS_KEPT for row in noted.counters)
    shortened = {row["source"] for row in noted.prunings if row["kind"] == "visits"}
    counted = Counter[tuple[str, str]]()
    for row in saved.visits.values():
        source = row["source"] or ""
        counted[VISITS_KEPT, source] += 1
        counted[BYTES_KEPT, source] += row["bytes"]
        if row["status"] == statuses.NOT_MODIFIED:
            counted[NOT_MODIFIED_KEPT, source] += 1
        if not has_requests:
            counted[REQUESTS_KEPT, source] += 1
    for row in noted.counters:
        # Of some visits a keep rule has left no row.
        if row["name"] in _OWN_COUNTS and row["source"] in shortened:
            own = row["name"], row["source"]
            counted[own] = max(counted[own], row["number"])
    values = [{"name": name, "reason": "", "source": source, "number": by} for (name, source), by in counted.items()]
    upsert(connection, tables.counters, values)


def _upsert_all(connection: Connection, table: Any, values: Sequence[dict[str, Any]]) -> None:  # noqa: ANN401
    for start in range(0, len(values), _ROWS_AT_ONCE):
        upsert(connection, table, values[start : start + _ROWS_AT_ONCE])
