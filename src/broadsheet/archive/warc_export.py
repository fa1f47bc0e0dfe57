"""An archive's WARC records in one file: all of them, or those of a selection of visits with what they repeat."""

import gzip
import io
import shutil
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import pyarrow as pa
import pyarrow.compute as pc

from broadsheet.archive import pruning
from broadsheet.archive.archive_errors import ArchiveError, DamagedRow
from broadsheet.archive.article_records import RecordPlace
from broadsheet.archive.article_versions import OnDamage
from broadsheet.archive.durable_files import is_intact
from broadsheet.archive.pruning import Answers, KeptPart
from broadsheet.archive.store import Store
from broadsheet.base.records import Kind

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_COPIED_AT_ONCE = 1 << 20
_COLUMNS = ("visit", "page", "source", "fetched_at", "warc", "offset", "same_as")


@dataclass(frozen=True, slots=True, kw_only=True)
class VisitSelection:
    """Which visits: fetched between two moments, of a source, and to pages of a kind; what is None selects all."""

    since: datetime | None = None
    until: datetime | None = None
    source: str | None = None
    kind: Kind | None = None

    def __bool__(self) -> bool:
        """Return whether anything is left out."""
        return any(value is not None for value in (self.since, self.until, self.source, self.kind))


def write_warc(
    archive: Store, out: Path, selection: VisitSelection, on_damage: OnDamage | None, *, compressed: bool
) -> int:
    """Write the records of a selection one after the other, and return from how many files they are.

    Gzip members stay members, so nothing is compressed again. Redirects and requests come with their answers, and the
    answer that a revisit record refers to comes with it.
    """
    number = 0
    with out.open("wb") as file:
        for parts in _intact(archive, _chosen(archive, selection), on_damage):
            for part in parts:
                with io.BufferedReader(part, _COPIED_AT_ONCE) as packed:
                    shutil.copyfileobj(packed if compressed else _unpacked(packed), file)
            number += 1
    return number


def _chosen(archive: Store, selection: VisitSelection) -> dict[RecordPlace, Sequence[KeptPart]]:
    """Return which bytes of which files are wanted."""
    places = archive.warc_places()
    if not selection and not archive.tombstones():
        return {place: (KeptPart(0, place.length),) for place in places}
    try:
        every = archive.visits(forgotten=True).to_table(columns=list(_COLUMNS))
        wanted = _wanted(archive, archive.visits().to_table(columns=list(_COLUMNS)), selection)
    except (pa.ArrowException, OSError) as error:
        raise ArchiveError(
            f"the visits of the archive cannot be read: {error}; `broadsheet check` says more"
        ) from error
    offsets, chosen = _by_file(every), _by_file(wanted)
    parts: dict[RecordPlace, Sequence[KeptPart]] = {}
    for place in places:
        known, own = offsets.get(place.warc, frozenset()), chosen.get(place.warc, frozenset())
        path = archive.folder / "warc" / place.warc
        if (own == known and (own or not selection)) or not path.exists():
            parts[place] = (KeptPart(0, place.length),)
        elif own:
            parts[place] = pruning.kept_parts(path, Answers(frozenset(known), frozenset(known - own)))
    return parts


def _wanted(archive: Store, visits: Any, selection: VisitSelection) -> Any:  # noqa: ANN401 - pyarrow has no types
    """Return the visits of a selection, and those that they repeat."""
    chosen = visits
    if selection.since is not None:
        chosen = chosen.filter(pc.field("fetched_at") >= selection.since)
    if selection.until is not None:
        chosen = chosen.filter(pc.field("fetched_at") < selection.until)
    if selection.source is not None or selection.kind is not None:
        pages = archive.page_keys(source=selection.source, kind=selection.kind)
        chosen = chosen.filter(pc.field("page").isin(pa.array(sorted(pages), pa.string())))
    repeated = chosen["same_as"].drop_null().unique()
    missing = repeated.filter(pc.invert(pc.is_in(repeated, chosen["visit"].combine_chunks())))
    return pa.concat_tables([chosen, visits.filter(pc.field("visit").isin(missing))])


def _by_file(visits: Any) -> Mapping[str, Set[int]]:  # noqa: ANN401 - pyarrow has no types
    found: dict[str, set[int]] = {}
    for name, offset in zip(visits["warc"].to_pylist(), visits["offset"].to_pylist(), strict=True):
        found.setdefault(name, set()).add(offset)
    return found


def _unpacked(file: "io.BufferedReader[FilePart]") -> BinaryIO:
    return gzip.GzipFile(fileobj=file)  # type: ignore[return-value]  # it reads bytes as any file does


class FilePart(io.RawIOBase):
    """Some of the bytes of a file, read as a file of their own."""

    def __init__(self, path: Path, offset: int, size: int) -> None:
        """Open the file at the first of the bytes."""
        self._file = path.open("rb")
        self._file.seek(offset)
        self._left = size

    def readable(self) -> bool:
        """Say that bytes can be read."""
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        """Read the next bytes."""
        with memoryview(buffer) as view:
            number = self._file.readinto(view[: self._left])
        self._left -= number
        return number

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        super().close()


def _intact(
    archive: Store, chosen: Mapping[RecordPlace, Sequence[KeptPart]], on_damage: OnDamage | None
) -> Iterator[Iterator[FilePart]]:
    """Give the chosen bytes of each file that is intact."""
    for place, parts in chosen.items():
        problem = _problem(archive.folder / "warc" / _current(archive, place).warc)
        if problem is None:
            yield (_opened(archive, RecordPlace(place.warc, part.start, part.stop - part.start)) for part in parts)
            continue
        damaged = DamagedRow(f"warc/{place.warc}: {problem}; `broadsheet repair` saves what can be saved")
        if on_damage is None:
            raise damaged
        on_damage(damaged)


def _opened(archive: Store, place: RecordPlace) -> FilePart:
    now = _current(archive, place)
    return FilePart(archive.folder / "warc" / now.warc, now.offset, now.length)


def _current(archive: Store, place: RecordPlace) -> RecordPlace:
    """Return where bytes lie: while others are copied, a file may be merged into another and removed."""
    while not (archive.folder / "warc" / place.warc).exists() and (moved := archive.locate(place)):
        last = archive.locate(RecordPlace(place.warc, place.offset + place.length - 1, 1))
        if last is None or last.offset - moved.offset != place.length - 1:
            raise ArchiveError("pages were removed while the archive was being exported: export it again")
        place = moved
    return place


def _problem(path: Path) -> str | None:
    """Say what is wrong with a file that is named by its hash."""
    try:
        return None if is_intact(path) else "its content differs from what was written"
    except FileNotFoundError:
        return "is missing"
