"""WARC files without the records that go: which bytes of a file stay, and where they lie afterwards."""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from broadsheet.archive import parquet_files, scan, warc
from broadsheet.archive.scan import FoundRecord

Visits = NDArray[np.int64]
NO_VISITS: Visits = np.zeros(0, dtype=np.int64)


class Omission(NamedTuple):
    """What is left out when files are rewritten."""

    #: The keys of forgotten pages: nothing of them stays.
    pages: Collection[str] = ()
    #: Visits whose responses go; their rows stay.
    responses: Visits = NO_VISITS
    #: Visits whose link occurrences go.
    links: Visits = NO_VISITS
    #: Visits whose rows go, of which nothing else is left.
    rows: Visits = NO_VISITS


class KeptPart(NamedTuple):
    """Bytes of a file that stay: from `start` up to `stop`, which lie `shift` bytes further on in another file."""

    start: int
    stop: int
    shift: int = 0


class Answers(NamedTuple):
    """The answers in a WARC file: the bytes at which their records begin, and those among them that go."""

    offsets: frozenset[int]
    omitted: frozenset[int]


def answers(paths: Sequence[Path], warcs: Iterable[str], omission: Omission) -> dict[str, Answers]:
    """Return the answers of each WARC file that holds some that go, as files of visits name them."""
    names, keys = pa.array(list(warcs), pa.string()), pa.array(sorted(omission.pages), pa.string())
    every: dict[str, set[int]] = {}
    gone: dict[str, set[int]] = {}
    for table in parquet_files.batches("visits", paths):
        chosen = table.filter(pc.is_in(table["warc"], names))
        is_gone = pc.is_in(chosen["page"], keys).to_numpy() | np.isin(chosen["visit"].to_numpy(), omission.responses)
        for found, part in ((every, chosen), (gone, chosen.filter(pa.array(is_gone)))):
            for name, offset in zip(part["warc"].to_pylist(), part["offset"].to_pylist(), strict=True):
                found.setdefault(name, set()).add(offset)
    return {name: Answers(frozenset(every[name]), frozenset(offsets)) for name, offsets in gone.items()}


def kept_parts(path: Path, found: Answers) -> list[KeptPart]:
    """Return the bytes of an intact file that do not belong to answers that go.

    The redirects that led to an answer, and the requests, go with it, and so does the description of answers that all
    go.
    """
    parts: list[KeptPart] = []
    for record in _described(_owned(scan.records(path), found.offsets), found.omitted):
        start, stop = record.offset, record.offset + record.length
        if parts and parts[-1].stop == start:
            parts[-1] = parts[-1]._replace(stop=stop)
        else:
            parts.append(KeptPart(start, stop))
    return parts


def _described(owned: Iterable[tuple[FoundRecord, int | None]], omitted: frozenset[int]) -> Iterator[FoundRecord]:
    """Give the records that stay; a `warcinfo` record only if something stays that it describes."""
    description: FoundRecord | None = None
    for record, owner in owned:
        if record.record.type == "warcinfo":
            description = record
        elif owner not in omitted:
            if description is not None:
                yield description
                description = None
            yield record


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


def are_kept(offsets: NDArray[np.int64], parts: Sequence[KeptPart]) -> NDArray[np.bool_]:
    """Say of records at some offsets whether they lie in one of the parts."""
    starts, stops = (np.array([part[column] for part in parts], dtype=np.int64) for column in (0, 1))
    places = np.searchsorted(starts, offsets, side="right") - 1
    kept: NDArray[np.bool_] = (places >= 0) & (offsets < stops[places])
    return kept


def divided(lying: Iterable[KeptPart], parts: Sequence[KeptPart]) -> Iterator[KeptPart]:
    """Give the pieces of parts that lay in a file of which only some parts are left, as they lie now; all in order."""
    for part in lying:
        place = bisect_right(parts, part.start + part.shift, key=lambda kept: kept.stop)
        while place < len(parts) and parts[place].start < part.stop + part.shift:
            kept = parts[place]
            start, stop = max(part.start, kept.start - part.shift), min(part.stop, kept.stop - part.shift)
            yield KeptPart(start, stop, part.shift + kept.shift)
            place += 1
