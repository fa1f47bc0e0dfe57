"""Archives of older layouts, brought to this one in one transaction: a kill on the way leaves them as they were."""

from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Any

from sqlalchemy import Column, Connection, bindparam, delete, insert, inspect, select, text, update
from sqlalchemy.schema import CreateTable

from broadsheet.archive import (
    article_versions,
    kept_ranges,
    lease,
    likeness_index,
    seal,
    stored_versions,
    tables,
    tallies,
)
from broadsheet.archive.archive_errors import ArchiveBusy, ArchiveError
from broadsheet.archive.column_types import UtcTime
from broadsheet.archive.database import Database
from broadsheet.archive.durable_files import Announce
from broadsheet.archive.page_records import PRIORITIES, VisitReason
from broadsheet.base.clock import SystemClock

#: Layouts that can be upgraded: 1 has no digests of article versions, 1 and 2 have no incidents, and in all three
#: a page was one row with its only source, its state, its verdict and its place in the queue, and WARC files were
#: never merged. In 4 sources have no settings, and there are no events; 4 and 5 have no feeds, sketches and deliveries.
#: In 5 and 6 each part of a WARC file that was rewritten has a row of its own. Layouts up to 7 say
#: nothing about the phases of sources and about fronts. Up to 8, digests of article versions hash the whole text.
#: Up to 9, sources do not say who gave their interval and which policy they were crawled by, nor fronts that were given
#: up whether they may be followed again. Up to 10, looks at further pages of lists ended with the crawl.
WITHOUT_DIGESTS = "1"
IN_ROUNDS = frozenset((WITHOUT_DIGESTS, "2", "3"))
EARLIER = IN_ROUNDS | {"4", "5", "6", "7", "8", "9", "10"}

#: What is announced during an upgrade, in order; all but the first and the last come within the transaction. What an
#: archive has already is left out.
MIGRATION_STEPS = (
    "before migration",
    "after digests and incidents",
    "after places of merged files",
    "after new tables",
    "after pages",
    "after fetches and verdicts",
    "after members",
    "after agenda",
    "after sources",
    "after indexes",
    "after settings and events",
    "after near-duplicates",
    "before commit of migration",
    "after migration",
)

_NEW = (tables.pages, tables.fetches, tables.verdicts, tables.members, tables.agenda)
#: The tables that layout 4 changed or added.
CHANGED = (tables.sources, *_NEW)

#: The tables of layout 5 that are stored in another way since.
RESTORED = (tables.events,)

#: Columns that tables of layouts 4 to 10 have got since.
ADDED_COLUMNS: tuple[Column[Any], ...] = (
    tables.sources.c.settings,
    tables.sources.c.scripts,
    tables.versions.c.reread_at,
    tables.members.c.listed,
    tables.moved.c.kept,
    tables.sources.c.phase,
    tables.sources.c.every_given,
    tables.sources.c.pace,
    tables.fronts.c.may_rejoin,
    tables.fronts.c.looks,
)

_LAYOUT = tables.meta.c.name == "layout"

_PAGES = (
    """
    INSERT INTO pages (key, url, first_seen, duplicate_of)
    SELECT key, url, first_seen, duplicate_of FROM old_pages
    ORDER BY key
    """,
    # A source that was never crawled has no page yet.
    """
    INSERT INTO pages (key, url, first_seen) SELECT key, url, added_at FROM sources
    WHERE key NOT IN (SELECT key FROM old_pages)
    """,
)
_FETCHES = """
INSERT INTO fetches (page, state, attempts, etag, last_modified, fetched_at)
SELECT key, CASE state WHEN 'queued' THEN 'known' ELSE state END, attempts, etag, last_modified, fetched_at
FROM old_pages
WHERE state NOT IN ('known', 'queued') OR attempts > 0 OR fetched_at IS NOT NULL
ORDER BY key
"""
_VERDICTS = """
INSERT INTO verdicts (page, kind, subtype, probability, probabilities, reasons, model, at, evidence)
SELECT key, kind, subtype, probability, coalesce(probabilities, '{}'), coalesce(reasons, '[]'), model,
    coalesce(fetched_at, last_seen, first_seen, :created), '{}'
FROM old_pages
WHERE kind IS NOT NULL AND probability IS NOT NULL AND model IS NOT NULL
ORDER BY key
"""
# Older layouts did not keep where a page was found.
_MEMBERS = (
    """
    INSERT INTO members (source, page, first_seen, found_on, anchor)
    SELECT source, old_pages.key, coalesce(first_seen, added_at), source, coalesce(anchor, '')
    FROM old_pages JOIN sources ON sources.key = source
    ORDER BY source, old_pages.key
    """,
    """
    INSERT INTO members (source, page, first_seen, found_on, anchor) SELECT key, key, added_at, key, '' FROM sources
    WHERE key NOT IN (SELECT key FROM old_pages)
    """,
)
_AGENDA = (
    """
    INSERT INTO agenda (source, page, due, reason, priority, every)
    SELECT key, key, coalesce(next_round, :now), :home, :home_priority, every FROM sources
    """,
    """
    INSERT INTO agenda (source, page, due, reason, priority, every)
    SELECT source, old_pages.key, coalesce(next_round, :now), :section, :section_priority, old_pages.every
    FROM old_pages JOIN sources ON sources.key = source
    WHERE old_pages.every IS NOT NULL AND old_pages.key != source
    """,
    """
    INSERT INTO agenda (source, page, due, reason, priority)
    SELECT source, key, coalesce(first_seen, :now), :candidate, 0 FROM old_pages
    WHERE state = 'queued' AND every IS NULL AND key != source
    ORDER BY source, key
    """,
)
_SOURCES = (
    "ALTER TABLE sources RENAME COLUMN rounds TO snapshots",
    "ALTER TABLE sources RENAME COLUMN until_round TO until_snapshot",
    "ALTER TABLE sources DROP COLUMN next_round",
    "ALTER TABLE sources ADD COLUMN reviewed_at DATETIME",
)


