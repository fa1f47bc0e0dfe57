"""HTTP without sockets: builds responses, with correct validators, from a page and the headers of a request."""

import gzip
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime

from broadsheet.base.frozen import FrozenMapping
from broadsheet.newsweb.site_knobs import Validators

NO_HEADERS: FrozenMapping[str, str] = FrozenMapping({})

_ENTITY_TAG = re.compile(r'(?:W/)?("[^"]*")')
_QUALITY = re.compile(r"\s*;\s*q\s*=\s*([0-9.]+)\s*", re.IGNORECASE)
_COMPRESSIBLE = ("text/", "application/", "image/svg")
#: For shorter bodies, the headers of a compressed response take more than compression saves.
_MIN_COMPRESSED_LENGTH = 256


@dataclass(frozen=True, slots=True)
class Response:
    """An HTTP response; the body is empty for HEAD requests and for status 304.

    In a simulated crawl, so many `seconds` pass before it is there.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class ServedContent:
    """The content at a URL: its type, its bytes, when they last changed, and for how long they may be cached."""

    content_type: str
    body: bytes
    changed: datetime
    max_age: int
    validators: Validators = "good"


def answer(content: ServedContent, at: datetime, headers: Mapping[str, str], method: str = "GET") -> Response:
    """Return the content with status 200, or status 304 if the client already has it, or seems to."""
    request_headers = {name.lower(): value for name, value in headers.items()}
    body, encoding = content.body, ""
    if _is_compressible(content) and _accepts_gzip(request_headers.get("accept-encoding", "")):
        # A constant modification time keeps equal pages equal when compressed.
        body, encoding = gzip.compress(body, mtime=0), "gzip"
    tag, changed = _validators(content, at, encoding)
    common_headers = {
        "Date": http_date(at),
        "Cache-Control": f"max-age={content.max_age}",
        "ETag": tag,
        "Last-Modified": http_date(changed),
        "Vary": "Accept-Encoding",
    }
    if content.validators == "none":
        del common_headers["ETag"], common_headers["Last-Modified"]
    elif _is_not_modified(request_headers, tag, changed):
        return Response(304, FrozenMapping(common_headers), b"")
    content_headers = {"Content-Type": content.content_type, "Content-Length": str(len(body))}
    if encoding:
        content_headers["Content-Encoding"] = encoding
    return Response(200, FrozenMapping({**common_headers, **content_headers}), b"" if method == "HEAD" else body)


def _validators(content: ServedContent, at: datetime, encoding: str) -> tuple[str, datetime]:
    """Return the entity tag and the time of the last change that the response states."""
    match content.validators:
        case "restless":
            return etag(at.isoformat().encode(), encoding), at
        case "lazy":
            midnight = at.replace(hour=0, minute=0, second=0, microsecond=0)
            return etag(midnight.isoformat().encode(), encoding), midnight
        case _:
            return etag(content.body, encoding), content.changed


def failure(
    status: int, body: bytes, at: datetime, method: str = "GET", extra: Mapping[str, str] = NO_HEADERS
) -> Response:
    """Return an error or a redirect: a response without validators that must not be cached."""
    headers = {
        "Date": http_date(at),
        "Cache-Control": "no-store",
        "Content-Type": "text/plain; charset=utf-8",
        "Content-Length": str(len(body)),
        **extra,
    }
    return Response(status, FrozenMapping(headers), b"" if method == "HEAD" else body)


def etag(body: bytes, encoding: str = "") -> str:
    """Return the strong entity tag of a body; each encoding is a separate representation with its own tag."""
    digest = hashlib.sha256(body).hexdigest()[:24]
    return f'"{digest}-{encoding}"' if encoding else f'"{digest}"'


def http_date(moment: datetime) -> str:
    """Format a time as an HTTP date."""
    return format_datetime(moment.astimezone(UTC), usegmt=True)


def _is_not_modified(request_headers: Mapping[str, str], tag: str, changed: datetime) -> bool:
    """Return whether the client has the current version; `If-None-Match` takes precedence."""
    if (tags := request_headers.get("if-none-match")) is not None:
        return tags.strip() == "*" or tag in _ENTITY_TAG.findall(tags)
    if since := _parse_http_date(request_headers.get("if-modified-since", "")):
        return changed.replace(microsecond=0) <= since
    return False


def _parse_http_date(text: str) -> datetime | None:
    """Parse the date in a header; an invalid one is ignored."""
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _is_compressible(content: ServedContent) -> bool:
    # A file that is compressed already would not become shorter.
    is_text = content.content_type.startswith(_COMPRESSIBLE) and content.content_type != "application/gzip"
    return len(content.body) >= _MIN_COMPRESSED_LENGTH and is_text


def _accepts_gzip(accepted: str) -> bool:
    """Return whether `Accept-Encoding` allows gzip, by name or else by `*`, with a quality above zero."""
    qualities = {}
    for part in accepted.split(","):
        name, separator, parameters = part.partition(";")
        quality = _QUALITY.fullmatch(separator + parameters)
        qualities[name.strip().lower()] = quality is None or quality[1].strip("0.") != ""
    return qualities.get("gzip", qualities.get("*", False))
