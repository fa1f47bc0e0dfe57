"""Exchanges read back from the WARC files."""

from dataclasses import replace
from pathlib import Path

from sqlalchemy import Connection

from broadsheet.archive import visits, warc
from broadsheet.archive.archive_errors import ArchiveError
from broadsheet.archive.archive_records import RecordPlace
from broadsheet.base.exchange import Exchange

#: A request's record is its headers, and follows its answer's.
_REQUEST_BYTES = 65_536


def at(folder: Path, place: RecordPlace) -> Exchange:
    """Return the exchange at a place; a revisit's has no body, because that lies with what it repeats."""
    path = folder / "warc" / place.warc
    try:
        with path.open("rb") as file:
            file.seek(place.offset)
            member, following = file.read(place.length), file.read(_REQUEST_BYTES)
        answer = warc.record(member)
        return warc.exchange(answer, _request(answer, following))
    except OSError as error:
        raise ArchiveError(f"cannot read {path}: {error.strerror}") from error
    except warc.RecordError as error:
        raise ArchiveError(f"{path}: the record at byte {place.offset} cannot be read: {error}") from error


def visit(folder: Path, connection: Connection, number: int) -> Exchange:
    """Return the exchange of a visit, with its body, wherever that lies."""
    found = visits.row(folder, connection, number)
    exchange = at(folder, RecordPlace(found["warc"], found["offset"], found["length"]))
    if exchange.body or found["same_as"] is None:
        return exchange
    return replace(exchange, body=visit(folder, connection, found["same_as"]).body)


def _request(answer: warc.Record, following: bytes) -> warc.Record | None:
    member = warc.member_at(following, 0)
    if member is None:
        return None
    asked = warc.record(member)
    return asked if warc.belongs(asked, answer) else None
