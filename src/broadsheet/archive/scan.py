"""Every intact record of a WARC file, also of one that is damaged in places."""

import zlib
from collections.abc import Iterator
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import NamedTuple

from broadsheet.archive import warc

_MAGIC = b"\x1f\x8b\x08"
_GZIP = 31
#: Fed to the decompressor at a time: what lies behind a member is copied by it.
_CHUNK = 65_536


class FoundRecord(NamedTuple):
    """A record that can be read and agrees with its digests, and which bytes of the file it is."""

    offset: int
    length: int
    record: warc.Record


def records(path: Path) -> Iterator[FoundRecord]:
    """Give the intact records of a file in their order; what lies between them is passed over."""
    if not path.stat().st_size:
        return
    # Mapped, because a file may be larger than what there is of memory.
    with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
        offset = 0
        while 0 <= offset < len(data):
            length = _member_length(data, offset)
            found = _record(data[offset : offset + length]) if length else None
            if found is None:
                offset = data.find(_MAGIC, offset + 1)
                continue
            yield FoundRecord(offset, length, found)
            offset += length


def _record(member: bytes) -> warc.Record | None:
    try:
        record = warc.record(member)
    except warc.RecordError:
        return None
    return record if warc.problem(record) is None else None


def _member_length(data: mmap, offset: int) -> int:
    """Return how long the gzip member at an offset is; 0 where there is none, or a damaged one."""
    stream, at = zlib.decompressobj(_GZIP), offset
    try:
        while not stream.eof and at < len(data):
            stream.decompress(data[at : at + _CHUNK])
            at += _CHUNK
    except zlib.error:
        return 0
    return min(at, len(data)) - len(stream.unused_data) - offset if stream.eof else 0
