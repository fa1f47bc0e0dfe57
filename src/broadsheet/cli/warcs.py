"""Read the pages of a WARC file, with their address, content type and time of capture."""

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
from broadsheet.cli.inputs import LoadedPage, Origin, checked
from broadsheet.cli.warc_bodies import decode_record_body

_HTML = frozenset({"text/html", "application/xhtml+xml"})
#: First bytes of a compressed record; reading resumes at the next one after damage.
_STARTS = (b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd")
_PLAIN_START = b"WARC/1."
_CHUNK = 1 << 20


def pages(
    path: Path, max_bytes: int, counters: Counters, reached: Callable[[float], None]
) -> Iterator[LoadedPage | InputError]:
    """Yield the pages of a WARC file, and an error for each that cannot be read; count responses that are not pages.

    `reached` is called with the share of the file that has been read.
    """
    module = _fastwarc()
    is_empty = True
    try:
        size = max(path.stat().st_size, 1)
        with path.open("rb") as file:
            for record in _records(file, module):
                if isinstance(record, InputError):
                    is_empty = False
                    yield record
                elif record.record_type == module.WarcRecordType.response:
                    is_empty = False
                    reached(record.stream_pos / size)
                    page = _page(record, str(path), max_bytes)
                    if page is None:
                        counters.count("skipped", "not a page with status 200")
                    else:
                        yield page
    except OSError as error:
        yield InputError(f"cannot be read: {error.strerror or error}")
    else:
        if is_empty:
            yield InputError("contains no responses")


def _fastwarc() -> Any:  # noqa: ANN401 - a module that only the extra installs
    with needing("warc", "reading a WARC file"), warnings.catch_warnings():
        # It emits deprecation warnings about its own classes on import.
        warnings.simplefilter("ignore", DeprecationWarning)
        return import_module("fastwarc.warc")


def _records(file: BinaryIO, module: Any) -> Iterator[Any]:  # noqa: ANN401 - fastwarc's own
    """Yield the records, and an error for each part of the file that cannot be read."""
    following: int | None = 0
    damage = ""
    while (start := following) is not None:
        file.seek(start)
        try:
            for record in module.ArchiveIterator(file, parse_http=False):
                if damage:
                    yield InputError(f"{damage}; resuming at byte {record.stream_pos:,}")
                    damage = ""
                start = record.stream_pos
                yield record
            following = None
        except Exception as error:  # noqa: BLE001 - fastwarc raises various errors for a damaged record
            damage = damage or f"is damaged after byte {start:,}: {error}"
            following = _next_start(file, start + 1)
    if damage:
        yield InputError(damage)


def _next_start(file: BinaryIO, after: int) -> int | None:
    """Return the offset at or after `after` where a record may start, or None."""
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


def _page(record: Any, file: str, max_bytes: int) -> LoadedPage | InputError | None:  # noqa: ANN401 - fastwarc has no types
    """Return the page of a response, None if it is not a page, or an error if it cannot be read."""
    url = record.headers.get("WARC-Target-URI")
    name = url or f"record at byte {record.stream_pos:,}"
    try:
        record.parse_http()
        headers = record.http_headers
        if headers is None or headers.status_code != statuses.OK or str(record.http_content_type).lower() not in _HTML:
            return None
        body = decode_record_body(
            _read_body(record, max_bytes), headers.get("Transfer-Encoding"), headers.get("Content-Encoding"), max_bytes
        )
        origin = Origin(name, url, file, record.stream_pos, captured(record.headers.get("WARC-Date")))
        return LoadedPage(origin, checked(body, max_bytes), headers.get("Content-Type"))
    except InputError as error:
        return InputError(f"{name}: {error}")
    except Exception as error:  # noqa: BLE001 - one bad record must not stop the others
        return InputError(f"{name}: cannot be read: {error}")


def captured(date: str | None) -> datetime | None:
    """Return the date of a record in UTC, or None if it is not a valid time."""
    try:
        moment = datetime.fromisoformat(date or "")
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _read_body(record: Any, max_bytes: int) -> bytes:  # noqa: ANN401 - as above
    length: int = record.content_length
    body: bytes = record.reader.read(max_bytes + 1)
    if len(body) < min(length, max_bytes):
        raise InputError("is truncated")
    return body
