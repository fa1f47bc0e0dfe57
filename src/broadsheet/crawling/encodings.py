"""Content encodings taken off a body, however often they were put on, without ever holding more than allowed."""

import zlib
from collections.abc import Callable, Generator, Iterator
from importlib import import_module
from typing import Any


def _optional(*names: str) -> Any:  # noqa: ANN401 - a module
    """Return the first of some modules that is there, or None."""
    for name in names:
        try:
            return import_module(name)
        except ImportError:
            continue
    return None


brotli = _optional("brotli", "brotlicffi")
zstd = _optional("compression.zstd", "backports.zstd")

#: Bodies are read and written in pieces of this many bytes: what a decoder leaves of its input it copies.
_CHUNK = 65_536
_GZIP_MAGIC = b"\x1f\x8b"
#: Gzip members or zstd frames in one body. An empty one costs as much as a full one and gives nothing to cap, and
#: nobody cuts a page of 20 MB smaller than that in earnest.
_MOST_PARTS = 1000
#: The largest window that may be sent over HTTP (RFC 9659), as a power of two: what a frame asks for is allocated.
_ZSTD_WINDOW = 23
#: Nobody encodes a page more often in earnest.
_MOST_ENCODINGS = 4
#: Names for no encoding at all, and what servers write here by mistake.
_NONE = frozenset(("", "identity", "none", "utf-8", "utf8", "iso-8859-1", "binary", "8bit", "chunked"))
#: Of a name that is not known, so many characters are told.
_SHOWN = 40


class TooLargeDecompressed(Exception):  # noqa: N818 - it says what is wrong
    """A body would be larger than allowed."""


class CorruptBody(Exception):  # noqa: N818 - it says what is wrong
    """A body is not what its encoding says."""


def decoded(body: bytes, encodings: str, most: int, *, cut: bool = False) -> bytes:
    """Return a body without its encodings, which are named in the order they were put on.

    An empty body has none, whatever is said. With `cut` a body that would be too large ends at `most`.
    """
    names = [name for name in (each.strip().lower() for each in encodings.split(",")) if name not in _NONE]
    if len(names) > _MOST_ENCODINGS:
        raise CorruptBody(f"the body is encoded {len(names)} times")
    for name in reversed(names):
        if not body:
            break
        decoder = _DECODERS.get(name)
        if decoder is None:
            raise CorruptBody(f"the body is encoded in a way that is not known here: {name[:_SHOWN]!a}")
        body = _collected(decoder(body), name, most, cut)
    return body


def accepted() -> str:
    """Return the encodings to ask for: those that can be taken off here."""
    return ", ".join(name for name in ("gzip", "deflate", "br", "zstd") if name in _DECODERS)


def _collected(chunks: Iterator[bytes], name: str, most: int, cut: bool) -> bytes:
    size = 0
    found: list[bytes] = []
    try:
        for chunk in chunks:
            found.append(chunk)
            size += len(chunk)
            if size > most:
                if cut:
                    break
                raise TooLargeDecompressed(f"the body is more than {most:,} bytes without its {name}")
    except _ERRORS as error:
        raise CorruptBody(f"the body is no {name}: {error}") from error
    content = b"".join(found)
    return content[:most] if cut else content


def _gzip(body: bytes) -> Iterator[bytes]:
    """Give the members of a gzip file one after the other; what follows the last is not part of it."""
    at = 0
    for _ in range(_MOST_PARTS):
        if body[at : at + 2] != _GZIP_MAGIC:
            return
        at = yield from _inflated(zlib.decompressobj(wbits=31), body, at)
    if body[at : at + 2] == _GZIP_MAGIC:
        raise CorruptBody(f"the body has more than {_MOST_PARTS:,} gzip members")


def _not_gzip(body: bytes) -> Iterator[bytes]:
    """Give gzip, or the body as it is where a server only says that it is gzip."""
    return _gzip(body) if body[:2] == _GZIP_MAGIC else iter((body,))


def _deflate(body: bytes) -> Iterator[bytes]:
    """Give deflate with its zlib header, or without, as some servers send it."""
    try:
        zlib.decompressobj().decompress(body[:_CHUNK], 1)
    except zlib.error:
        return _inflated(zlib.decompressobj(wbits=-15), body, 0)
    return _inflated(zlib.decompressobj(), body, 0)


def _inflated(inflater: Any, body: bytes, at: int) -> Generator[bytes, None, int]:  # noqa: ANN401 - zlib hides its type
    """Give what one stream holds that begins at an offset, and return where it ends."""
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
        # What was not taken yet the decompressor keeps itself.
        piece = body[at : at + _CHUNK] if decompressor.can_accept_more_data() else b""
        chunk = decompressor.process(piece, output_buffer_limit=_CHUNK)
        at += len(piece)
        # A chunk that was full to the byte is followed by an empty one, with more to come.
        if not (piece or chunk or (decompressor.can_accept_more_data() and at < len(body))):
            break
        yield chunk


def _zstd(body: bytes) -> Iterator[bytes]:
    """Give the frames of a zstd file one after the other."""
    at = 0
    for _ in range(_MOST_PARTS):
        if at >= len(body):
            return
        at = yield from _zstd_frame(body, at)
    if at < len(body):
        raise CorruptBody(f"the body has more than {_MOST_PARTS:,} zstd frames")


def _zstd_frame(body: bytes, at: int) -> Generator[bytes, None, int]:
    """Give what one frame holds that begins at an offset, and return where it ends."""
    decompressor = zstd.ZstdDecompressor(options={zstd.DecompressionParameter.window_log_max: _ZSTD_WINDOW})
    while not decompressor.eof:
        piece = body[at : at + _CHUNK] if decompressor.needs_input else b""
        chunk = decompressor.decompress(piece, _CHUNK)
        at += len(piece)
        # As with brotli.
        if not (piece or chunk or (decompressor.needs_input and at < len(body))):
            break
        yield chunk
    return at - len(decompressor.unused_data)


_DECODERS: dict[str, Callable[[bytes], Iterator[bytes]]] = {"gzip": _not_gzip, "x-gzip": _not_gzip, "deflate": _deflate}
_ERRORS: tuple[type[Exception], ...] = (zlib.error,)
if brotli is not None:
    _DECODERS["br"] = _brotli
    _ERRORS += (brotli.error,)
if zstd is not None:
    _DECODERS["zstd"] = _zstd
    _ERRORS += (zstd.ZstdError,)
