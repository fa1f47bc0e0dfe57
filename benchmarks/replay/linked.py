"""Which targets the saved pages link to, and which of them are fresh."""

import json
import lzma
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import NamedTuple

import broadsheet
from benchmarks.replay.golden import GoldenLabels
from benchmarks.replay.snapshots import SavedPage, parse_moment
from broadsheet.base import statuses
from broadsheet.base.domains import registrable_domain

#: The labelled targets of each snapshot, by the name of the page and the time of the snapshot.
Linked = Mapping[tuple[str, datetime], frozenset[str]]


class _Row(NamedTuple):
    """The links of one snapshot, unless it is a copy of an earlier one."""

    page: str
    at: datetime
    same_as: datetime | None
    targets: Sequence[str]


@dataclass(frozen=True, slots=True)
class Period:
    """The run of a site, and the interval between two visits."""

    start: datetime
    end: datetime
    every: timedelta


@dataclass(frozen=True, slots=True)
class Freshness:
    """The keys of the fresh articles: those that nobody can miss, and those that were linked only briefly."""

    lasting: frozenset[str]
    brief: frozenset[str]


def read_links(path: Path, pages: Sequence[SavedPage], labels: GoldenLabels, domain: str) -> Linked:
    """Return the keys of the labelled targets on a site's own domain, for every snapshot."""

    @cache
    def key(url: str) -> str | None:
        golden = labels.find(url) if registrable_domain(url) == domain else None
        return golden.key if golden else None

    linked: dict[tuple[str, datetime], frozenset[str]] = {}
    copies: dict[tuple[str, datetime], tuple[str, datetime]] = {}
    for row in _rows(path) if path.is_file() else ():
        if row.same_as is not None:
            copies[row.page, row.at] = (row.page, row.same_as)
        else:
            linked[row.page, row.at] = frozenset(filter(None, map(key, row.targets)))
    linked |= {copy: linked[original] for copy, original in copies.items() if original in linked}
    for page in pages:
        for snapshot in page.snapshots:
            if (page.name, snapshot.at) not in linked:
                document = broadsheet.parse(snapshot.file.read_bytes(), page.url)
                linked[page.name, snapshot.at] = frozenset(filter(None, map(key, document.links.urls)))
    return linked


def at_start(pages: Sequence[SavedPage], linked: Linked, start: datetime) -> frozenset[str]:
    """Return the targets that the saved pages linked to when the run began."""
    return frozenset().union(*(linked[page.name, page.at(start).at] for page in pages))


def fresh(
    fronts: Sequence[SavedPage], linked: Linked, old: frozenset[str], labels: GoldenLabels, run: Period
) -> Freshness:
    """Find the certain articles that the fronts began to link to during the run."""
    wanted = {golden.key for golden in labels if golden.label == "ARTICLE" and golden.is_certain} - old
    longest: dict[str, timedelta] = {}
    for front in fronts:
        for key, stretch in _stretches(front, linked, run):
            if key in wanted:
                longest[key] = max(stretch, longest.get(key, timedelta()))
    lasting = frozenset(key for key, stretch in longest.items() if stretch >= run.every)
    return Freshness(lasting, frozenset(longest) - lasting)


def _stretches(front: SavedPage, linked: Linked, run: Period) -> Iterator[tuple[str, timedelta]]:
    """Yield each target of a page with the time for which it was linked without a break."""
    since: dict[str, datetime] = {}
    first, last = front.number(run.start), front.number(run.end)
    for snapshot in front.snapshots[first : last + 1]:
        # The first one is served from the start of the run on, even if it was saved a little later.
        at = run.start if snapshot is front.snapshots[first] else snapshot.at
        now = linked[front.name, snapshot.at] if snapshot.status == statuses.OK else frozenset()
        for key in since.keys() - now:
            yield key, at - since.pop(key)
        for key in now - since.keys():
            since[key] = at
    for key, at in since.items():
        yield key, run.end - at


def _rows(path: Path) -> Iterator[_Row]:
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            same_as = row.get("same_as")
            yield _Row(
                row["page"],
                parse_moment(row["ts"]),
                parse_moment(same_as) if same_as else None,
                [link[0] for link in row.get("links") or ()],
            )
