"""What was sent, without what was put around it to send it: chunks and content encodings of recorded answers.

Some recorders take these off and leave the headers that tell of them, so a body that is not what its headers say
may well be a page as it is.
"""

import re
from importlib import import_module
from io import BytesIO

from broadsheet.base.errors import InputError, TooManyBytes
from broadsheet.crawling.encodings import CorruptBody, TooLargeDecompressed, accepted_encodings, decode_body

_CHUNK_HEAD = re.compile(rb"\r?\n?([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r?\n")
#: Encodings that the WARC reader knows by itself, where no other package does.
_READERS = {"br": "BrotliReader", "zstd": "ZstdReader"}


def plain_body(body: bytes, transfer: str | None, content: str | None, most: int) -> bytes:
    """Return a body without its chunks and encodings; what is too long, or neither encoded nor a page, is refused."""
    if len(body) > most:
        raise TooManyBytes(len(body), most)
    if "chunked" in (transfer or "").lower():
        body = without_chunks(body)
    try:
        return _decoded(body, (content or "").strip().lower(), most)
    except TooLargeDecompressed as error:
        raise TooManyBytes(most + 1, most) from error
    except CorruptBody as error:
        if body.lstrip().startswith(b"<"):
            return body
        raise InputError(str(error)) from error


def without_chunks(body: bytes) -> bytes:
    """Return the chunks of a body put together; a body that does not begin with a chunk is returned as it is."""
    parts: list[bytes] = []
    at = 0
    while head := _CHUNK_HEAD.match(body, at):
        size = int(head[1], 16)
        if not size:
            return b"".join(parts)
        parts.append(body[head.end() : head.end() + size])
        at = head.end() + size
    return b"".join(parts) if parts else body


def _decoded(body: bytes, encodings: str, most: int) -> bytes:
    if encodings in _READERS and encodings not in accepted_encodings():
        reader = getattr(import_module("fastwarc.stream_io"), _READERS[encodings])
        content: bytes = reader(BytesIO(body)).read(most + 1)
        return content
    return decode_body(body, encodings, most)