def migrate(folder: Path, layout: int, announce: Announce) -> None:
    """Bring an archive of an earlier layout to this one; one that another process has brought there meanwhile stays."""
    database = Database(folder, writable=True)
    now = SystemClock().now()
    try:
        announce("before migration")
        with database.writing() as connection:
            before = connection.execute(select(tables.meta.c.value).where(_LAYOUT)).scalar_one()
            if before not in EARLIER:
                return
            _require_nobody_writes(folder, connection, now)
            seal.break_seal(folder)
            connection.execute(delete(tables.lease))
            if before in IN_ROUNDS:
                _require_sources(folder, connection)
                _leave_rounds(connection, before, now, announce)
            if before == "5":
                _store_anew(connection)
            add_what_is_new(connection)
            _join_parts(connection)
            tallies.recount(connection)
            announce("after settings and events")
            likeness_index.rebuild(connection)
            announce("after near-duplicates")
            connection.execute(update(tables.meta).where(_LAYOUT).values(value=str(layout)))
            announce("before commit of migration")
        announce("after migration")
    except BaseException:
        database.close()
        raise
    database.close_sealed()


def _leave_rounds(connection: Connection, before: str, now: datetime, announce: Announce) -> None:
    """Bring a catalogue of layouts 1 to 3 to layout 4."""
    if before == WITHOUT_DIGESTS:
        _add_digests(connection)
    tables.incidents.create(connection, checkfirst=True)
    announce("after digests and incidents")
    _add_places(connection)
    announce("after places of merged files")
    convert(connection, now, announce)


def add_what_is_new(connection: Connection) -> None:
    """Add what layouts 4 to 10 have not: columns that may be null, tables without rows, and indexes."""
    for table in tables.metadata.sorted_tables:
        table.create(connection, checkfirst=True)
    columns = inspect(connection)
    for column in ADDED_COLUMNS:
        # Tables that were made on the way have them, and layouts from 5 on have some.
        if any(known["name"] == column.name for known in columns.get_columns(column.table.name)):
            continue
        kind = column.type.compile(connection.dialect)
        connection.exec_driver_sql(f"ALTER TABLE {column.table.name} ADD COLUMN {column.name} {kind}")
    for index in (index for table in tables.metadata.sorted_tables for index in table.indexes):
        index.create(connection, checkfirst=True)


def _store_anew(connection: Connection) -> None:
    """Copy the rows of tables that are declared otherwise than in layout 5, which SQLite cannot change in place."""
    known = inspect(connection).get_table_names()
    for table in (table for table in RESTORED if table.name in known):
        for index in table.indexes:
            index.drop(connection, checkfirst=True)
        connection.exec_driver_sql(f"ALTER TABLE {table.name} RENAME TO old_{table.name}")
        connection.execute(CreateTable(table))
        names = ", ".join(f'"{column.name}"' for column in table.columns)
        copied = f"INSERT INTO {table.name} ({names}) SELECT {names} FROM old_{table.name}"  # noqa: S608 - our own names
        connection.exec_driver_sql(copied)
        connection.exec_driver_sql(f"DROP TABLE old_{table.name}")


