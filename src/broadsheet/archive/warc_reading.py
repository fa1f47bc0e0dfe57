"""Exchanges read back from the WARC files."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar

from sqlalchemy import Connection

from broadsheet.archive import catalogue, tombstones, visits, warc
from broadsheet.archive.archive_errors import ArchiveError, MissingFile
from broadsheet.archive.archive_records import RecordPlace
from broadsheet.base.exchange import Exchange

#: A request's record is its headers, and follows its answer's.
_REQUEST_BYTES = 65_536

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
            member, following = file.read(place.length), file.read(_REQUEST_BYTES)
        answer = warc.record(member)
        return warc.exchange(answer, _request(answer, following))
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
            now = ask(partial(catalogue.moved, place=place))
            if now is None:
                raise
            place = now


def visit(folder: Path, ask: Asking, number: int) -> Exchange:
    """Return the exchange of a visit, with its body, wherever that lies."""
    found = visits.row(folder, ask, number)
    if found["page"] in ask(tombstones.forgotten_pages):
        raise ArchiveError(f"{folder}: the page of visit {number} was forgotten")
    exchange = wherever(folder, ask, RecordPlace(found["warc"], found["offset"], found["length"]))
    if exchange.body or found["same_as"] is None:
        return exchange
    return replace(exchange, body=visit(folder, ask, found["same_as"]).body)


def _request(answer: warc.Record, following: bytes) -> warc.Record | None:
    member = warc.member_at(following, 0)
    if member is None:
        return None
    asked = warc.record(member)
    return asked if warc.belongs(asked, answer) else None
