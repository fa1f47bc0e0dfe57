"""Gzip members, each one WARC record: compressed, or with a tail that is stored as it is."""

import zlib
from typing import BinaryIO

LEVEL, GZIP = 6, 31
#: The header of a gzip member without a name or a time, written on an unknown system.
_HEADER = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
#: Up to this size zlib gets little memory and a window of just that size, and does not look for long: what it takes by
#: default costs several times as much for a few hundred bytes, and makes them no smaller.
_SMALL_LEVEL, _SMALL_WINDOW, _SMALL_MEMORY = 1, 12, 5
_SMALL_BYTES = 2**_SMALL_WINDOW
#: What zlib adds to the size of a window to say that it writes the header and trailer of a gzip member.
_AS_MEMBER = 16
#: A stored block has a length of 16 bits.
_MAX_STORED = 0xFFFF
#: The bytes of a file that are read to see how a member begins, and those that are read at a time.
_READ_FIRST, _READ_AT_ONCE = 512, 65_536


def compressed(data: bytes) -> bytes:
    """Return a gzip member that holds some bytes."""
    level, window, memory = _effort(data)
    stream = zlib.compressobj(level, wbits=window + _AS_MEMBER, memLevel=memory)
    return stream.compress(data) + stream.flush()


def with_stored_tail(head: bytes, tail: bytes) -> bytes:
    """Return a gzip member that compresses its head and stores its tail, which is compressed already, as it is.

    To compress such data again takes as long as fetching it, and saves nothing.
    """
    level, window, memory = _effort(head)
    stream = zlib.compressobj(level, wbits=-window, memLevel=memory)
    # A full flush ends the compressed blocks at a whole byte, where stored blocks can begin.
    parts: list[bytes | memoryview] = [_HEADER, stream.compress(head), stream.flush(zlib.Z_FULL_FLUSH)]
    view = memoryview(tail)
    for start in range(0, max(len(view), 1), _MAX_STORED):
        block = view[start : start + _MAX_STORED]
        parts += _block_header(len(block), is_last=start + len(block) == len(view)), block
    checksum, length = zlib.crc32(tail, zlib.crc32(head)), (len(head) + len(tail)) % 2**32
    return b"".join((*parts, checksum.to_bytes(4, "little"), length.to_bytes(4, "little")))


def beginning(file: BinaryIO, size: int) -> bytes:
    """Return the first bytes that the next gzip member of a file holds; none where there is no member."""
    try:
        return zlib.decompressobj(GZIP).decompress(file.read(_READ_FIRST), size)
    except zlib.error:
        return b""


def next_member(file: BinaryIO) -> bytes | None:
    """Read the next gzip member of a file, which then stands behind it; None where there is no complete one."""
    start, stream, parts = file.tell(), zlib.decompressobj(GZIP), list[bytes]()
    try:
        while not stream.eof and (part := file.read(_READ_AT_ONCE)):
            stream.decompress(part)
            parts.append(part)
    except zlib.error:
        return None
    if not stream.eof:
        return None
    member = b"".join(parts)
    member = member[: len(member) - len(stream.unused_data)]
    file.seek(start + len(member))
    return member


def _block_header(length: int, *, is_last: bool) -> bytes:
    """Return what stands before a stored block: whether it is the last one, its length, and that length inverted."""
    return bytes((is_last,)) + length.to_bytes(2, "little") + (length ^ 0xFFFF).to_bytes(2, "little")


def _effort(data: bytes) -> tuple[int, int, int]:
    """Return the level for some data, the size of zlib's window, and how much memory it gets, as zlib counts them."""
    if len(data) <= _SMALL_BYTES:
        return _SMALL_LEVEL, _SMALL_WINDOW, _SMALL_MEMORY
    return LEVEL, zlib.MAX_WBITS, zlib.DEF_MEM_LEVEL
