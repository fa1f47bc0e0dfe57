"""Visits for tests: pages with collections of links, written as short lists."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from broadsheet.archive.parquet_files import OCCURRENCES, VISITS
from broadsheet.sources.link_history import LinkVisit

HOUR = 3600.0
#: The collections of a page by their numbers, with their targets in order; None for a page that was not fetched.
Lists = Mapping[int, Sequence[str]] | None


def visit(page: str, snapshot: int, lists: Lists, minute: int = 0) -> LinkVisit:
    """Return a visit of a page in a snapshot, one hour after the previous one."""
    at = snapshot * HOUR + minute * 60
    if lists is None:
        return LinkVisit(page, at, snapshot, None)
    return LinkVisit(
        page,
        at,
        snapshot,
        [target for targets in lists.values() for target in targets],
        np.array([number for number, targets in lists.items() for _ in targets], np.uint64),
        np.array([place for targets in lists.values() for place in range(len(targets))], np.int32),
    )


def write_parquet(
    visits: Sequence[LinkVisit], folder: Path, same_as: Mapping[int, int] = MappingProxyType({})
) -> tuple[list[Path], list[Path]]:
    """Write visits as an archive does, and return the files of visits and of occurrences.

    Visits are numbered from 1. `same_as` gives the earlier visit that has the links of a later one.
    """
    seen = [
        {
            "visit": number,
            "page": each.page,
            "url": each.page,
            "source": "news",
            "fetched_at": datetime.fromtimestamp(each.at, UTC),
            "status": 503 if each.targets is None else 200,
            "bytes": 0,
            "warc": "",
            "offset": 0,
            "length": 0,
            "same_as": same_as.get(number),
        }
        for number, each in enumerate(visits, 1)
    ]
    links = [
        {
            "visit": number,
            "page": each.page,
            "target": target,
            "url": target,
            "collection": str(collection),
            "position": position,
            "path": "",
            "collection_version": 1,
        }
        for number, each in enumerate(visits, 1)
        if number not in same_as
        for target, collection, position in zip(
            each.targets or (), each.collections.tolist(), each.positions.tolist(), strict=True
        )
    ]
    files = folder / "visits.parquet", folder / "occurrences.parquet"
    pq.write_table(pa.Table.from_pylist(seen, VISITS), files[0])
    pq.write_table(pa.Table.from_pylist(links, OCCURRENCES), files[1])
    return [files[0]], [files[1]]
