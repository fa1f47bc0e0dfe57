"""A catalogue rebuilt from WARC and Parquet files, and from what can still be read of the old one.

The new catalogue is made aside and put in place at the end, so a repair that is interrupted can be run again. Nothing
is deleted: the old catalogue and damaged files go to `lost+found`.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from uuid import UUID, uuid4

import pyarrow as pa
import pyarrow.parquet as pq

from broadsheet.archive import layout, lease, parquet_files, replacement, salvage
from broadsheet.archive.archive_errors import ArchiveBusy, ArchiveError
from broadsheet.archive.database import Database
from broadsheet.archive.durable_files import is_intact, remove, set_aside
from broadsheet.archive.folder import KINDS, LOST, finished, has_files
from broadsheet.archive.rebuilding import Rereader, rebuild
from broadsheet.archive.remains import Remains
from broadsheet.archive.salvage import Location, Salvage, VisitRow
from broadsheet.base.clock import Clock


@dataclass(slots=True)
class Repaired:
    """What a repair did; `lost` has a line for each thing that could not be saved."""

    visits: int = 0
    articles: int = 0
    #: Articles and sections that were read again from their pages.
    reread: int = 0
    #: Files that were damaged, or that no commit named, of which something was saved.
    rescued: int = 0
    lost: list[str] = field(default_factory=list)


def repair(folder: Path, rereader: Rereader, clock: Clock, report: Callable[[str], None]) -> Repaired:
    """Rebuild an archive's catalogue; `report` hears of each step as it begins."""
    if not has_files(folder):
        layout.require(folder)
    _require_nobody_writes(folder, clock)
    for kind in KINDS:
        (folder / kind).mkdir(exist_ok=True)
    done = Repaired()
    report("reading the WARC files")
    saved = _salvage(folder, done)
    report("reading articles again")
    remains = Remains(folder)
    rebuilt = rebuild(folder, remains, saved, _linked(folder), rereader)
    report("writing the catalogue")
    files = replacement.put_files(folder, saved, rebuilt, clock.now())
    noted = replacement.Noted(list(remains.counters()), list(remains.incidents()))
    replacement.replace_catalogue(folder, saved, rebuilt, files, noted, clock)
    done.visits, done.articles, done.reread = len(saved.visits), len(rebuilt.versions), rebuilt.reread
    done.lost += rebuilt.lost
    done.lost += [
        f"{number:,} rows of the table `{table}` could not be read; they were reconstructed for the pages that"
        " are still there"
        for table, number in remains.damaged.items()
    ]
    return done


def _require_nobody_writes(folder: Path, clock: Clock) -> None:
    if not layout.is_there(folder):
        return
    database = Database(folder)
    try:
        with database.reading() as connection:
            holder = lease.holder(connection)
    except ArchiveError:
        # A catalogue that cannot be read is what a repair is for.
        return
    finally:
        database.close()
    if holder is not None and lease.is_alive(holder, lease.mine(clock.now())):
        raise ArchiveBusy(f"the archive is being written to by {holder}; stop it before repairing")


def _salvage(folder: Path, done: Repaired) -> Salvage:
    """Find the visits of all WARC files: those in their place first, then those in `lost+found` that hold more."""
    known = _known_visits(folder)
    committed = len({row["visit"] for row in known.values()})
    for path in list(finished(folder, "warc")):
        if not is_intact(path):
            _rescue(folder, path, known)
            set_aside(folder, path)
            done.rescued += 1
            done.lost.append(f"warc/{path.name} was damaged; its intact records were saved")
    in_place, aside = list(finished(folder, "warc")), list(finished(folder / LOST, "warc"))
    first = _first_visits(known)
    saved = Salvage(_archive_id(folder, in_place + aside), known, _highest(folder, known, in_place + aside))
    # A file before the parts of it that were merged into it and are not removed yet: they then hold nothing more.
    for path in sorted(in_place, key=lambda path: (first[path.name], -path.stat().st_size)):
        saved.take(path)
    for path in aside:
        done.rescued += _adopt(folder, path, saved)
    if len(saved.visits) < committed:
        done.lost.append(f"{committed - len(saved.visits):,} visits whose responses are no longer in any WARC file")
    return saved


def _rescue(folder: Path, path: Path, known: dict[Location, VisitRow]) -> Path | None:
    """Put the intact records of a damaged file into a new one, and move what is known of them there."""
    rescued = salvage.rescue(folder, path)
    if rescued is None:
        return None
    stored, origins = rescued
    for offset, origin in origins.items():
        row = known.pop((path.name, origin), None)
        if row is not None:
            known[stored.name, offset] = row
    return folder / "warc" / stored.name


def _adopt(folder: Path, path: Path, saved: Salvage) -> bool:
    """Take a file back from `lost+found` if it holds what the archive lacks."""
    if is_intact(path):
        place = folder / "warc" / path.name
        if not saved.take(path):
            return False
        path.replace(place)
        return True
    rescued = _rescue(folder, path, saved.known)
    # What an earlier repair saved of it is in its place already.
    if rescued is None or any(row["warc"] == rescued.name for row in saved.visits.values()):
        return False
    if saved.take(rescued):
        return True
    remove(rescued)
    return False


def _first_visits(known: dict[Location, VisitRow]) -> Counter[str]:
    """Return the first visit in each WARC file; 0 where none is known."""
    first = Counter[str]()
    for (name, _), row in known.items():
        first[name] = min(first.get(name, row["visit"]), row["visit"])
    return first


def _archive_id(folder: Path, paths: list[Path]) -> UUID:
    stated = Remains(folder).meta().get("archive", "")
    ids = (salvage.archive_of(path) for path in paths)
    return salvage.to_uuid(stated) or next((found for found in ids if found), None) or uuid4()


def _highest(folder: Path, known: dict[Location, VisitRow], paths: list[Path]) -> int:
    """Return a number that no visit can have been given beyond."""
    stated = Remains(folder).meta().get("last_visit", "")
    last = int(stated) if stated.isdecimal() and len(stated) < 16 else 0
    given: list[int] = [row["visit"] for row in known.values()]
    return max([last, *given]) + sum(map(salvage.count, paths))


def _known_visits(folder: Path) -> dict[Location, VisitRow]:
    """Return the rows of all visits that an intact Parquet file holds; those of files in their place count first."""
    known: dict[Location, VisitRow] = {}
    for path in (*finished(folder, "visits"), *finished(folder / LOST, "visits")):
        for row in _table(path, "visits", parquet_files.VISITS.names).to_pylist():
            known.setdefault((row["warc"], row["offset"]), row)
    return known


def _linked(folder: Path) -> set[int]:
    """Return the visits whose links are in an intact Parquet file."""
    tables = (_table(path, "occurrences", ["visit"]) for path in finished(folder, "occurrences"))
    return {visit for table in tables for visit in table["visit"].unique().to_pylist()}


def _table(path: Path, kind: str, names: list[str]) -> pa.Table:
    """Return columns of a Parquet file; none of its rows where it is damaged."""
    empty = parquet_files.SCHEMAS[kind].empty_table().select(names)
    if not is_intact(path):
        return empty
    try:
        return pq.read_table(path, schema=parquet_files.SCHEMAS[kind], columns=names)
    except (pa.ArrowException, OSError):
        return empty
