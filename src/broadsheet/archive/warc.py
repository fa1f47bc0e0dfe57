"""WARC 1.1: exchanges as records, each its own gzip member, and back.

The format is written here rather than by a library: it is a few lines, every byte of it is checked by other
readers in the tests, and a record's place is known without asking the stream.
"""

import base64
import hashlib
import re
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from http import HTTPStatus
from uuid import UUID

from broadsheet._version import __version__
from broadsheet.archive import gzip_members
from broadsheet.base import statuses
from broadsheet.base.exchange import Exchange, Headers
from broadsheet.base.moments import utc_text

NOT_MODIFIED = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
IDENTICAL = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"

#: The type of a record that holds a page as its scripts left it, and the content type of such a page.
CONVERSION, RENDERED_TYPE = "conversion", "text/html; charset=utf-8"
#: The field of a `warcinfo` record that names the first visit of its file, and so the shard.
FIRST_VISIT = "broadsheet-first-visit"

#: White space and control characters, which are escaped.
_NOT_IN_URIS = re.compile("[\x00-\x20]")
#: A URL's path, and its query with the question mark.
_AFTER_HOST = re.compile(r"[^:/?#]+://[^/?#]*([^?#]*)(\?[^#]*)?", re.DOTALL)
#: Content encodings whose bodies do not get smaller.
_COMPRESSED = frozenset({"gzip", "br", "zstd", "deflate"})
#: The body no longer has its transfer encoding on it, so this header must not say so to whoever reads the record.
_TRANSFER, _TRANSFER_KEPT = "Transfer-Encoding", "X-Broadsheet-Transfer-Encoding"
#: What ends a record.
_END = b"\r\n\r\n"


class RecordError(Exception):
    """Bytes are not the record that they should be."""


@dataclass(frozen=True, slots=True)
class Original:
    """The record that a revisit repeats: the visit it belongs to, its address, and its time."""

    visit: int
    url: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Record:
    """A record read back: its WARC headers, with names in lower case, and its block."""

    headers: dict[str, str]
    block: bytes

    @property
    def type(self) -> str:
        """What kind of record it is."""
        return self.headers.get("warc-type", "")

    def without_block(self) -> "Record":
        """Return the record without what it holds."""
        return Record(self.headers, b"")


def digest(data: bytes) -> str:
    """Return the digest of bytes as WARC files write it."""
    return "sha1:" + base64.b32encode(hashlib.sha1(data, usedforsecurity=False).digest()).decode("ascii")


def information(archive: UUID, visit: int, at: datetime) -> bytes:
    """Return the record that begins a file: who wrote it, and how."""
    block = _lines(
        (
            ("software", f"broadsheet/{__version__}"),
            ("format", "WARC File Format 1.1"),
            ("conformsTo", "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"),
            ("isPartOf", f"urn:uuid:{archive}"),
            (FIRST_VISIT, str(visit)),
        )
    )
    extra = [("WARC-Block-Digest", digest(block))]
    return _member("warcinfo", record_id(archive, visit, "warcinfo"), at, "application/warc-fields", block, extra)


@lru_cache(maxsize=8)
def record_id(archive: UUID, visit: int, part: str) -> str:
    """Return a record's id, which follows from its visit, so that a revisit can name it without looking it up.

    It is `uuid5(archive, f"{visit}/{part}")`, which takes several times as long. Records of a visit name each other.
    """
    name = archive.bytes + f"{visit}/{part}".encode("ascii")
    digits = hashlib.sha1(name, usedforsecurity=False).hexdigest()
    variant = "89ab"[int(digits[16], 16) % 4]
    return f"<urn:uuid:{digits[:8]}-{digits[8:12]}-5{digits[13:16]}-{variant}{digits[17:20]}-{digits[20:32]}>"


def response(archive: UUID, visit: int, part: str, exchange: Exchange, payload: str | None = None) -> bytes:
    """Return an answer as a record; a caller that has the digest of its body already passes it as `payload`."""
    extra = [("WARC-Payload-Digest", payload or digest(exchange.body))]
    return _answer("response", archive, visit, part, exchange, extra, exchange.body)


