"""Exchanges read back from the WARC files."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import BinaryIO, Protocol, TypeVar

from sqlalchemy import Connection

from broadsheet.archive import catalogued_files, gzip_members, parquet_files, tombstones, visits, warc
from broadsheet.archive.archive_errors import ArchiveError, MissingFile
from broadsheet.archive.article_records import RecordPlace
from broadsheet.base.exchange import Exchange

#: The type of a record stands in its first bytes.
_HEAD_BYTES = 64

T = TypeVar("T")


class Asking(Protocol):
    """Asks the catalogue something in a transaction of its own."""

    def __call__(self, question: Callable[[Connection], T]) -> T:
        """Return the answer."""
        ...


def at(folder: Path, place: RecordPlace) -> Exchange:
    """Return the exchange at a place; a revisit's has no body, because that lies with what it repeats."""
    path = folder / "warc" / place.warc
    try:
        with path.open("rb") as file:
            file.seek(place.offset)
            answer = warc.record(file.read(place.length))
            asked = _belonging(file, answer, "request")
            return warc.exchange(answer, asked, _belonging(file, answer, warc.CONVERSION))
    except FileNotFoundError as error:
        raise MissingFile(f"cannot read {path}: {error.strerror}") from error
    except OSError as error:
        raise ArchiveError(f"cannot read {path}: {error.strerror}") from error
    except warc.RecordError as error:
        raise ArchiveError(f"{path}: the record at byte {place.offset} cannot be read: {error}") from error


def wherever(folder: Path, ask: Asking, place: RecordPlace) -> Exchange:
    """Return the exchange that was at a place, also if its file was merged into another since."""
    while True:
        try:
            return at(folder, place)
        except MissingFile:
            now = ask(partial(catalogued_files.moved, place=place))
            if now is None:
                raise
            place = now


def visit(folder: Path, ask: Asking, number: int) -> Exchange:
    """Return the exchange of a visit, with its body, wherever that lies."""
    found = visits.row(folder, ask, number)
    if found["page"] in ask(tombstones.forgotten_pages):
        raise ArchiveError(f"{folder}: the page of visit {number} was forgotten")
    if found["warc"] == parquet_files.REMOVED:
        raise ArchiveError(f"{folder}: the response of visit {number} was removed by a keep rule")
    exchange = wherever(folder, ask, RecordPlace(found["warc"], found["offset"], found["length"]))
    if exchange.body or found["same_as"] is None:
        return exchange
    original = visit(folder, ask, found["same_as"])
    return replace(exchange, body=original.body, rendered=original.rendered)


def _belonging(file: BinaryIO, answer: warc.Record, kind: str) -> warc.Record | None:
    """Return the next record of a file if it is of a kind and belongs to an answer; else the file stays where it is."""
    start = file.tell()
    head = gzip_members.beginning(file, _HEAD_BYTES)
    file.seek(start)
    if not warc.is_of_type(head, kind):
        return None
    member = gzip_members.next_member(file)
    found = warc.record(member) if member is not None else None
    if found is not None and warc.belongs(found, answer):
        return found
    file.seek(start)
    return None
