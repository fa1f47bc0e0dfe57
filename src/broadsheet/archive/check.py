"""Whether an archive is whole: files against rows, records against digests, rows against each other."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from broadsheet.archive import catalogue, catalogued_files, parquet_files, text_index, tombstones
from broadsheet.archive.archive_errors import ArchiveError
from broadsheet.archive.database import integrity
from broadsheet.archive.file_check import check_occurrences, check_visits, sound_files
from broadsheet.archive.folder import CATALOGUE
from broadsheet.archive.leftovers import Holdings, leftovers
from broadsheet.archive.problem import Problem
from broadsheet.archive.record_check import NamedRecord, check_records, named_records, with_visits
from broadsheet.archive.row_check import (
    READERS,
    check_articles,
    check_references,
    check_rows,
    check_tallies,
    check_tombstones,
)
from broadsheet.archive.seal import seal_problem
from broadsheet.archive.warc_reading import Asking


def check(folder: Path, ask: Asking, archive: str, *, is_written_to: bool) -> Iterator[Problem]:
    """Give all that is wrong; what cannot be looked at is a problem too, and hides nothing else.

    No transaction is open while the caller works with a problem, or while files are read. What is committed or merged
    in the meantime is left out.
    """
    yield from _asked(ask, lambda connection: _catalogue(folder, connection))
    named: dict[str, list[NamedRecord]] = {}
    try:
        # In one transaction, because merging changes both.
        (files, marks, forgotten), named = ask(lambda connection: (_filed(connection), named_records(connection)))
    except ArchiveError as error:
        yield _unreadable(error)
        try:
            files, marks, forgotten = ask(_filed)
        except ArchiveError:
            # This is the problem that was given already: without the files, there is nothing else to check.
            return
    sound: list[catalogued_files.FileRow] = []
    yield from sound_files(folder, ask, [file for file in files if file.kind != "warc"], sound)
    visits = [folder / "visits" / file.name for file in sound if file.kind == "visits" and file.retired is None]
    # Of what was forgotten some rows may have been merged away already, and others not.
    table = parquet_files.dataset("visits", visits, forgotten).to_table()
    yield from _guarded(lambda: check_visits(marks, table))
    yield from _guarded(lambda: check_occurrences(folder, sound, table, forgotten))
    yield from sound_files(folder, ask, [file for file in files if file.kind == "warc"], sound)
    parts: tuple[Callable[[], Iterable[Problem]], ...] = (
        lambda: check_records(folder, ask, files, sound, with_visits(named, table)),
        lambda: _asked(ask, lambda connection: check_references(connection, table, marks)),
        lambda: check_articles(ask),
        *(partial(_asked, ask, partial(check_rows, table=own, read=read)) for own, read in READERS.items()),
        lambda: _asked(ask, lambda connection: check_tombstones(folder, connection)),
        lambda: _asked(ask, check_tallies),
        lambda: _index(text_index.TextIndex(folder, archive, ask)),
        lambda: leftovers(
            folder,
            {(file.kind, file.name) for file in files},
            lambda: _holdings(table, forgotten),
            is_written_to=is_written_to,
        ),
    )
    for part in parts:
        yield from _guarded(part)


def _guarded(part: Callable[[], Iterable[Problem]]) -> Iterator[Problem]:
    """Give what a part of the check finds, and as a last problem what kept it from going on."""
    try:
        yield from part()
    except ArchiveError as error:
        yield _unreadable(error)


def _asked(ask: Asking, part: Callable[[Connection], Iterable[Problem]]) -> Iterator[Problem]:
    """Give what a part of the check finds in one transaction, which is over before the first problem is given."""
    found: list[Problem] = []
    try:
        ask(lambda connection: found.extend(part(connection)))
    except ArchiveError as error:
        found.append(_unreadable(error))
    yield from found


def _unreadable(error: ArchiveError) -> Problem:
    return Problem(CATALOGUE, str(error))


def _filed(connection: Connection) -> tuple[list[catalogued_files.FileRow], dict[int, int], frozenset[str]]:
    """Return the files, the last visit of each shard, and the pages that were forgotten."""
    return (
        catalogued_files.files(connection, retired=True),
        catalogue.last_visits(connection),
        tombstones.forgotten_pages(connection),
    )


def _catalogue(folder: Path, connection: Connection) -> Iterator[Problem]:
    """Check the file of the catalogue itself."""
    broken = seal_problem(folder)
    if broken:
        yield Problem(CATALOGUE, broken)
    for complaint in integrity(connection):
        yield Problem(CATALOGUE, complaint)


def _index(index: text_index.TextIndex) -> Iterator[Problem]:
    """Check the index of words, which nothing depends on."""
    wrong = index.problem()
    if wrong is not None:
        yield Problem(index.path.name, f"{wrong}; the next search makes it again", True)


def _holdings(table: Any, forgotten: frozenset[str]) -> Holdings:  # noqa: ANN401 - pyarrow has no types
    answers = zip(table["url"].to_pylist(), table["digest"].to_pylist(), strict=True)
    return Holdings(set(table["visit"].to_pylist()), set(answers), forgotten)