def revisit(archive: UUID, visit: int, exchange: Exchange, original: Original, payload: str) -> bytes:
    """Return an answer whose body is kept already as a record without it."""
    extra = [
        ("WARC-Profile", NOT_MODIFIED if exchange.status == statuses.NOT_MODIFIED else IDENTICAL),
        ("WARC-Payload-Digest", payload),
        ("WARC-Refers-To", record_id(archive, original.visit, "answer")),
        ("WARC-Refers-To-Target-URI", _uri(original.url)),
        ("WARC-Refers-To-Date", _date(original.at)),
    ]
    return _answer("revisit", archive, visit, "answer", exchange, extra, b"")


def request(archive: UUID, visit: int, part: str, exchange: Exchange) -> bytes:
    """Return what was asked as a record."""
    block = f"GET {_uri(_target(exchange.url))} HTTP/1.1\r\n".encode() + _lines(exchange.asked) + b"\r\n"
    extra = [
        ("WARC-Target-URI", _uri(exchange.url)),
        ("WARC-Concurrent-To", record_id(archive, visit, part)),
    ]
    asked = record_id(archive, visit, f"{part}/request")
    return _member("request", asked, exchange.at, "application/http; msgtype=request", block, extra)


def conversion(archive: UUID, visit: int, part: str, exchange: Exchange, rendered: bytes) -> bytes:
    """Return what the scripts of a page wrote as a record of its own, which refers to that of the answer."""
    extra = [
        ("WARC-Target-URI", _uri(exchange.url)),
        ("WARC-Refers-To", record_id(archive, visit, part)),
        ("WARC-Payload-Digest", digest(rendered)),
    ]
    return _member(
        CONVERSION, record_id(archive, visit, f"{part}/rendered"), exchange.at, RENDERED_TYPE, rendered, extra
    )


def record(member: bytes) -> Record:
    """Read a record from the gzip member that it is."""
    try:
        head, _, rest = zlib.decompress(member, gzip_members.GZIP).partition(b"\r\n\r\n")
    except zlib.error as error:
        raise RecordError("it is not a complete gzip member") from error
    version, _, lines = head.partition(b"\r\n")
    if not version.startswith(b"WARC/1."):
        raise RecordError("it is not a WARC record")
    headers = {name.lower(): value for name, value in _headers(lines, "utf-8")}
    try:
        length = int(headers.get("content-length", ""))
    except ValueError as error:
        raise RecordError("its Content-Length is missing or invalid") from error
    if rest[length:] != b"\r\n\r\n":
        raise RecordError("its length differs from its Content-Length")
    return Record(headers, rest[:length])


def problem(found: Record) -> str | None:
    """Say what is wrong with a record's digests, if anything is."""
    stated = found.headers.get("warc-block-digest")
    if stated is not None and stated != digest(found.block):
        return "its block differs from its digest"
    if found.type == "response" and found.headers.get("warc-payload-digest") != digest(_split(found.block)[2]):
        return "its payload differs from its digest"
    return None


def exchange(answer: Record, asked: Record | None, rendered: Record | None = None) -> Exchange:
    """Return the exchange that an answer's record, and those that belong to it where there are some, were made of."""
    if answer.type not in {"response", "revisit"}:
        raise RecordError(f"it is not a response but a record of type {answer.type!r}")
    status_line, headers, body = _split(answer.block)
    protocol, _, rest = status_line.partition(" ")
    try:
        status = int(rest.partition(" ")[0])
        at = datetime.fromisoformat(answer.headers["warc-date"])
        url = answer.headers["warc-target-uri"]
    except (KeyError, ValueError) as error:
        raise RecordError("its status, time or URL is missing") from error
    return Exchange(
        url=url,
        at=at.astimezone(UTC),
        status=status,
        headers=tuple((_TRANSFER if name == _TRANSFER_KEPT else name, value) for name, value in headers),
        body=body,
        asked=_split(asked.block)[1] if asked else (),
        address=answer.headers.get("warc-ip-address"),
        protocol=protocol,
        rendered=rendered.block if rendered else None,
    )


def belongs(other: Record, answer: Record) -> bool:
    """Say whether a record is what was asked for an answer, or what the scripts in it wrote."""
    named = {"request": "warc-concurrent-to", CONVERSION: "warc-refers-to"}.get(other.type)
    return named is not None and other.headers.get(named) == answer.headers.get("warc-record-id")


