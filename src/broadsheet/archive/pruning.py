"""WARC files without the records of forgotten pages: which bytes of a file stay, and where they lie afterwards."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from broadsheet.archive import parquet_files, scan, warc
from broadsheet.archive.scan import FoundRecord


class KeptPart(NamedTuple):
    """Bytes of a file that stay: from `start` up to `stop`, which lie `shift` bytes further on in another file."""

    start: int
    stop: int
    shift: int = 0


class Answers(NamedTuple):
    """The answers in a WARC file: the bytes at which their records begin, and those of forgotten pages among them."""

    offsets: frozenset[int]
    forgotten: frozenset[int]


def answers(paths: Sequence[Path], warcs: Iterable[str], forgotten: Iterable[str]) -> dict[str, Answers]:
    """Return the answers of each WARC file that holds some of forgotten pages, as files of visits name them."""
    names, keys = pa.array(list(warcs), pa.string()), pa.array(sorted(forgotten), pa.string())
    every: dict[str, set[int]] = {}
    gone: dict[str, set[int]] = {}
    for table in parquet_files.batches("visits", paths):
        chosen = table.filter(pc.is_in(table["warc"], names))
        for found, part in ((every, chosen), (gone, chosen.filter(pc.is_in(chosen["page"], keys)))):
            for name, offset in zip(part["warc"].to_pylist(), part["offset"].to_pylist(), strict=True):
                found.setdefault(name, set()).add(offset)
    return {name: Answers(frozenset(every[name]), frozenset(offsets)) for name, offsets in gone.items()}


def kept_parts(path: Path, found: Answers) -> list[KeptPart]:
    """Return the bytes of an intact file that do not belong to forgotten answers.

    The redirects that led to an answer, and the requests, go with it.
    """
    parts: list[KeptPart] = []
    for record, owner in _owned(scan.records(path), found.offsets):
        if owner in found.forgotten:
            continue
        start, stop = record.offset, record.offset + record.length
        if parts and parts[-1].stop == start:
            parts[-1] = parts[-1]._replace(stop=stop)
        else:
            parts.append(KeptPart(start, stop))
    return parts


def _owned(records: Iterable[FoundRecord], offsets: frozenset[int]) -> Iterator[tuple[FoundRecord, int | None]]:
    """Give each record with the answer that it belongs to, in the order of the file."""
    leading: list[FoundRecord] = []
    answer: FoundRecord | None = None
    for found in records:
        if found.record.type == "warcinfo":
            yield found, None
        elif answer and warc.belongs(found.record, answer.record):
            yield found, answer.offset
        else:
            # The body is not needed any more, and a file may hold more than fits into memory.
            leading.append(found._replace(record=found.record.without_block()))
            if found.offset in offsets:
                answer = leading[-1]
                yield from ((one, found.offset) for one in leading)
                leading = []
    yield from ((one, None) for one in leading)


def laid_out(parts: Mapping[str, Sequence[KeptPart]]) -> dict[str, list[KeptPart]]:
    """Return the parts of files as they lie one after the other in a new file."""
    laid: dict[str, list[KeptPart]] = {}
    end = 0
    for name, kept in parts.items():
        laid[name] = []
        for part in kept:
            laid[name].append(part._replace(shift=end - part.start))
            end += part.stop - part.start
    return laid


def shifted(offsets: NDArray[np.int64], parts: Sequence[KeptPart]) -> NDArray[np.int64]:
    """Return where records lie now that lay at some offsets, each in one of the parts."""
    starts, shifts = (np.array([part[column] for part in parts], dtype=np.int64) for column in (0, 2))
    moved: NDArray[np.int64] = offsets + shifts[np.searchsorted(starts, offsets, side="right") - 1]
    return moved


def divided(lying: KeptPart, parts: Sequence[KeptPart]) -> Iterator[KeptPart]:
    """Give the pieces of a part that lay in a file of which only some parts are left, as they lie now."""
    for part in parts:
        start = max(lying.start, part.start - lying.shift)
        stop = min(lying.stop, part.stop - lying.shift)
        if max(start, 0) < stop:
            yield KeptPart(max(start, 0), stop, lying.shift + part.shift)