def _join_parts(connection: Connection) -> None:
    """Make one row of all parts of a WARC file that was rewritten, as layouts 5 and 6 have them."""
    if not inspect(connection).has_table("moved_parts"):
        return
    parts = connection.exec_driver_sql("SELECT name, file, base, start, stop FROM moved_parts ORDER BY name, start")
    rows = []
    for (name, file), own in groupby(parts, key=lambda row: (row.name, row.file)):
        first, *others = own
        ranges = [(row.start, row.stop) for row in (first, *others)]
        rows.append({"name": name, "file": file, "base": first.base, "kept": kept_ranges.packed(ranges)})
    if rows:
        connection.execute(insert(tables.moved), rows)
    connection.exec_driver_sql("DROP TABLE moved_parts")


def convert(connection: Connection, now: datetime, announce: Announce) -> None:
    """Make of the sources and pages of layouts 1 to 3 those of layout 4."""
    connection.exec_driver_sql("ALTER TABLE pages RENAME TO old_pages")
    for table in _NEW:
        connection.execute(CreateTable(table))
    announce("after new tables")
    values = {
        "now": now,
        "created": _created(connection, now),
        "home": VisitReason.HOME.value,
        "home_priority": PRIORITIES[VisitReason.HOME],
        "section": VisitReason.SECTION.value,
        "section_priority": PRIORITIES[VisitReason.SECTION],
        "candidate": VisitReason.CANDIDATE.value,
    }
    for statements, step in (
        (_PAGES, "after pages"),
        ((_FETCHES, _VERDICTS), "after fetches and verdicts"),
        (_MEMBERS, "after members"),
        (_AGENDA, "after agenda"),
    ):
        for statement in statements:
            _execute(connection, statement, values)
        announce(step)
    for statement in (*_SOURCES, "DROP TABLE old_pages"):
        connection.exec_driver_sql(statement)
    announce("after sources")
    # Sorted once, an index is made several times as fast as row by row.
    for index in (index for table in _NEW for index in table.indexes):
        index.create(connection)
    announce("after indexes")


def _require_nobody_writes(folder: Path, connection: Connection, now: datetime) -> None:
    if lease.writers(connection, lease.mine(now)):
        raise ArchiveBusy(
            f"{folder}: has an older layout; stop the process that writes to it, so that it can be upgraded"
        )


def _require_sources(folder: Path, connection: Connection) -> None:
    """Refuse a catalogue whose pages belong to sources that it does not have: they would be lost without a word."""
    unknown = "SELECT count(*) FROM pages WHERE source NOT IN (SELECT key FROM sources)"
    number = connection.exec_driver_sql(unknown).scalar_one()
    if number:
        raise ArchiveError(
            f"{folder}: cannot be upgraded, because {number:,} of its pages belong to sources that are missing from"
            " its catalogue; run `broadsheet repair`"
        )


def _created(connection: Connection, now: datetime) -> datetime:
    """Return when the archive was made, for what has no time of its own."""
    stated = select(tables.meta.c.value).where(tables.meta.c.name == "created")
    try:
        moment = datetime.fromisoformat(connection.execute(stated).scalar_one_or_none() or "")
    except ValueError:
        return now
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _execute(connection: Connection, statement: str, values: dict[str, object]) -> None:
    needed = {name: value for name, value in values.items() if f":{name}" in statement}
    times = [bindparam(name, type_=UtcTime) for name in needed if isinstance(needed[name], datetime)]
    connection.execute(text(statement).bindparams(*times), needed)


def _add_places(connection: Connection) -> None:
    """Make room for where merged WARC files lie, and the indexes that merging and reading article by article need."""
    tables.moved.create(connection, checkfirst=True)
    connection.exec_driver_sql("DROP INDEX IF EXISTS versions_newest")
    for index in (*tables.contents.indexes, *tables.versions.indexes):
        index.create(connection, checkfirst=True)


def _add_digests(connection: Connection) -> None:
    connection.exec_driver_sql("ALTER TABLE versions ADD COLUMN digest TEXT NOT NULL DEFAULT ''")
    lacking = [column.name for column in ADDED_COLUMNS if column.table is tables.versions]
    digests = [
        {"its_key": row["key"], "its_version": row["version"], "digest": stored_versions.version_digest(row)}
        for row in connection.execute(article_versions.raw(lacking)).mappings()
    ]
    if digests:
        columns = tables.versions.c
        changed = update(tables.versions).where(
            columns.key == bindparam("its_key"), columns.version == bindparam("its_version")
        )
        connection.execute(changed, digests)
