"""What a new article costs the index of near-duplicates, in archives of growing size."""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from broadsheet.archive import Store, likeness_index
from broadsheet.archive.database import Database
from broadsheet.reading import likeness

#: Articles of one commit, as in a crawl, and how many commits are measured.
BATCH, COMMITS = 200, 10
_FILLED_AT_ONCE = 2_000
_SITES = 3_000
#: Shingles of a made-up article.
_SHINGLES = 700


class IndexCost(NamedTuple):
    """CPU milliseconds per article, the cheapest commit and the median one, and bytes of the catalogue per article."""

    articles: int
    best: float
    median: float
    size: float


def measure(folder: Path, sizes: Sequence[int]) -> Iterator[IndexCost]:
    """Fill an archive with made-up sketches, and measure some more commits at each size."""
    Store.open(folder, create=True).close()
    database, chance, number = Database(folder, writable=True), np.random.default_rng(1), 0
    try:
        for size in sizes:
            while number < size:
                some = min(_FILLED_AT_ONCE, size - number)
                _add(database, _sketches(chance, some, number))
                number += some
            costs = []
            for _ in range(COMMITS):
                costs.append(_add(database, _sketches(chance, BATCH, number)) / BATCH * 1000)
                number += BATCH
            yield IndexCost(size, min(costs), float(np.median(costs)), database.path.stat().st_size / number)
    finally:
        database.close()


def _add(database: Database, sketches: dict[str, bytes]) -> float:
    begin = time.process_time()
    with database.writing() as connection:
        likeness_index.add(connection, sketches)
    return time.process_time() - begin


def _sketches(chance: np.random.Generator, number: int, first: int) -> dict[str, bytes]:
    """Return sketches of texts that share nothing: the smallest of so many random hashes."""
    hashes = np.sort(chance.integers(0, 1 << 32, (number, _SHINGLES), dtype=np.uint32), axis=1)[:, : likeness.SIZE]
    return {f"site{(first + row) % _SITES}.example/{first + row}": hashes[row].tobytes() for row in range(number)}