def is_of_type(head: bytes, kind: str) -> bool:
    """Say of the first bytes of a record, as this archive writes it, whether it is of a type."""
    return head.startswith(b"WARC/1.1\r\nWARC-Type: %b\r\n" % kind.encode("ascii"))


def _answer(  # noqa: PLR0913, PLR0917 - the parts of a record, each said once
    kind: str, archive: UUID, visit: int, part: str, exchange: Exchange, extra: list[tuple[str, str]], body: bytes
) -> bytes:
    headers = [("WARC-Target-URI", _uri(exchange.url))]
    if exchange.address:
        headers.append(("WARC-IP-Address", exchange.address))
    sent = exchange.headers
    if exchange.header(_TRANSFER) is not None:
        sent = tuple((_TRANSFER_KEPT if name.lower() == _TRANSFER.lower() else name, v) for name, v in sent)
    block = _status_line(exchange) + _lines(sent) + b"\r\n"
    if not body:
        # Of a body there is a digest already, and to compute another takes as long as compressing the rest.
        extra = [*extra, ("WARC-Block-Digest", digest(block))]
    is_packed = exchange.header("content-encoding") in _COMPRESSED
    identity, content = record_id(archive, visit, part), "application/http; msgtype=response"
    return _member(kind, identity, exchange.at, content, block, [*headers, *extra], body, is_packed=is_packed)


def _status_line(exchange: Exchange) -> bytes:
    try:
        phrase = HTTPStatus(exchange.status).phrase
    except ValueError:
        phrase = ""
    return f"{exchange.protocol} {exchange.status} {phrase}\r\n".encode("latin-1")


def _member(  # noqa: PLR0913, PLR0917 - the parts of a record, each said once
    kind: str,
    identity: str,
    at: datetime,
    content: str,
    block: bytes,
    extra: Iterable[tuple[str, str]],
    body: bytes = b"",
    *,
    is_packed: bool = False,
) -> bytes:
    """Return a record as a gzip member; its block ends with a body, which may be compressed already."""
    headers = (
        ("WARC-Type", kind),
        ("WARC-Record-ID", identity),
        ("WARC-Date", _date(at)),
        *extra,
        ("Content-Type", content),
        ("Content-Length", str(len(block) + len(body))),
    )
    lines = "".join([f"{name}: {value}\r\n" for name, value in headers])
    head = f"WARC/1.1\r\n{lines}\r\n".encode() + block
    if is_packed:
        return gzip_members.with_stored_tail(head, body + _END)
    return gzip_members.compressed(head + body + _END)


def _lines(headers: Headers) -> bytes:
    joined = "".join([f"{name}: {value}\r\n" for name, value in headers])
    if joined.isascii() and joined.count("\r") == joined.count("\n") == len(headers):
        return joined.encode("ascii")
    return b"".join(_encoded(name) + b": " + _encoded(value) + b"\r\n" for name, value in headers)


def _encoded(text: str) -> bytes:
    # HTTP headers are bytes that everybody reads as Latin-1; what is not Latin-1 cannot have come that way.
    line = text.replace("\r", " ").replace("\n", " ")
    try:
        return line.encode("latin-1")
    except UnicodeEncodeError:
        return line.encode("utf-8", "surrogateescape")


def _headers(lines: bytes, encoding: str) -> Headers:
    pairs = (line.partition(":") for line in lines.decode(encoding, "replace").split("\r\n") if line)
    return tuple((name, value.strip(" \t")) for name, _, value in pairs)


def _split(block: bytes) -> tuple[str, Headers, bytes]:
    head, _, body = block.partition(b"\r\n\r\n")
    first, _, lines = head.partition(b"\r\n")
    return first.decode("latin-1"), _headers(lines, "latin-1"), body


def _target(url: str) -> str:
    """Return the path and query of a URL, which are what a server is asked for."""
    found = _AFTER_HOST.match(url)
    path, query = found.groups("") if found else ("", "")
    return (path or "/") + (query if query != "?" else "")


@lru_cache(maxsize=8)
def _date(at: datetime) -> str:
    return utc_text(at) + "Z"


@lru_cache(maxsize=8)
def _uri(url: str) -> str:
    return _NOT_IN_URIS.sub(lambda found: f"%{ord(found[0]):02X}", url)
