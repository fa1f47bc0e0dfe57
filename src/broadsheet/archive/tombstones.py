"""What was forgotten: rows of the catalogue, and a small file beside it that survives the loss of the catalogue.

The file is written before the catalogue is changed. Whoever opens the archive for writing next completes what the file
says, so a kill between the two, or a catalogue restored from an older copy, brings nothing back.
"""

import hashlib
import json
import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Connection, select

from broadsheet.archive import log_rows, tables
from broadsheet.archive.archive_errors import DamagedRow, from_system
from broadsheet.archive.durable_files import Announce, sync_folder
from broadsheet.archive.event_records import Tombstone
from broadsheet.archive.folder import TOMBSTONES

#: What is announced while the file is written, in order.
FILE_STEPS = ("before file of tombstones", "after sync of tombstones", "after file of tombstones")

_FIELDS = ("scope", "key", "url", "at", "because")


class TombstoneFile(NamedTuple):
    """What the file says, and how many of its lines are damaged."""

    tombstones: tuple[Tombstone, ...]
    damaged: int = 0


def identity(tombstone: Tombstone) -> tuple[str, str]:
    """Return what makes a tombstone the same as another."""
    return tombstone.scope, tombstone.key


def united(*many: Iterable[Tombstone]) -> list[Tombstone]:
    """Return all tombstones, each once, in order; of two for the same page the first counts."""
    found: dict[tuple[str, str], Tombstone] = {}
    for tombstones in many:
        for one in tombstones:
            found.setdefault(identity(one), one)
    return [found[place] for place in sorted(found)]


def page_keys(tombstones: Iterable[Tombstone]) -> frozenset[str]:
    """Return the keys of the pages that were forgotten."""
    return frozenset(one.key for one in tombstones if one.scope == "page")


def source_keys(tombstones: Iterable[Tombstone]) -> frozenset[str]:
    """Return the keys of the sources that were forgotten."""
    return frozenset(one.key for one in tombstones if one.scope == "source")


def stored(connection: Connection) -> list[Tombstone]:
    """Return the tombstones of the catalogue."""
    order = (tables.tombstones.c.scope, tables.tombstones.c.key)
    return list(map(log_rows.to_tombstone, connection.execute(select(tables.tombstones).order_by(*order)).mappings()))


def forgotten_pages(connection: Connection) -> frozenset[str]:
    """Return the keys of the pages that the catalogue calls forgotten."""
    columns = tables.tombstones.c
    return frozenset(connection.execute(select(columns.key).where(columns.scope == "page")).scalars())


def find(connection: Connection, key: str) -> Tombstone | None:
    """Return the tombstone of a source or page; that of the source if there are both."""
    columns = tables.tombstones.c
    query = select(tables.tombstones).where(columns.key == key).order_by(columns.scope.desc()).limit(1)
    found = connection.execute(query).mappings().one_or_none()
    return None if found is None else log_rows.to_tombstone(found)


def read_file(folder: Path) -> TombstoneFile:
    """Return what the file says; damaged lines are counted."""
    try:
        lines = (folder / TOMBSTONES).read_bytes().splitlines()
    except FileNotFoundError:
        return TombstoneFile(())
    except OSError:
        return TombstoneFile((), 1)
    found = [_parsed(line) for line in lines if line]
    return TombstoneFile(tuple(one for one in found if one is not None), found.count(None))


def overdue(folder: Path, connection: Connection) -> list[Tombstone]:
    """Return the tombstones that the file has and the catalogue lacks."""
    known = set(map(identity, stored(connection)))
    return [one for one in read_file(folder).tombstones if identity(one) not in known]


def file_problem(folder: Path, connection: Connection) -> str | None:
    """Say how the file of tombstones differs from the catalogue; None where it does not."""
    file, known = read_file(folder), stored(connection)
    if file.damaged:
        return f"{file.damaged:,} of its lines are damaged; the next writer restores them from the catalogue"
    if overdue(folder, connection):
        return "says that more was forgotten than the catalogue says; the next writer completes that"
    if united(file.tombstones) != known:
        return "says less than the catalogue; the next writer restores it"
    return None


def write_file(folder: Path, tombstones: Collection[Tombstone], announce: Announce) -> None:
    """Put the file in place; when this returns it is durable."""
    before, synced, after = FILE_STEPS
    temporary = folder / f"{TOMBSTONES}.new"
    announce(before)
    try:
        with temporary.open("wb") as file:
            file.writelines(_lines(tombstones))
            file.flush()
            os.fsync(file.fileno())
        announce(synced)
        temporary.replace(folder / TOMBSTONES)
        sync_folder(folder)
    except OSError as error:
        raise from_system(error, folder / TOMBSTONES) from error
    announce(after)


def _lines(tombstones: Iterable[Tombstone]) -> Iterator[bytes]:
    for one in tombstones:
        said = {**log_rows.of_tombstone(one), "at": one.at.isoformat()}
        yield json.dumps({**said, "checksum": _checksum(said)}).encode("ascii") + b"\n"


def _parsed(line: bytes) -> Tombstone | None:
    try:
        said = json.loads(line)
        checksum = said.pop("checksum")
        if checksum != _checksum(said):
            return None
        return log_rows.to_tombstone({**said, "at": datetime.fromisoformat(said["at"])})
    except (ValueError, TypeError, KeyError, AttributeError, DamagedRow):
        return None


def _checksum(said: Mapping[str, Any]) -> str:
    """Return a checksum of one line, so that a damaged one is not taken for another page."""
    return hashlib.sha256(json.dumps([said[name] for name in _FIELDS]).encode("ascii")).hexdigest()[:16]
