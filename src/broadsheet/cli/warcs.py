"""The pages of a WARC file, one after the other, each with its address, content type and time of capture."""

import warnings
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

from broadsheet.base import statuses
from broadsheet.base.counters import Counters
from broadsheet.base.errors import InputError
from broadsheet.base.extras import needing
from broadsheet.cli.inputs import Loaded, Origin, checked
from broadsheet.cli.warc_bodies import plain_body

_HTML = frozenset({"text/html", "application/xhtml+xml"})
#: What a record, or the compressed frame around it, begins with; a damaged file is resumed at the next one.
_STARTS = (b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd")
_PLAIN_START = b"WARC/1."
_CHUNK = 1 << 20


def pages(
    path: Path, max_bytes: int, counters: Counters, reached: Callable[[float], None]
) -> Iterator[Loaded | InputError]:
    """Give the pages of a WARC file, and an error for each that cannot be one; what is not a page is counted.

    `reached` is told what share of the file has been read.
    """
    module = _fastwarc()
    found = False
    try:
        size = max(path.stat().st_size, 1)
        with path.open("rb") as file:
            for record in _records(file, module):
                if isinstance(record, InputError):
                    found = True
                    yield record
                elif record.record_type == module.WarcRecordType.response:
                    found = True
                    reached(record.stream_pos / size)
                    page = _page(record, str(path), max_bytes)
                    if page is None:
                        counters.count("skipped", "no page with status 200")
                    else:
                        yield page
    except OSError as error:
        yield InputError(f"cannot be read: {error.strerror or error}")
    else:
        if not found:
            yield InputError("holds no answers")


def _fastwarc() -> Any:  # noqa: ANN401 - a module that only the extra brings
    with needing("warc", "reading a WARC file"), warnings.catch_warnings():
        # It warns of classes of its own that it loads itself.
        warnings.simplefilter("ignore", DeprecationWarning)
        return import_module("fastwarc.warc")


def _records(file: BinaryIO, module: Any) -> Iterator[Any]:  # noqa: ANN401 - fastwarc's own
    """Give the records, and an error for each stretch of the file that cannot be read."""
    following: int | None = 0
    damage = ""
    while (start := following) is not None:
        file.seek(start)
        try:
            for record in module.ArchiveIterator(file, parse_http=False):
                if damage:
                    yield InputError(f"{damage}; goes on at byte {record.stream_pos:,}")
                    damage = ""
                start = record.stream_pos
                yield record
            following = None
        except Exception as error:  # noqa: BLE001 - whatever its reader calls a damaged record
            damage = damage or f"is damaged after byte {start:,}: {error}"
            following = _next_start(file, start + 1)
    if damage:
        yield InputError(damage)


def _next_start(file: BinaryIO, after: int) -> int | None:
    """Return where a record may begin, from a place in the file on; None where none does."""
    file.seek(0)
    head = file.read(4)
    mark = next((start for start in _STARTS if head.startswith(start)), _PLAIN_START)
    file.seek(after)
    before = b""
    while chunk := file.read(_CHUNK):
        window = before + chunk
        if (at := window.find(mark)) >= 0:
            return after + at - len(before)
        after += len(chunk)
        before = window[1 - len(mark) :]
    return None


def _page(record: Any, file: str, max_bytes: int) -> Loaded | InputError | None:  # noqa: ANN401 - fastwarc has no types
    """Return the page of an answer; None where it is none, an error where it cannot be read."""
    url = record.headers.get("WARC-Target-URI")
    name = url or f"record at byte {record.stream_pos:,}"
    try:
        record.parse_http()
        headers = record.http_headers
        if headers is None or headers.status_code != statuses.OK or str(record.http_content_type).lower() not in _HTML:
            return None
        body = plain_body(
            _sent(record, max_bytes), headers.get("Transfer-Encoding"), headers.get("Content-Encoding"), max_bytes
        )
        origin = Origin(name, url, file, record.stream_pos, captured(record.headers.get("WARC-Date")))
        return Loaded(origin, checked(body, max_bytes), headers.get("Content-Type"))
    except InputError as error:
        return InputError(f"{name}: {error}")
    except Exception as error:  # noqa: BLE001 - a record that its reader stumbles over is one page
        return InputError(f"{name}: cannot be read: {error}")


def captured(date: str | None) -> datetime | None:
    """Return the time that a record gives as its date, in UTC; None where that is not a time."""
    try:
        found = datetime.fromisoformat(date or "")
        return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _sent(record: Any, max_bytes: int) -> bytes:  # noqa: ANN401 - as above
    length: int = record.content_length
    body: bytes = record.reader.read(max_bytes + 1)
    if len(body) < min(length, max_bytes):
        raise InputError("ends before it is complete")
    return body
