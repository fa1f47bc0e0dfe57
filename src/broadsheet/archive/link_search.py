"""Where a page was linked, found in the link occurrences, of which there may be hundreds of millions."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from broadsheet.archive import catalogued_files, parquet_files, tombstones, visits
from broadsheet.archive.catalogued_files import FileRow
from broadsheet.archive.page_history import LinkingPage
from broadsheet.archive.shards import shard_of
from broadsheet.archive.warc_reading import Asking

#: The most rows that are searched: about half a second of CPU time.
MAX_ROWS = 5_000_000

_FRONT_COLUMNS = ("visit", "page", "fetched_at", "same_as")


class LinkFindings(NamedTuple):
    """The pages that linked to a page, and whether all rows that may say so were searched."""

    links: tuple[LinkingPage, ...]
    is_complete: bool


def links_to(folder: Path, ask: Asking, target: str, since: datetime | None, most_rows: int = MAX_ROWS) -> LinkFindings:
    """Return which pages linked to a page, the first one first.

    `since` is when the page was first seen: it was found then, so the rows from then on are searched, the oldest first.
    For a page that was never seen the newest rows are searched.
    """
    files, forgotten = ask(
        lambda connection: (catalogued_files.files(connection, "occurrences"), tombstones.forgotten_pages(connection))
    )
    wanted = files if since is None else _since(files, visits.first_since(folder, ask, since))
    ordered = sorted(wanted, key=lambda file: file.first_visit, reverse=since is None)
    names = set(_within(ordered, most_rows))
    found = visits.matching(
        folder,
        ask,
        "occurrences",
        lambda file: file.name in names,
        (pc.field("target") == target) & parquet_files.is_remembered("occurrences", forgotten),
        ("visit", "page", "anchor"),
    )
    links = tuple(_summed(folder, ask, found)) if found.num_rows else ()
    return LinkFindings(links, len(names) == len(wanted))


def _since(files: list[FileRow], first: dict[int, int]) -> list[FileRow]:
    return [file for file in files if file.last_visit >= first.get(shard_of(file.last_visit), file.last_visit + 1)]


def _within(files: list[FileRow], most_rows: int) -> Iterator[str]:
    """Give the names of the first files, as many as have no more rows than that together; at least one."""
    total = 0
    for file in files:
        total += file.rows
        if total > most_rows and total > file.rows:
            return
        yield file.name


def _summed(folder: Path, ask: visits.Ask[list[FileRow]], found: Any) -> list[LinkingPage]:  # noqa: ANN401 - no types
    """Return what rows say of each page that links, with the times of its visits."""
    rows: dict[str, dict[int, str]] = {}
    for row in found.to_pylist():
        rows.setdefault(row["page"], {})[row["visit"]] = row["anchor"] or ""
    first = min(found["visit"].to_pylist())
    fronts = visits.matching(
        folder,
        ask,
        "visits",
        lambda file: file.last_visit >= first,
        pc.field("page").isin(pa.array(list(rows), pa.string())),
        _FRONT_COLUMNS,
    )
    times: dict[str, list[datetime]] = {page: [] for page in rows}
    for row in fronts.to_pylist():
        # A visit that found the page unchanged has no rows of its own.
        if row["visit"] in rows[row["page"]] or row["same_as"] in rows[row["page"]]:
            times[row["page"]].append(row["fetched_at"])
    links = [
        LinkingPage(
            page=page,
            first_seen=min(seen),
            last_seen=max(seen),
            visits=len(seen),
            anchors=tuple(sorted(filter(None, set(rows[page].values())), key=len, reverse=True)),
        )
        for page, seen in times.items()
        if seen
    ]
    return sorted(links, key=lambda link: (link.first_seen, link.page))
