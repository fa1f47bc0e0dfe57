"""Remove transfer and content encodings from the bodies of recorded responses.

Some recorders decode the body but keep the original headers, so a body that does not match its headers may be a plain
page.
"""

import re
from importlib import import_module
from io import BytesIO

from broadsheet.base.errors import InputError, TooManyBytes
from broadsheet.crawling.encodings import CorruptBody, TooLargeDecompressed, accepted_encodings, decode_body

_CHUNK_HEAD = re.compile(rb"\r?\n?([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r?\n")
#: Encodings that the WARC reader can decode if no other package is installed for them.
_READERS = {"br": "BrotliReader", "zstd": "ZstdReader"}


def decode_record_body(body: bytes, transfer: str | None, content: str | None, max_bytes: int) -> bytes:
    """Return the decoded body; raise `InputError` if it is too long, or neither encoded as declared nor a page."""
    if len(body) > max_bytes:
        raise TooManyBytes(len(body), max_bytes)
    if "chunked" in (transfer or "").lower():
        body = join_chunks(body)
    try:
        return _decode(body, (content or "").strip().lower(), max_bytes)
    except TooLargeDecompressed as error:
        raise TooManyBytes(max_bytes + 1, max_bytes) from error
    except CorruptBody as error:
        if body.lstrip().startswith(b"<"):
            return body
        raise InputError(str(error)) from error


def join_chunks(body: bytes) -> bytes:
    """Join the chunks of a body; return it unchanged if it does not start with a chunk."""
    parts: list[bytes] = []
    position = 0
    while head := _CHUNK_HEAD.match(body, position):
        size = int(head[1], 16)
        if not size:
            return b"".join(parts)
        parts.append(body[head.end() : head.end() + size])
        position = head.end() + size
    return b"".join(parts) if parts else body


def _decode(body: bytes, encodings: str, max_bytes: int) -> bytes:
    if encodings in _READERS and encodings not in accepted_encodings():
        reader = getattr(import_module("fastwarc.stream_io"), _READERS[encodings])
        content: bytes = reader(BytesIO(body)).read(max_bytes + 1)
        return content
    return decode_body(body, encodings, max_bytes)
