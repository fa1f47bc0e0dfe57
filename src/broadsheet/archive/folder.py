"""The names in an archive's folder, and whether a folder has files of one."""

from collections.abc import Iterator
from pathlib import Path

CATALOGUE = "catalogue.sqlite"
#: What SQLite keeps beside the catalogue while it is open.
JOURNALS = (f"{CATALOGUE}-wal", f"{CATALOGUE}-shm", f"{CATALOGUE}-journal")
SEAL = "catalogue.sha256"
#: The index of words, which follows from the catalogue.
SEARCH = "search.sqlite"
SEARCH_JOURNALS = (f"{SEARCH}-wal", f"{SEARCH}-shm", f"{SEARCH}-journal")
KINDS = ("warc", "visits", "occurrences")
SUFFIXES = {"warc": ".warc.gz", "visits": ".parquet", "occurrences": ".parquet"}
#: Where files go that no commit names: they may hold what was fetched and never catalogued.
LOST = "lost+found"
#: What the name of an unfinished file begins with.
TEMPORARY = ".tmp-"
#: What was forgotten, for the case that the catalogue is lost.
TOMBSTONES = "tombstones.jsonl"

OURS = frozenset(
    (
        CATALOGUE,
        *JOURNALS,
        SEAL,
        f"{SEAL}.new",
        SEARCH,
        *SEARCH_JOURNALS,
        TOMBSTONES,
        f"{TOMBSTONES}.new",
        *KINDS,
        LOST,
        ".repair",
    )
)


def finished(folder: Path, kind: str) -> Iterator[Path]:
    """Give the files of a kind that were put in place whole, in the order of their names."""
    place = folder / kind
    if place.is_dir():
        yield from sorted(path for path in place.iterdir() if is_finished(path, kind))


def is_finished(path: Path, kind: str) -> bool:
    """Say whether a file has the name of one that was put in place whole."""
    return path.name.endswith(SUFFIXES[kind]) and not path.name.startswith(TEMPORARY)


def has_files(folder: Path) -> bool:
    """Say whether a folder holds what an archive keeps, whatever its catalogue says."""
    return any(next(finished(folder, kind), None) is not None for kind in KINDS) or any(lost(folder))


def lost(folder: Path) -> Iterator[Path]:
    """Give the files in `lost+found`, by kind and name."""
    for kind in KINDS:
        yield from finished(folder / LOST, kind)
