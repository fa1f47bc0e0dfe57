"""The visits of a source with the links that they found, read back in the order of time."""

from collections.abc import Collection, Iterator
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from broadsheet.archive import parquet_files, tombstones, visits
from broadsheet.archive.catalogued_files import FileRow
from broadsheet.archive.link_rows import LinkRows
from broadsheet.archive.page_records import VisitReason
from broadsheet.archive.shards import shard_of
from broadsheet.archive.warc_reading import Asking

#: The links of so many visits are in memory at a time.
VISITS_AT_ONCE = 200
_VISIT_COLUMNS = ("visit", "page", "fetched_at", "status", "same_as")
_LINK_COLUMNS = ("visit", "target", "url", "collection", "position", "path", "anchor", "collection_version")
_FOUND = (200, 299)


class LinkingVisit(NamedTuple):
    """A visit of a page that was fetched, and what it links to."""

    page: str
    at: datetime
    #: The visit that found the links: an earlier one if the page has not changed since.
    origin: int
    links: LinkRows


def linking_visits(
    folder: Path, ask: Asking, source: str, pages: Collection[str], since: datetime
) -> Iterator[LinkingVisit]:
    """Give the visits that were made for a source, or to some pages for any source, with their links.

    Feeds are left out, and so are visits whose links were not kept, or are kept no longer: what those pages linked to
    is unknown. Links to forgotten pages are left out.
    """
    seen = _visits(folder, ask, source, pages, since)
    forgotten = ask(tombstones.forgotten_pages)
    links: dict[int, LinkRows] = {}
    for begin in range(0, len(seen), VISITS_AT_ONCE):
        some = seen[begin : begin + VISITS_AT_ONCE]
        # What a page linked to is needed again for as long as it does not change.
        needed = {row["origin"] for row in some}
        links = {visit: rows for visit, rows in links.items() if visit in needed}
        links |= _links(folder, ask, needed - links.keys(), forgotten)
        for row in some:
            if row["origin"] in links:
                yield LinkingVisit(row["page"], row["fetched_at"], row["origin"], links[row["origin"]])


def _visits(folder: Path, ask: Asking, source: str, pages: Collection[str], since: datetime) -> list[dict[str, Any]]:
    first = visits.first_since(folder, ask, since)

    def may_hold(file: FileRow) -> bool:
        return file.last_visit >= first.get(shard_of(file.last_visit), file.last_visit + 1)

    is_own = (pc.field("source") == source) | pc.field("page").isin(pa.array(sorted(pages), pa.string()))
    is_page = pc.field("why").is_null() | (pc.field("why") != VisitReason.FEED.value)
    condition = (pc.field("fetched_at") >= pa.scalar(since, pa.timestamp("us", tz="UTC"))) & is_own & is_page
    rows = visits.matching(folder, ask, "visits", may_hold, condition, _VISIT_COLUMNS).to_pylist()
    found = [
        {**row, "origin": row["visit"] if row["same_as"] is None else row["same_as"]}
        for row in rows
        if row["same_as"] is not None or _FOUND[0] <= row["status"] <= _FOUND[1]
    ]
    return sorted(found, key=lambda row: (row["fetched_at"], row["visit"]))


def _links(folder: Path, ask: Asking, wanted: Collection[int], forgotten: Collection[str]) -> dict[int, LinkRows]:
    """Return what some visits found, by visit."""
    if not wanted:
        return {}
    first, last = min(wanted), max(wanted)
    number = pc.field("visit")
    condition = (number >= first) & (number <= last) & number.isin(pa.array(sorted(wanted), pa.int64()))
    condition &= parquet_files.is_remembered("occurrences", forgotten)

    def may_hold(file: FileRow) -> bool:
        return file.first_visit <= last and first <= file.last_visit

    table = visits.matching(folder, ask, "occurrences", may_hold, condition, _LINK_COLUMNS).combine_chunks()
    # The links of a visit lie together, in the order of the page.
    ids = table["visit"].to_numpy()
    borders = [*np.flatnonzero(np.diff(ids, prepend=-1)).tolist(), len(ids)]
    found: dict[int, LinkRows] = {}
    for begin, end in pairwise(borders):
        rows, visit = table.slice(begin, end - begin), int(ids[begin])
        columns = {name: rows[name].to_pylist() for name in ("target", "url", "collection", "path")}
        found[visit] = LinkRows(
            targets=tuple(columns["target"]),
            urls=tuple(columns["url"]),
            collections=tuple(columns["collection"]),
            positions=rows["position"].to_numpy(),
            paths=tuple(columns["path"]),
            anchors=tuple(pc.fill_null(rows["anchor"], "").to_pylist()),
            version=rows["collection_version"][0].as_py() or 1,
        )
    return found
