"""Content encodings taken off a body, however often they were put on, without ever holding more than allowed."""

import zlib
from collections.abc import Callable, Iterator
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

_CHUNK = 65_536
#: The largest window that may be sent over HTTP (RFC 9659), as a power of two: what a frame asks for is allocated.
_ZSTD_WINDOW = 23
#: Nobody encodes a page more often in earnest.
_MOST_ENCODINGS = 4


class TooLargeDecompressed(Exception):  # noqa: N818 - it says what is wrong
    """A body would be larger than allowed."""


class CorruptBody(Exception):  # noqa: N818 - it says what is wrong
    """A body is not what its encoding says."""


def decoded(body: bytes, encodings: str, most: int, *, cut: bool = False) -> bytes:
    """Return a body without its encodings, which are named in the order they were put on.

    An encoding that nobody knows is left on, and so is what lies below it. With `cut` a body that would be too
    large ends at `most`.
    """
    names = [name.strip().lower() for name in encodings.split(",") if name.strip()]
    if len(names) > _MOST_ENCODINGS:
        raise CorruptBody(f"the body is encoded {len(names)} times")
    for name in reversed(names):
        decoder = _DECODERS.get(name)
        if decoder is None or not body:
            break
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
    while body[:2] == b"\x1f\x8b":
        inflater = zlib.decompressobj(wbits=31)
        yield from _zlib(inflater, body)
        body = inflater.unused_data


def _not_gzip(body: bytes) -> Iterator[bytes]:
    """Give gzip, or the body as it is where a server only says that it is gzip."""
    return _gzip(body) if body[:2] == b"\x1f\x8b" else iter((body,))


def _deflate(body: bytes) -> Iterator[bytes]:
    """Give deflate with its zlib header, or without, as some servers send it."""
    try:
        zlib.decompressobj().decompress(body, 1)
    except zlib.error:
        return _zlib(zlib.decompressobj(wbits=-15), body)
    return _zlib(zlib.decompressobj(), body)


def _zlib(inflater: Any, body: bytes) -> Iterator[bytes]:  # noqa: ANN401 - zlib does not name its type
    while chunk := inflater.decompress(body, _CHUNK):
        yield chunk
        body = inflater.unconsumed_tail


def _brotli(body: bytes) -> Iterator[bytes]:
    decompressor = brotli.Decompressor()
    while chunk := decompressor.process(body, output_buffer_limit=_CHUNK):
        yield chunk
        body = b""


def _zstd(body: bytes) -> Iterator[bytes]:
    """Give the frames of a zstd file one after the other."""
    while body:
        decompressor = zstd.ZstdDecompressor(options={zstd.DecompressionParameter.window_log_max: _ZSTD_WINDOW})
        while not decompressor.eof and (chunk := decompressor.decompress(body, _CHUNK)):
            yield chunk
            body = b""
        body = decompressor.unused_data


_DECODERS: dict[str, Callable[[bytes], Iterator[bytes]]] = {"gzip": _not_gzip, "x-gzip": _not_gzip, "deflate": _deflate}
_ERRORS: tuple[type[Exception], ...] = (zlib.error,)
if brotli is not None:
    _DECODERS["br"] = _brotli
    _ERRORS += (brotli.error,)
if zstd is not None:
    _DECODERS["zstd"] = _zstd
    _ERRORS += (zstd.ZstdError,)
