"""A catalogue rebuilt from WARC and Parquet files, and from what can still be read of the old one.

The new catalogue is made aside and put in place at the end, so a repair that is interrupted can be run again. Nothing
is deleted: the old catalogue and damaged files go to `lost+found`.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from uuid import UUID, uuid4

from broadsheet.archive import layout, lease, parquet_files, rebuilt_files, replacement, salvage
from broadsheet.archive.archive_errors import ArchiveBusy, ArchiveError
from broadsheet.archive.database import Database
from broadsheet.archive.durable_files import is_intact, remove, set_aside
from broadsheet.archive.earlier_remains import convert_remains
from broadsheet.archive.event_records import Tombstone
from broadsheet.archive.folder import KINDS, LOST, TOMBSTONES, finished, has_files
from broadsheet.archive.noted import Noted
from broadsheet.archive.rebuilding import Rereader, rebuild
from broadsheet.archive.remains import Remains
from broadsheet.archive.salvage import Location, Salvage, VisitRow
from broadsheet.archive.shards import is_last_visit_mark, shard_of
from broadsheet.archive.tombstones import page_keys, read_file, source_keys, united
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
    remains = Remains(folder)
    convert_remains(remains, folder / replacement.ASIDE, clock)
    forgotten = _forgotten(folder, remains, done)
    saved = _salvage(folder, remains, page_keys(forgotten), done)
    report("reading articles again")
    rebuilt = rebuild(folder, remains, saved, rereader, clock.now(), source_keys(forgotten))
    report("writing the catalogue")
    files = rebuilt_files.put_files(folder, saved, rebuilt, clock.now())
    noted = Noted.of(remains, forgotten)
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
            writing = lease.writers(connection, lease.mine(clock.now()))
    except ArchiveError:
        # A catalogue that cannot be read is what a repair is for.
        return
    finally:
        database.close()
    if writing:
        raise ArchiveBusy(f"the archive is being written to by {writing[0]}; stop it before repairing")


def _forgotten(folder: Path, remains: Remains, done: Repaired) -> list[Tombstone]:
    """Return what was forgotten, by the old catalogue and by the file beside it."""
    file = read_file(folder)
    if file.damaged:
        done.lost.append(
            f"{file.damaged:,} lines of {TOMBSTONES} are damaged: pages that were forgotten may be in the archive again"
        )
    return united(remains.tombstones(), file.tombstones)


def _salvage(folder: Path, remains: Remains, forgotten: frozenset[str], done: Repaired) -> Salvage:
    """Find the visits of all WARC files: those in their place first, then those in `lost+found` that hold more."""
    known, removed = _known_visits(folder, forgotten)
    committed = len({row["visit"] for row in known.values() if row["page"] not in forgotten})
    for path in list(finished(folder, "warc")):
        if not is_intact(path):
            _rescue(folder, path, known)
            set_aside(folder, path)
            done.rescued += 1
            done.lost.append(f"warc/{path.name} was damaged; its intact records were saved")
    in_place, aside = list(finished(folder, "warc")), list(finished(folder / LOST, "warc"))
    first = _first_visits(known)
    highest = _highest(remains, [*known.values(), *removed.values()], in_place + aside)
    saved = Salvage(_archive_id(remains, in_place + aside), known, highest, forgotten, removed)
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
            saved.leave(path)
            return False
        path.replace(place)
        return True
    rescued = _rescue(folder, path, saved.known)
    # What an earlier repair saved of it is in its place already.
    if rescued is None or any(row["warc"] == rescued.name for row in saved.visits.values()):
        return False
    if saved.take(rescued):
        return True
    saved.leave(rescued)
    remove(rescued)
    return False


def _first_visits(known: dict[Location, VisitRow]) -> Counter[str]:
    """Return the first visit in each WARC file; 0 where none is known."""
    first = Counter[str]()
    for (name, _), row in known.items():
        first[name] = min(first.get(name, row["visit"]), row["visit"])
    return first


def _archive_id(remains: Remains, paths: list[Path]) -> UUID:
    stated = remains.meta().get("archive", "")
    ids = (salvage.archive_of(path) for path in paths)
    return salvage.to_uuid(stated) or next((found for found in ids if found), None) or uuid4()


def _highest(remains: Remains, known: Iterable[VisitRow], paths: list[Path]) -> dict[int, int]:
    """Return for each shard a number that none of its visits can have been given beyond."""
    stated = [int(value) for name, value in remains.meta().items() if is_last_visit_mark(name, value)]
    stated += [visit for path in paths for visit in salvage.first_visits(path)]
    last = {0: 0}
    for visit in (*stated, *(row["visit"] for row in known)):
        last[shard_of(visit)] = max(last.get(shard_of(visit), 0), visit)
    more = sum(map(salvage.count, paths))
    return {shard: visit + more for shard, visit in last.items()}


def _known_visits(folder: Path, forgotten: frozenset[str]) -> tuple[dict[Location, VisitRow], dict[int, VisitRow]]:
    """Return the rows of all visits that an intact Parquet file holds; those of files in their place count first.

    Rows of visits whose responses were removed come by themselves: they stay removed, even if a file that was to go
    still holds them.
    """
    known: dict[Location, VisitRow] = {}
    removed: dict[int, VisitRow] = {}
    for place in (folder, folder / LOST):
        # Files that are set aside may stem from a removal that was never completed.
        settled = {row["visit"] for row in known.values()}
        for path in finished(place, "visits"):
            for row in parquet_files.intact_rows(path, "visits", parquet_files.VISITS.names).to_pylist():
                if row["warc"] != parquet_files.REMOVED:
                    known.setdefault((row["warc"], row["offset"]), row)
                elif row["visit"] not in settled and row["page"] not in forgotten:
                    removed.setdefault(row["visit"], row)
    return known, removed
