"""The protocol of a commit: files first, each durable, then one transaction that names them and moves the rest."""

from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import Connection, bindparam, insert, select, update

from broadsheet.archive import (
    event_log,
    front_rows,
    likeness_index,
    log_rows,
    orders,
    page_rows,
    parquet_files,
    source_rows,
    tables,
    tallies,
)
from broadsheet.archive.archive_errors import ArchiveError
from broadsheet.archive.batch import Batch
from broadsheet.archive.catalogue import Kept
from broadsheet.archive.durable_files import PUT_STEPS, Announce, Stored, put
from broadsheet.archive.incidents import of_incidents
from broadsheet.archive.insertions import add_to, insert_new, send, upsert
from broadsheet.archive.page_records import NEVER_FETCHED, PageRecord
from broadsheet.archive.prepared_queries import PreparedQuery
from broadsheet.archive.shards import last_visit_mark, shard_of
from broadsheet.archive.sql_expressions import among, listed
from broadsheet.archive.visit_draft import VisitDraft
from broadsheet.archive.warc_draft import ByteSpan

TRANSACTION_STEPS = ("before transaction", "in transaction", "after transaction")
#: What is announced during a commit, in order.
COMMIT_STEPS = (
    *(f"{step} {kind}" for kind in ("warc", "visits", "occurrences") for step in PUT_STEPS),
    *TRANSACTION_STEPS,
)

#: Which bytes of which file a record is.
_Place: TypeAlias = dict[str, int]

_MOVED = PreparedQuery(select(tables.commits.c.id).where(tables.commits.c.batch == bindparam("its_batch")))
_MARK = PreparedQuery(select(tables.meta.c.value).where(tables.meta.c.name == bindparam("its_name")))
_NAMING = insert(tables.files).returning(tables.files.c.id)
_AGEING = update(tables.versions).where(among(tables.versions.c.key)).values(latest=False)
_UNPLANNING = "DELETE FROM agenda WHERE source = ? AND page = ?"


class PutFiles(NamedTuple):
    """The files of a batch that are durable, with their numbers of rows, and where in its WARC file the answers are."""

    stored: Mapping[str, tuple[Stored, int]]
    answers: Mapping[int, ByteSpan]


def put_files(folder: Path, batch: Batch, announce: Announce) -> PutFiles:
    """Make a batch's files durable; without visits there are none."""
    visits = batch.new_visits
    if not visits:
        return PutFiles({}, {})
    written = visits.warc()
    warc = put(folder, "warc", written.data, announce)
    stored = {"warc": (warc, written.records)}
    tables_ = {
        "visits": batch.new_visits.table(warc.name, written.answers),
        "occurrences": batch.new_visits.links.table(),
    }
    for kind, table in tables_.items():
        if table.num_rows:
            stored[kind] = (put(folder, kind, parquet_files.written(table), announce), table.num_rows)
    return PutFiles(stored, written.answers)


def move(  # noqa: PLR0913 - all that a commit depends on, each by its name
    connection: Connection,
    batch: Batch,
    files: PutFiles,
    *,
    kept: Callable[[int], Kept],
    known: Mapping[str, PageRecord],
    now: datetime,
) -> None:
    """Name a batch's files and move all that depends on them; a batch that was moved already is left as it is.

    `known` are pages as the catalogue has them, as far as the writer knows: only what differs is written.
    """
    if _MOVED.first(connection, its_batch=batch.id):
        return
    insert_new(connection, tables.commits, [{"batch": batch.id, "at": now, "visits": batch.visits}])
    numbers = {kind: _name(connection, file, count, batch) for kind, (file, count) in files.stored.items()}
    places = {visit: {"file": numbers["warc"], **span._asdict()} for visit, span in files.answers.items()}
    upsert(connection, tables.sources, [source_rows.of_source(source) for source in batch.changed_sources.values()])
    touched = _touched(batch, known)
    before = tallies.count(connection, touched)
    _put_pages(connection, batch, known)
    upsert(connection, tables.contents, _contents(batch, places))
    _add_versions(connection, batch, places, kept)
    tallies.change(connection, before, tallies.count(connection, touched))
    likeness_index.add(connection, batch.new_sketches)
    add_to(connection, tables.counters, "number", _counters(batch))
    upsert(connection, tables.incidents, of_incidents(batch.incidents))
    event_log.append(connection, batch.new_events)
    upsert(connection, tables.earlier_verdicts, _replaced(batch))
    upsert(connection, tables.rereads, [log_rows.of_reread(reread) for reread in batch.changed_rereads.values()])
    orders.record(connection, batch.taken_orders)
    if batch.new_visits:
        _raise_mark(connection, batch.new_visits)


