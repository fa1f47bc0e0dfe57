"""A new catalogue in the place of the old one, and the Parquet files that go with it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from sqlalchemy import Connection, insert

from broadsheet.archive import (
    front_rows,
    layout,
    likeness_index,
    log_rows,
    page_rows,
    parquet_files,
    scan,
    seal,
    source_rows,
    stored_versions,
    tables,
    tallies,
    text_index,
    tombstones,
)
from broadsheet.archive.archive_errors import from_system
from broadsheet.archive.database import Database, upsert
from broadsheet.archive.durable_files import Stored, is_intact, put, set_aside, sync_folder
from broadsheet.archive.event_records import Tombstone
from broadsheet.archive.folder import CATALOGUE, JOURNALS, LOST, SEAL, finished
from broadsheet.archive.link_occurrences import LinkOccurrences
from broadsheet.archive.page_records import NEVER_FETCHED
from broadsheet.archive.rebuilt import Rebuilt
from broadsheet.archive.remains import Remains
from broadsheet.archive.salvage import Salvage
from broadsheet.archive.shards import VISITS_PER_SHARD, last_visit_mark, shard_of
from broadsheet.archive.visit_counts import BYTES_KEPT, NOT_MODIFIED_KEPT, REQUESTS_KEPT, VISITS_KEPT
from broadsheet.base import statuses, urls
from broadsheet.base.clock import Clock

ASIDE = ".repair"
_ROWS_AT_ONCE = 1_000
#: What the archive counts by itself follows from its visits.
_OWN_COUNTS = frozenset((VISITS_KEPT, BYTES_KEPT, NOT_MODIFIED_KEPT))


class Noted(NamedTuple):
    """What the old catalogue says that follows from nothing else: its age, commits, counters, events and so on.

    What was forgotten has no incidents and events any more, but tombstones.
    """

    created: str | None
    commits: Sequence[dict[str, Any]]
    counters: Sequence[dict[str, Any]]
    incidents: Sequence[dict[str, Any]]
    events: Sequence[dict[str, Any]]
    orders: Sequence[dict[str, Any]]
    deliveries: Sequence[dict[str, Any]]
    earlier_verdicts: Sequence[dict[str, Any]] = ()
    rereads: Sequence[dict[str, Any]] = ()
    prunings: Sequence[dict[str, Any]] = ()
    tombstones: Sequence[Tombstone] = ()

    @classmethod
    def of(cls, remains: Remains, forgotten: Sequence[Tombstone] = ()) -> Self:
        """Read what the old catalogue says."""
        created = remains.meta().get("created")
        pages, sources = tombstones.page_keys(forgotten), tombstones.source_keys(forgotten)
        incidents = [
            row for row in remains.incidents() if row["source"] not in sources and urls.key(row["url"]) not in pages
        ]
        events = [row for row in remains.events() if row["source"] not in sources and row["page"] not in pages]
        earlier = [row for row in remains.earlier_verdicts() if row["page"] not in pages]
        commits, counters, rereads = map(list, (remains.commits(), remains.counters(), remains.rereads()))
        orders = [row for row in remains.orders() if urls.key(row["source"]) not in sources]
        # New events are numbered from the last one on, also if later ones were lost or forgotten.
        last = max((row["id"] for row in events), default=0)
        deliveries = [{**row, "event": min(row["event"], last)} for row in remains.deliveries()]
        pruned = [row for row in remains.prunings() if row["source"] not in sources]
        return cls(
            created, commits, counters, incidents, events, orders, deliveries, earlier, rereads, pruned, forgotten
        )


class NamedFile(NamedTuple):
    """A file that the new catalogue names; `retired` where another holds all its rows."""

    stored: Stored
    rows: int
    first_visit: int
    last_visit: int
    retired: datetime | None = None


def put_files(folder: Path, saved: Salvage, rebuilt: Rebuilt, now: datetime) -> list[NamedFile]:
    """Put Parquet files for the visits that were found, set damaged ones aside, and return all files to name."""
    # Those of forgotten pages, too: whoever merges their files has to know which records to leave out.
    every = sorted({**saved.visits, **saved.forgotten}.items())
    found = pa.Table.from_pylist([row for _, row in every], schema=parquet_files.VISITS)
    files = list(_warcs(folder, saved))
    files += [_put(folder, "visits", table) for table in _by_shard(found)]
    files += _retired(folder, files, now)
    files += _merged_away(folder, files, now)
    files += _occurrences(folder, saved, rebuilt, now)
    # What is left of one file may be, byte for byte, another one, which then stays.
    by_use = sorted(files, key=lambda file: file.retired is None)
    return list({file.stored.name: file for file in by_use}.values())


def _warcs(folder: Path, saved: Salvage) -> Iterator[NamedFile]:
    visits: dict[str, list[int]] = {}
    for number, row in (*saved.visits.items(), *saved.forgotten.items()):
        if row["warc"] != parquet_files.REMOVED:
            visits.setdefault(row["warc"], []).append(number)
    for name, numbers in visits.items():
        path = folder / "warc" / name
        stored = Stored("warc", name, path.stat().st_size)
        yield NamedFile(stored, sum(1 for _ in scan.records(path)), min(numbers), max(numbers))


def _retired(folder: Path, files: Sequence[NamedFile], now: datetime) -> Iterator[NamedFile]:
    """Give the visits' files whose rows are in another now; readers may still have them open."""
    named = {file.stored.name for file in files}
    for path in list(finished(folder, "visits")):
        if path.name not in named:
            yield from _superseded(folder, path, now)


