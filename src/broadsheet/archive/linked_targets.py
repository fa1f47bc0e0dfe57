"""What the link rows of an archive say of the pages that they lead to: first seen when, where, and called what."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from broadsheet.archive.folder import finished
from broadsheet.archive.link_occurrences import LinkOccurrences
from broadsheet.archive.link_rows import LinkRows
from broadsheet.archive.parquet_files import intact_rows
from broadsheet.archive.salvage import VisitRow

_COLUMNS = ("visit", "page", "target", "url", "anchor")
_PAIR = ["source", "target"]


class LinkedTarget(NamedTuple):
    """A page that a source links to: the visit that linked it first, on which page, and the longest link text."""

    source: str
    key: str
    url: str
    page: str
    at: datetime
    anchor: str


def linking_visits(folder: Path) -> set[int]:
    """Return the visits whose links are in an intact file."""
    found: set[int] = set()
    for path in finished(folder, "occurrences"):
        found.update(intact_rows(path, "occurrences", ["visit"])["visit"].unique().to_pylist())
    return found


def targets(folder: Path, links: Mapping[int, LinkRows], visits: Mapping[int, VisitRow]) -> Iterator[LinkedTarget]:
    """Give the targets of each intact file, and of links that were read again; some come more than once."""
    for path in finished(folder, "occurrences"):
        yield from _targets(intact_rows(path, "occurrences", _COLUMNS), visits)
    reread = LinkOccurrences()
    for visit, rows in links.items():
        reread.add(visit, visits[visit]["page"], rows)
    yield from _targets(reread.table().select(list(_COLUMNS)), visits)


def _targets(table: Any, visits: Mapping[int, VisitRow]) -> Iterator[LinkedTarget]:  # noqa: ANN401 - pyarrow: no types
    table = _with_visits(table.combine_chunks(), visits)
    by_time = table.sort_by("at").group_by(_PAIR, use_threads=False)
    first = by_time.aggregate([("url", "first"), ("page", "first"), ("at", "first")])
    by_length = table.sort_by([("length", "descending")]).group_by(_PAIR, use_threads=False)
    anchors = {
        (row["source"], row["target"]): row["anchor_first"]
        for row in by_length.aggregate([("anchor", "first")]).to_pylist()
    }
    for row in first.to_pylist():
        anchor = anchors[row["source"], row["target"]]
        yield LinkedTarget(row["source"], row["target"], row["url_first"], row["page_first"], row["at_first"], anchor)


def _with_visits(table: Any, visits: Mapping[int, VisitRow]) -> Any:  # noqa: ANN401 - pyarrow has no types
    """Return the rows of visits that have a source, with that, the visits' times, and the lengths of link texts."""
    rows = [visits.get(visit) for visit in table["visit"].to_pylist()]
    sources = pa.array([row and row["source"] for row in rows], pa.string())
    times = pa.array([row and row["fetched_at"] for row in rows], pa.timestamp("us", tz="UTC"))
    anchors = pc.fill_null(table["anchor"], "")
    table = table.set_column(table.schema.get_field_index("anchor"), "anchor", anchors)
    for name, column in (("source", sources), ("at", times), ("length", pc.utf8_length(anchors))):
        table = table.append_column(name, column)
    return table.filter(pc.is_valid(table["source"]))
