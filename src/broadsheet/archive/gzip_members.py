"""Gzip members, each one WARC record: compressed, or with a tail that is stored as it is."""

import zlib

LEVEL, GZIP = 6, 31
#: The header of a gzip member without a name or a time, written on an unknown system.
_HEADER = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
#: Up to this size zlib gets little memory: to clear what it takes by default costs several times the compression of a
#: few hundred bytes, and makes them no smaller.
_SMALL_BYTES, _SMALL_MEMORY, _MEMORY = 4096, 5, zlib.DEF_MEM_LEVEL
#: A stored block has a length of 16 bits.
_MOST_STORED = 0xFFFF


def compressed(data: bytes) -> bytes:
    """Return a gzip member that holds some bytes."""
    stream = zlib.compressobj(LEVEL, wbits=GZIP, memLevel=_memory(data))
    return stream.compress(data) + stream.flush()


def with_stored_tail(head: bytes, tail: bytes) -> bytes:
    """Return a gzip member that compresses its head and stores its tail, which is compressed already, as it is.

    To compress such data again takes as long as fetching it, and saves nothing.
    """
    stream = zlib.compressobj(LEVEL, wbits=-zlib.MAX_WBITS, memLevel=_memory(head))
    # A full flush ends the compressed blocks at a whole byte, where stored blocks can begin.
    parts: list[bytes | memoryview] = [_HEADER, stream.compress(head), stream.flush(zlib.Z_FULL_FLUSH)]
    view = memoryview(tail)
    for start in range(0, max(len(view), 1), _MOST_STORED):
        block = view[start : start + _MOST_STORED]
        parts += _block_header(len(block), is_last=start + len(block) == len(view)), block
    checksum, length = zlib.crc32(tail, zlib.crc32(head)), (len(head) + len(tail)) % 2**32
    return b"".join((*parts, checksum.to_bytes(4, "little"), length.to_bytes(4, "little")))


def _block_header(length: int, *, is_last: bool) -> bytes:
    """Return what stands before a stored block: whether it is the last one, its length, and that length inverted."""
    return bytes((is_last,)) + length.to_bytes(2, "little") + (length ^ 0xFFFF).to_bytes(2, "little")


def _memory(data: bytes) -> int:
    return _SMALL_MEMORY if len(data) <= _SMALL_BYTES else _MEMORY
