"""Where records lie after the WARC files that held them were merged: the catalogue says it of every one of them."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sqlalchemy import BindParameter, Connection, Table, bindparam, delete, insert, select, update

from broadsheet.archive import kept_ranges, pruning, tables
from broadsheet.archive.archive_errors import ArchiveError
from broadsheet.archive.catalogued_files import FileRow
from broadsheet.archive.pruning import KeptPart

_OWNERS = (tables.contents, tables.versions)
_MOVED = tables.moved
_OLD: BindParameter[int] = bindparam("old")
_NEW: BindParameter[int | None] = bindparam("new")
_SHIFT: BindParameter[int] = bindparam("shift")
_SHIFT_RECORDS = tuple(
    update(owner)
    .where(owner.c.file == _OLD, owner.c.offset >= bindparam("first"), owner.c.offset < bindparam("end"))
    .values(file=_NEW, offset=owner.c.offset + _SHIFT)
    for owner in _OWNERS
)
_SHIFT_FILES = update(_MOVED).where(_MOVED.c.file == _OLD).values(file=_NEW, base=_MOVED.c.base + _SHIFT)


def relocate(
    connection: Connection, files: Sequence[FileRow], moved: Mapping[str, Sequence[KeptPart]], new: int | None
) -> None:
    """Say of the records of files where they lie in a new one, also under the names of files merged into them before.

    `moved` has the parts that were copied, by the names of the files.
    """
    shifts = [
        {"old": file.id, "new": new, "shift": part.shift, "first": part.start, "end": part.stop}
        for file in files
        if len(moved[file.name]) == 1
        for part in moved[file.name]
    ]
    if shifts:
        for statement in _SHIFT_RECORDS:
            connection.execute(statement, shifts)
    for file in files:
        if len(moved[file.name]) > 1:
            for owner in _OWNERS:
                _move_each(connection, owner, file, moved[file.name], new)
    _refuse_to_lose(connection, files)
    whole = [file for file in files if _is_whole(file, moved[file.name])]
    if whole:
        _move_whole(connection, [(file, moved[file.name][0].shift) for file in whole], new)
    for file in files:
        if file not in whole:
            _divide(connection, file, moved[file.name], new)


def _move_each(connection: Connection, owner: Table, file: FileRow, parts: Sequence[KeptPart], new: int | None) -> None:
    """Move rows one by one: there may be thousands of parts, and each statement for one would look at all rows."""
    keys = list(owner.primary_key)
    found = connection.execute(select(owner.c.offset, *keys).where(owner.c.file == file.id)).all()
    offsets = np.array([row.offset for row in found], dtype=np.int64)
    moved = pruning.shifted(offsets, parts).tolist()
    values = [
        {"moved_to": offset, **{f"its_{key.name}": value for key, value in zip(keys, row[1:], strict=True)}}
        for row, offset, is_kept in zip(found, moved, pruning.are_kept(offsets, parts), strict=True)
        if is_kept
    ]
    if values:
        own = [key == bindparam(f"its_{key.name}") for key in keys]
        connection.execute(update(owner).where(*own).values(file=new, offset=bindparam("moved_to")), values)


def _refuse_to_lose(connection: Connection, files: Sequence[FileRow]) -> None:
    """Raise an error if something refers to a record that was not copied."""
    names = {file.id: file.name for file in files}
    for owner in _OWNERS:
        lost = connection.execute(select(owner.c.file).where(owner.c.file.in_(names)).limit(1)).scalar()
        if lost is not None:
            raise ArchiveError(
                f"a record of warc/{names[lost]} was to be removed, although the {owner.name} refer to it"
            )


def _is_whole(file: FileRow, parts: Sequence[KeptPart]) -> bool:
    return len(parts) == 1 and (parts[0].start, parts[0].stop) == (0, file.size)


def _move_whole(connection: Connection, files: Sequence[tuple[FileRow, int]], new: int | None) -> None:
    connection.execute(_SHIFT_FILES, [{"old": file.id, "new": new, "shift": shift} for file, shift in files])
    rows = [
        {"name": file.name, "file": new, "base": shift, "kept": kept_ranges.packed([(0, file.size)])}
        for file, shift in files
    ]
    connection.execute(insert(_MOVED), rows)


def _divide(connection: Connection, file: FileRow, parts: Sequence[KeptPart], new: int | None) -> None:
    """Say where the parts of a file lie that was copied without some of its records."""
    fields = _MOVED.c
    query = select(fields.name, fields.base, fields.kept).where(fields.file == file.id)
    lying = {row.name: kept_ranges.lying_parts(row.kept, row.base, file.size) for row in connection.execute(query)}
    lying[file.name] = [KeptPart(0, file.size)]
    connection.execute(delete(_MOVED).where(fields.file == file.id))
    rows: list[dict[str, Any]] = []
    for name, lay in lying.items():
        left = list(pruning.divided(lay, parts))
        if left:
            kept = kept_ranges.packed((part.start, part.stop) for part in left)
            rows.append({"name": name, "file": new, "base": left[0].shift, "kept": kept})
    if rows:
        connection.execute(insert(_MOVED), rows)
