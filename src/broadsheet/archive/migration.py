"""Archives of older layouts, brought to this one in one transaction."""

from pathlib import Path

from sqlalchemy import Connection, bindparam, update

from broadsheet.archive import lease, rows, seal, tables
from broadsheet.archive.archive_errors import ArchiveBusy
from broadsheet.archive.catalogue import raw_versions
from broadsheet.archive.database import Database
from broadsheet.base.clock import SystemClock

#: Layouts that can be upgraded: 1 has no digests of article versions, and neither has the table of incidents.
WITHOUT_DIGESTS = "1"
EARLIER = frozenset((WITHOUT_DIGESTS, "2"))


def migrate(folder: Path, before: str, layout: int) -> None:
    """Bring an archive of an earlier layout to this one."""
    database = Database(folder, writable=True)
    try:
        with database.writing() as connection:
            holder = lease.holder(connection)
            if holder is not None and lease.is_alive(holder, lease.mine(SystemClock().now())):
                raise ArchiveBusy(
                    f"{folder}: has an older layout; stop the process that writes to it, so that it can be upgraded"
                )
            seal.break_seal(folder)
            if before == WITHOUT_DIGESTS:
                _add_digests(connection)
            tables.incidents.create(connection)
            named = tables.meta.c.name == "layout"
            connection.execute(update(tables.meta).where(named).values(value=str(layout)))
    finally:
        database.close()


def _add_digests(connection: Connection) -> None:
    connection.exec_driver_sql("ALTER TABLE versions ADD COLUMN digest TEXT NOT NULL DEFAULT ''")
    digests = [
        {"its_key": row["key"], "its_version": row["version"], "digest": rows.version_digest(row)}
        for row in connection.execute(raw_versions()).mappings()
    ]
    if digests:
        columns = tables.versions.c
        changed = update(tables.versions).where(
            columns.key == bindparam("its_key"), columns.version == bindparam("its_version")
        )
        connection.execute(changed, digests)
