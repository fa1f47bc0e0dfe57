"""Which neighbouring files are merged: similar ones when they are many, so that each byte is rewritten a few times."""

from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate, groupby

from broadsheet.archive.catalogued_files import FileRow

#: The most neighbouring files of similar size that are left as they are.
MAX_FILES = 16
#: A WARC file of this size is not merged any more, so none becomes larger than twice this by merging.
FULL_BYTES = 512_000_000
#: Parquet is denser: a file of link occurrences is full at this fraction of a WARC file.
_PARQUET_SHARE = 8
#: A merged file is at least this many times as large as its largest part, for each file that may be left alone.
_MIN_GROWTH = 0.25
#: Files that are not full are merged, whatever their sizes, when they are this many times as many as may be left.
_TOO_MANY = 4


def due(files: Sequence[FileRow], most: int, full: int, unsound: Collection[str] = ()) -> Sequence[FileRow]:
    """Return the neighbours to merge now; none while there are few, and never an unsound one.

    Merging makes a byte's file several times as large, or full, so the number of times that a byte is rewritten grows
    with the logarithm of the size of a full file.
    """
    for is_left, neighbours in groupby(files, key=lambda file: file.size >= full or file.name in unsound):
        chosen = () if is_left else _chosen(list(neighbours), max(most, 1) + 1, full)
        if chosen:
            return chosen
    return ()


def full_size(kind: str, full: int) -> int:
    """Return the size at which a file of a kind is full, given that of a WARC file."""
    return full if kind == "warc" else full // _PARQUET_SHARE


def _chosen(files: list[FileRow], fan_in: int, full: int) -> Sequence[FileRow]:
    """Return the neighbours to merge, of files none of which is full."""
    sizes = list(accumulate(file.size for file in files))
    if len(files) > 1 and sizes[-1] >= full:
        return files[: 1 + next(end for end, size in enumerate(sizes) if size >= full and end)]
    if len(files) > _TOO_MANY * fan_in:
        starts = range(len(files) - fan_in + 1)
        cheapest = min(starts, key=lambda start: sum(file.size for file in files[start : start + fan_in]))
        return files[cheapest : cheapest + fan_in]
    similar = (window for start in range(len(files)) for window in _similar(files[start:], fan_in))
    return next(similar, ())


def _similar(files: list[FileRow], fan_in: int) -> Iterator[Sequence[FileRow]]:
    """Give the longest run of files from the first on that is much larger than any of them, if there is one."""
    total, largest, found = 0, 0, 0
    for number, file in enumerate(files, 1):
        total, largest = total + file.size, max(largest, file.size)
        if number >= fan_in and total >= _MIN_GROWTH * fan_in * largest:
            found = number
    if found:
        yield files[:found]
