"""Which bytes of a file were kept, in a few bytes: its ranges, as the lengths of what is kept and of the gaps."""

from collections.abc import Iterable, Iterator
from itertools import accumulate

from broadsheet.archive.pruning import KeptPart


def packed(ranges: Iterable[tuple[int, int]]) -> bytes:
    """Return ranges of bytes, in order, as the distances between their ends, seven bits to a byte."""
    ends: list[int] = []
    for start, stop in ranges:
        if ends and ends[-1] == start:
            ends[-1] = stop
        else:
            ends += (start, stop)
    data, before = bytearray(), 0
    for end in ends:
        number, before = end - before, end
        while number > 0x7F:
            data.append(number & 0x7F | 0x80)
            number >>= 7
        data.append(number)
    return bytes(data)


def unpacked(data: bytes) -> list[tuple[int, int]]:
    """Return the ranges that were packed; raise ValueError if the bytes cannot be ranges."""
    ends = list(accumulate(_numbers(data)))
    if not ends or len(ends) % 2 or data[-1] > 0x7F:
        raise ValueError("the ranges of bytes in it are damaged")
    return list(zip(ends[::2], ends[1::2], strict=True))


def lying_parts(kept: bytes | None, base: int, size: int) -> list[KeptPart]:
    """Return the parts that lie in a file of some size; layouts before 7 did not say where a whole one ends."""
    ranges = [(0, size - base)] if kept is None else unpacked(kept)
    return list(laid_parts(ranges, base))


def laid_parts(ranges: Iterable[tuple[int, int]], base: int) -> Iterator[KeptPart]:
    """Give ranges as parts that lie one directly after the other, the first one `base` bytes further on."""
    end: int | None = None
    for start, stop in ranges:
        shift = base if end is None else end - start
        yield KeptPart(start, stop, shift)
        end = stop + shift


def _numbers(data: bytes) -> Iterator[int]:
    number = shift = 0
    for byte in data:
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            yield number
            number = shift = 0
