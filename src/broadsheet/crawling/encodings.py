"""Decode content encodings, nested ones too, without ever holding more bytes than allowed."""

import zlib
from collections.abc import Callable, Generator, Iterator
from importlib import import_module
from typing import Any


def _optional(*names: str) -> Any:  # noqa: ANN401 - a module
    """Return the first module that is installed, or None."""
    for name in names:
        try:
            return import_module(name)
        except ImportError:
            continue
    return None


brotli = _optional("brotli", "brotlicffi")
zstd = _optional("compression.zstd", "backports.zstd")

#: Bodies are decoded in pieces of this many bytes, because a decoder copies the input that it leaves unread.
_CHUNK = 65_536
_GZIP_MAGIC = b"\x1f\x8b"
#: Gzip members or zstd frames in one body. Empty ones cost as much as full ones but add nothing to the output, so the
#: cap on bytes does not bound them; no real page of 20 MB has more.
_MAX_PARTS = 1000
#: The largest window allowed over HTTP (RFC 9659), as a power of two; the decoder allocates what a frame asks for.
_ZSTD_WINDOW = 23
#: More nested encodings than any real page has.
_MAX_ENCODINGS = 4
#: Names that mean no content encoding, including those that servers put here by mistake.
_IDENTITY = frozenset(("", "identity", "none", "utf-8", "utf8", "iso-8859-1", "binary", "8bit", "chunked"))
#: How many characters of an unknown encoding's name an error quotes.
_MAX_QUOTED = 40


class TooLargeDecompressed(Exception):  # noqa: N818 - named after what is wrong
    """A decoded body would be larger than allowed."""


class CorruptBody(Exception):  # noqa: N818 - named after what is wrong
    """A body is not encoded the way its headers claim."""


def decode_body(body: bytes, encodings: str, max_bytes: int, *, truncate: bool = False) -> bytes:
    """Decode a body; `encodings` are those of `Content-Encoding`, in the order in which they were applied.

    An empty body is returned as it is. With `truncate`, a body that would be too large is cut at `max_bytes`.
    """
    names = [name for name in map(str.strip, encodings.lower().split(",")) if name not in _IDENTITY]
    if len(names) > _MAX_ENCODINGS:
        raise CorruptBody(f"the body has {len(names)} nested content encodings; at most {_MAX_ENCODINGS} are allowed")
    for name in reversed(names):
        if not body:
            break
        decoder = _DECODERS.get(name)
        if decoder is None:
            raise CorruptBody(f"the content encoding {name[:_MAX_QUOTED]!a} is not supported")
        body = _join(decoder(body), name, max_bytes, truncate)
    return body


def accepted_encodings() -> str:
    """Return the value for `Accept-Encoding`: the encodings that can be decoded here."""
    return ", ".join(name for name in ("gzip", "deflate", "br", "zstd") if name in _DECODERS)


def _join(chunks: Iterator[bytes], name: str, max_bytes: int, truncate: bool) -> bytes:
    size = 0
    pieces: list[bytes] = []
    try:
        for chunk in chunks:
            pieces.append(chunk)
            size += len(chunk)
            if size > max_bytes:
                if truncate:
                    break
                raise TooLargeDecompressed(f"the body is larger than {max_bytes:,} bytes after decoding its {name}")
    except _ERRORS as error:
        raise CorruptBody(f"the body is not valid {name}: {error}") from error
    content = b"".join(pieces)
    return content[:max_bytes] if truncate else content


def _gzip(body: bytes) -> Iterator[bytes]:
    """Yield the content of all gzip members; trailing garbage is ignored."""
    at = 0
    for _ in range(_MAX_PARTS):
        if body[at : at + 2] != _GZIP_MAGIC:
            return
        at = yield from _inflate(zlib.decompressobj(wbits=31), body, at)
    if body[at : at + 2] == _GZIP_MAGIC:
        raise CorruptBody(f"the body has more than {_MAX_PARTS:,} gzip members")


def _gzip_or_plain(body: bytes) -> Iterator[bytes]:
    """Decode gzip, or pass the body through if it is not gzip, as some servers send it."""
    return _gzip(body) if body[:2] == _GZIP_MAGIC else iter((body,))


def _deflate(body: bytes) -> Iterator[bytes]:
    """Decode deflate, with its zlib header or without, as some servers send it."""
    try:
        zlib.decompressobj().decompress(body[:_CHUNK], 1)
    except zlib.error:
        return _inflate(zlib.decompressobj(wbits=-15), body, 0)
    return _inflate(zlib.decompressobj(), body, 0)


def _inflate(inflater: Any, body: bytes, at: int) -> Generator[bytes, None, int]:  # noqa: ANN401 - zlib hides its type
    """Yield the content of the stream at an offset, and return the offset of its end."""
    while not inflater.eof:
        piece = body[at : at + _CHUNK]
        chunk = inflater.decompress(piece, _CHUNK)
        if not piece and not chunk:
            break
        at += len(piece) - len(inflater.unconsumed_tail) - len(inflater.unused_data)
        yield chunk
    return at


def _brotli(body: bytes) -> Iterator[bytes]:
    decompressor = brotli.Decompressor()
    at = 0
    while not decompressor.is_finished():
        # The decompressor itself buffers input that it has not consumed.
        piece = body[at : at + _CHUNK] if decompressor.can_accept_more_data() else b""
        chunk = decompressor.process(piece, output_buffer_limit=_CHUNK)
        at += len(piece)
        # An empty chunk does not mean the end: one follows each chunk that filled the output buffer exactly.
        if not (piece or chunk or (decompressor.can_accept_more_data() and at < len(body))):
            break
        yield chunk


def _zstd(body: bytes) -> Iterator[bytes]:
    """Yield the content of all zstd frames."""
    at = 0
    for _ in range(_MAX_PARTS):
        if at >= len(body):
            return
        at = yield from _zstd_frame(body, at)
    if at < len(body):
        raise CorruptBody(f"the body has more than {_MAX_PARTS:,} zstd frames")


def _zstd_frame(body: bytes, at: int) -> Generator[bytes, None, int]:
    """Give what one frame holds that begins at an offset, and return where it ends."""
    decompressor = zstd.ZstdDecompressor(options={zstd.DecompressionParameter.window_log_max: _ZSTD_WINDOW})
    while not decompressor.eof:
        piece = body[at : at + _CHUNK] if decompressor.needs_input else b""
        chunk = decompressor.decompress(piece, _CHUNK)
        at += len(piece)
        # As with brotli: an empty chunk does not mean the end.
        if not (piece or chunk or (decompressor.needs_input and at < len(body))):
            break
        yield chunk
    return at - len(decompressor.unused_data)


_DECODERS: dict[str, Callable[[bytes], Iterator[bytes]]] = {
    "gzip": _gzip_or_plain,
    "x-gzip": _gzip_or_plain,
    "deflate": _deflate,
}
_ERRORS: tuple[type[Exception], ...] = (zlib.error,)
if brotli is not None:
    _DECODERS["br"] = _brotli
    _ERRORS += (brotli.error,)
if zstd is not None:
    _DECODERS["zstd"] = _zstd
    _ERRORS += (zstd.ZstdError,)