def _replaced(batch: Batch) -> list[dict[str, Any]]:
    return [
        {**page_rows.of_verdict(key, judged), "replaced_at": at}
        for key, (judged, at) in batch.replaced_verdicts.items()
    ]


def _touched(batch: Batch, known: Mapping[str, PageRecord]) -> list[str]:
    """Return the pages whose numbers a batch may change."""
    pages = ((page, known.get(page.key)) for page in batch.changed_pages.values())
    changed = (page.key for page, before in pages if before is None or _standing(page) != _standing(before))
    return [*changed, *(page for _, page in batch.changed_members), *batch.newest]


def _standing(page: PageRecord) -> tuple[object, ...]:
    return page.kind, page.state


def _put_pages(connection: Connection, batch: Batch, known: Mapping[str, PageRecord]) -> None:
    pages = [(page, known.get(page.key)) for page in batch.changed_pages.values()]
    named = [page for page, before in pages if before is None or _names(page) != _names(before)]
    fetched = [page for page, before in pages if page.fetch is not (before.fetch if before else NEVER_FETCHED)]
    judged = [(page.key, page.judged) for page, before in pages if page.judged is not (before and before.judged)]
    upsert(connection, tables.pages, [page_rows.of_page(page) for page in named])
    upsert(connection, tables.fetches, [page_rows.of_fetch(page) for page in fetched])
    upsert(connection, tables.verdicts, [page_rows.of_verdict(key, verdict) for key, verdict in judged if verdict])
    upsert(connection, tables.members, [page_rows.of_member(member) for member in batch.changed_members.values()])
    upsert(connection, tables.feeds, [front_rows.of_feed(feed) for feed in batch.changed_feeds.values()])
    upsert(connection, tables.fronts, [front_rows.of_front(front) for front in batch.changed_fronts.values()])
    send(connection, _UNPLANNING, [place for place, entry in batch.changed_agenda.items() if not entry])
    upsert(connection, tables.agenda, [page_rows.of_entry(entry) for entry in batch.changed_agenda.values() if entry])


def _names(page: PageRecord) -> tuple[object, ...]:
    return page.url, page.first_seen, page.duplicate_of


def _name(connection: Connection, file: Stored, count: int, batch: Batch) -> int:
    row = {
        "kind": file.kind,
        "name": file.name,
        "size": file.size,
        "rows": count,
        "first_visit": batch.new_visits.first,
        "last_visit": batch.new_visits.last,
    }
    return int(connection.execute(_NAMING, row).scalar_one())


def _contents(batch: Batch, places: Mapping[int, _Place]) -> list[dict[str, Any]]:
    return [
        {
            "page": key,
            "visit": content.visit,
            "digest": content.digest,
            "url": content.url,
            "at": content.at,
            **places[content.visit],
        }
        for key, content in batch.changed_contents.items()
    ]


def _add_versions(
    connection: Connection, batch: Batch, places: Mapping[int, _Place], kept: Callable[[int], Kept]
) -> None:
    keys = [key for key, newest in batch.newest.items() if newest.version > 1]
    if keys:
        connection.execute(_AGEING, {"keys": listed(keys)})
    added = []
    for version in batch.new_versions:
        latest = batch.newest[version["key"]].version == version["version"]
        where = places.get(version["visit"]) or _earlier(connection, kept(version["visit"]))
        added.append({**version, "latest": latest, **where})
    insert_new(connection, tables.versions, added)


def _earlier(connection: Connection, kept: Kept) -> _Place:
    """Return where an answer is that was committed before."""
    place = kept.place
    file = connection.execute(select(tables.files.c.id).where(tables.files.c.name == place.warc)).scalar_one()
    return {"file": file, "offset": place.offset, "length": place.length}


def _counters(batch: Batch) -> list[dict[str, Any]]:
    return [
        {"name": name, "reason": reason, "source": source, "number": number}
        for (name, reason, source), number in batch.counts.items()
    ]


def _raise_mark(connection: Connection, visits: VisitDraft) -> None:
    name = last_visit_mark(shard_of(visits.last))
    found = _MARK.first(connection, its_name=name)
    if found is not None and int(found[0]) >= visits.first:
        raise ArchiveError(
            f"visit {visits.first} is already in the archive: commit batches in the order in which they were begun"
        )
    upsert(connection, tables.meta, [{"name": name, "value": str(visits.last)}])
