"""HTTP without sockets: from a page and the headers of a request to the answer, with validators done right."""

import gzip
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime

from broadsheet.base.frozen import FrozenMapping

NO_HEADERS: FrozenMapping[str, str] = FrozenMapping({})

_TAG = re.compile(r'(?:W/)?("[^"]*")')
_QUALITY = re.compile(r"\s*;\s*q\s*=\s*([0-9.]+)\s*", re.IGNORECASE)
_COMPRESSIBLE = ("text/", "application/", "image/svg")
#: Below this length the headers of the encoding cost more than it saves.
_WORTH_COMPRESSING = 256


@dataclass(frozen=True, slots=True)
class Response:
    """An answer: its status, its headers and its body, which is empty for HEAD and for 304."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class ServedContent:
    """What lies at an address: bytes, their type, when they became so, and for how long they may be kept."""

    content_type: str
    body: bytes
    changed: datetime
    max_age: int


def answer(content: ServedContent, at: datetime, headers: Mapping[str, str], method: str = "GET") -> Response:
    """Answer a request for what is there: whole, or 304 where the client has it already."""
    asked = {name.lower(): value for name, value in headers.items()}
    body, encoding = content.body, ""
    if _worth_compressing(content) and _accepts_gzip(asked.get("accept-encoding", "")):
        # No time goes into the compressed form, so that equal pages stay equal bytes.
        body, encoding = gzip.compress(body, mtime=0), "gzip"
    tag = etag(content.body, encoding)
    lasting = {
        "Date": http_date(at),
        "Cache-Control": f"max-age={content.max_age}",
        "ETag": tag,
        "Last-Modified": http_date(content.changed),
        "Vary": "Accept-Encoding",
    }
    if _is_known(asked, tag, content.changed):
        return Response(304, FrozenMapping(lasting), b"")
    described = {"Content-Type": content.content_type, "Content-Length": str(len(body))}
    if encoding:
        described["Content-Encoding"] = encoding
    return Response(200, FrozenMapping({**lasting, **described}), b"" if method == "HEAD" else body)


def failure(
    status: int, body: bytes, at: datetime, method: str = "GET", extra: Mapping[str, str] = NO_HEADERS
) -> Response:
    """Answer with anything but the page that was asked for; it has no validators, and nobody should keep it."""
    headers = {
        "Date": http_date(at),
        "Cache-Control": "no-store",
        "Content-Type": "text/plain; charset=utf-8",
        "Content-Length": str(len(body)),
        **extra,
    }
    return Response(status, FrozenMapping(headers), b"" if method == "HEAD" else body)


def etag(body: bytes, encoding: str = "") -> str:
    """Return the strong tag of a body; each encoding is a representation of its own and has its own tag."""
    digest = hashlib.blake2b(body, digest_size=12).hexdigest()
    return f'"{digest}-{encoding}"' if encoding else f'"{digest}"'


def http_date(moment: datetime) -> str:
    """Write a time as HTTP does."""
    return format_datetime(moment.astimezone(UTC), usegmt=True)


def _is_known(asked: Mapping[str, str], tag: str, changed: datetime) -> bool:
    """Say whether the client has this already; its tags count alone where it sends any."""
    if (tags := asked.get("if-none-match")) is not None:
        return tags.strip() == "*" or tag in _TAG.findall(tags)
    if since := _moment(asked.get("if-modified-since", "")):
        return changed.replace(microsecond=0) <= since
    return False


def _moment(text: str) -> datetime | None:
    """Read the time of a header; what cannot be read is as good as not sent."""
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _worth_compressing(content: ServedContent) -> bool:
    return len(content.body) >= _WORTH_COMPRESSING and content.content_type.startswith(_COMPRESSIBLE)


def _accepts_gzip(accepted: str) -> bool:
    """Say whether gzip may be sent: it, or failing that any encoding, is named with a quality above nought."""
    qualities = {}
    for part in accepted.split(","):
        name, mark, rest = part.partition(";")
        quality = _QUALITY.fullmatch(mark + rest)
        qualities[name.strip().lower()] = quality is None or quality[1].strip("0.") != ""
    return qualities.get("gzip", qualities.get("*", False))