def _merged_away(folder: Path, files: Sequence[NamedFile], now: datetime) -> Iterator[NamedFile]:
    """Give the WARC files whose records are all in others, into which they were merged."""
    named = {file.stored.name for file in files}
    for path in finished(folder, "warc"):
        if path.name not in named:
            stored = Stored("warc", path.name, path.stat().st_size)
            yield NamedFile(stored, sum(1 for _ in scan.records(path)), 0, 0, now)


def _superseded(folder: Path, path: Path, now: datetime) -> Iterator[NamedFile]:
    if not is_intact(path):
        set_aside(folder, path)
        return
    stored = Stored(path.parent.name, path.name, path.stat().st_size)
    yield NamedFile(stored, pq.read_metadata(path).num_rows, 0, 0, now)


def _occurrences(folder: Path, saved: Salvage, rebuilt: Rebuilt, now: datetime) -> Iterator[NamedFile]:
    """Give the files of link rows: those whose visits were all found as they are, others without the rest."""
    left = {*saved.visits, *saved.forgotten}
    for path in list(finished(folder, "occurrences")):
        if not is_intact(path):
            set_aside(folder, path)
            continue
        table = pq.read_table(path, schema=parquet_files.OCCURRENCES)
        wanted = table.filter(pc.is_in(table["visit"], pa.array(sorted(left), pa.int64())))
        left.difference_update(wanted["visit"].unique().to_pylist())
        if wanted.num_rows == table.num_rows and table.num_rows:
            stored = Stored("occurrences", path.name, path.stat().st_size)
            yield _file(stored, table)
            continue
        if wanted.num_rows:
            yield _put(folder, "occurrences", wanted)
        yield from _superseded(folder, path, now)
    links = LinkOccurrences()
    for visit, found in sorted(rebuilt.links.items()):
        if visit in left and len(found):
            links.add(visit, saved.visits[visit]["page"], found)
    yield from (_put(folder, "occurrences", table) for table in _by_shard(links.table()))


def _by_shard(table: Any) -> Iterator[Any]:  # noqa: ANN401 - pyarrow has no types
    """Give the rows of each shard's visits: files belong to one shard, whose writer merges them."""
    shards = pc.divide(table["visit"], VISITS_PER_SHARD)
    for shard in pc.unique(shards).to_pylist():
        yield table.filter(pc.equal(shards, shard))


def _put(folder: Path, kind: str, table: Any) -> NamedFile:  # noqa: ANN401 - pyarrow has no types
    return _file(put(folder, kind, parquet_files.written(table), lambda _: None), table)


def _file(stored: Stored, table: Any) -> NamedFile:  # noqa: ANN401 - pyarrow has no types
    visits = table["visit"].to_numpy()
    return NamedFile(stored, table.num_rows, int(np.min(visits)), int(np.max(visits)))


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
