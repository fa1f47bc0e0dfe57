"""The links of a source over its visits, counted visit by visit.

Adding a visit costs as much as its page has links, however many visits there were before. A page that could not be
fetched is unknown in that snapshot: its links neither vanish nor stay. Visits of one page come in the order of time.
A page may be visited several times in a snapshot. What it linked to at any of these visits counts, but only the first
of them is compared with the first of an earlier snapshot: otherwise links on busy pages would seem to move more rarely.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.errors import InputError
from broadsheet.sources._counting import compare_occurrences, count_snapshot, sort_occurrences
from broadsheet.sources._growing import Growing
from broadsheet.sources._pairs import SeenPairs, numbers_of
from broadsheet.sources.target_counts import RECENT_SNAPSHOTS, Counts, TargetCounts

_NEVER = -1


@dataclass(frozen=True, slots=True, eq=False)
class LinkVisit:
    """One visit of a page: when, in which snapshot, and its links in document order; no columns if it failed."""

    page: str
    #: Seconds since 1970.
    at: float
    #: Snapshots are numbered in the order of time; numbers may be skipped.
    snapshot: int
    targets: Sequence[str] | None
    #: The collection of each link, as a number that stays the same from visit to visit, and the position in it.
    collections: NDArray[np.uint64] = field(default_factory=lambda: np.zeros(0, np.uint64))
    positions: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))
    #: Words in the longest text without a tag; None if the content of the page was not read.
    longest_text: int | None = None

    def __post_init__(self) -> None:
        """Refuse columns of different lengths."""
        if len({len(self.targets or ()), len(self.collections), len(self.positions)}) > 1:
            raise ValueError(f"{self.page}: the columns of its links have different lengths")


@dataclass(slots=True, eq=False)
class _PlacedLinks:
    """The links of a page at one visit, sorted: collection, target and number among equals, and their positions."""

    occurrences: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 3), np.int64))
    positions: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))

    @classmethod
    def of(cls, visit: LinkVisit, targets: Counts) -> "_PlacedLinks":
        """Return the links of a visit, given the rows of their targets."""
        links = cls(np.empty((len(targets), 3), np.int64), np.empty(len(targets), np.int32))
        collections, positions = visit.collections.view(np.int64), np.ascontiguousarray(visit.positions, np.int32)
        sort_occurrences(np.ascontiguousarray(collections), targets, positions, links.occurrences, links.positions)
        return links


@dataclass(slots=True, eq=False)
class _FetchedPage:
    """What is remembered of a page: its newest visit and its links then, and the snapshots in which it was fetched."""

    at: float = -np.inf
    visits: int = 0
    links: _PlacedLinks = field(default_factory=_PlacedLinks)
    #: Its links at the first visit of the newest snapshot in which it was fetched.
    compared: _PlacedLinks = field(default_factory=_PlacedLinks)
    #: The rows of its distinct targets.
    targets: Counts = field(default_factory=lambda: np.zeros(0, np.int64))
    snapshots: list[int] = field(default_factory=list)
    longest_text: float = np.nan


class LinkHistory:
    """Counts what the links of a source do, from the first visit on."""

    def __init__(self) -> None:
        """Begin without visits."""
        self._rows: dict[str, int] = {}
        self._pages: dict[int, _FetchedPage] = {}
        self._snapshots: list[int] = []
        self._now = np.nan
        self._linked = Growing(np.int64)
        self._newest = Growing(np.int64, _NEVER)
        self._first = Growing(np.int64, _NEVER)
        self._moves = Growing(np.int64)
        self._comparisons = Growing(np.int64)
        self._first_seen = Growing(np.float64, np.nan)
        self._last_seen = Growing(np.float64, np.nan)
        # Pages and the targets that they have ever linked to, and the first snapshot in which they did.
        self._pairs = SeenPairs()
        self._pair_first = Growing(np.int64)

    def __len__(self) -> int:
        """Return the number of pages known."""
        return len(self._rows)

    @property
    def rows(self) -> Mapping[str, int]:
        """The row of each page, by its key."""
        return self._rows

    @property
    def last_snapshot(self) -> int:
        """The newest snapshot; negative before the first visit."""
        return self._snapshots[-1] if self._snapshots else _NEVER

    def last_visit(self, page: str) -> float:
        """Return when a page was last fetched, in seconds since 1970; minus infinity if it never was."""
        known = self._pages.get(self._rows.get(page, _NEVER))
        return known.at if known else -np.inf

    def add(self, visit: LinkVisit) -> Counts:
        """Count one visit, and return the rows of its targets, one per link.

        It has to be newer than the earlier ones of its page, and not of an earlier snapshot.
        """
        page = self._row(visit.page)
        known = self._pages.setdefault(page, _FetchedPage())
        self._require_newer(known, visit.page, visit.at, visit.snapshot)
        if visit.targets is None:
            return np.zeros(0, np.int64)
        is_first = self._count_visit(known, visit.at, visit.snapshot)
        if visit.longest_text is not None:
            known.longest_text = visit.longest_text
        targets = numbers_of(self._rows, visit.targets)
        known.links = _PlacedLinks.of(visit, targets)
        if is_first:
            self._compare(known)
        known.targets = np.unique(targets)
        self._count(known.targets, visit.at, visit.snapshot)
        before = self._pairs.add(np.full(len(known.targets), page), known.targets)
        self._pair_first.extend([visit.snapshot] * (len(self._pairs) - before))
        return targets

    def repeat(self, page: str, at: float, snapshot: int) -> bool:
        """Count a visit that found a page as it was; return whether the page is known.

        This is the same as to add the links of its last visit once more, and costs less.
        """
        row = self._rows.get(page, _NEVER)
        known = self._pages.get(row)
        if known is None or not known.visits:
            return False
        self._require_newer(known, page, at, snapshot)
        if self._count_visit(known, at, snapshot):
            self._compare(known)
        self._count(known.targets, at, snapshot)
        return True

    def prune(self) -> NDArray[np.intp]:
        """Forget the targets that no page links to as it was last fetched; return the old rows of those that stay.

        `content_dynamicity` then no longer counts the forgotten ones.
        """
        linked = [known.targets for known in self._pages.values()]
        rows = np.unique(np.concatenate([np.fromiter(self._pages, np.int64), *linked])).astype(np.intp)
        new = np.full(len(self), _NEVER, np.int64)
        new[rows] = np.arange(len(rows))
        keys = list(self._rows)
        self._rows = {keys[row]: number for number, row in enumerate(rows.tolist())}
        for column in (self._linked, self._newest, self._first, self._moves, self._comparisons):
            column.keep(rows)
        self._first_seen.keep(rows)
        self._last_seen.keep(rows)
        self._pages = {int(new[row]): known for row, known in self._pages.items()}
        for known in self._pages.values():
            known.links, known.compared = _renumbered(known.links, new), _renumbered(known.compared, new)
            known.targets = new[known.targets]
        kept = new[self._pairs.right] >= 0
        self._pairs = self._pairs.renumbered(kept, new[self._pairs.left], new[self._pairs.right])
        self._pair_first.keep(np.flatnonzero(kept))
        return rows

    def add_all(self, visits: Iterable[LinkVisit]) -> "LinkHistory":
        """Count several visits, and return the history."""
        for visit in visits:
            self.add(visit)
        return self

    def links_of(self, page: str) -> Counts:
        """Return the rows of the distinct targets in the newest successful visit of a page."""
        known = self._pages.get(self._rows.get(page, _NEVER), _FetchedPage())
        return known.targets

    def counts(self, articles: Container[str] | None = None) -> TargetCounts:
        """Return what was counted of all pages; `articles` are the keys of those that were judged to be articles."""
        size = len(self)
        pages, targets, firsts = self._pairs.left, self._pairs.right, self._pair_first.values
        first = self._first.filled(size)
        recent = self._snapshots[-RECENT_SNAPSHOTS] if len(self._snapshots) >= RECENT_SNAPSHOTS else 0
        moves = self._moves.filled(size)
        visits, longest_text, article_links = np.zeros(size, np.int64), np.full(size, np.nan), np.full(size, np.nan)
        is_article = None if articles is None else np.fromiter((key in articles for key in self._rows), np.bool_, size)
        for row, known in self._pages.items():
            visits[row], longest_text[row] = known.visits, known.longest_text
            if known.visits and is_article is not None:
                article_links[row] = is_article[known.targets].sum()
        return TargetCounts(
            keys=list(self._rows),
            total_snapshots=len(self._snapshots),
            now=float(self._now),
            linked_snapshots=self._linked.filled(size),
            possible_snapshots=self._possible(pages, targets, size),
            moves=moves,
            comparisons=self._comparisons.filled(size),
            referrers=np.bincount(targets, minlength=size),
            later_referrers=np.bincount(targets[firsts > first[targets]], minlength=size),
            recent_referrers=np.bincount(targets[firsts >= recent], minlength=size),
            first_seen=self._first_seen.filled(size),
            last_seen=self._last_seen.filled(size),
            visits=visits,
            content_moves=np.bincount(pages, moves[targets], size).astype(np.int64),
            article_links=article_links,
            longest_text=longest_text,
        )

    def _row(self, key: str) -> int:
        return self._rows.setdefault(key, len(self._rows))

    def _require_newer(self, known: _FetchedPage, page: str, at: float, snapshot: int) -> None:
        if at <= known.at or snapshot < self.last_snapshot:
            raise InputError(
                f"{page}: its visit at {at:.0f} (snapshot {snapshot}) is not newer than those already counted; "
                f"count all visits again, in the order of time"
            )

    def _count_visit(self, known: _FetchedPage, at: float, snapshot: int) -> bool:
        """Count that a page was fetched; return whether for the first time in this snapshot."""
        known.at, known.visits = at, known.visits + 1
        is_first = not known.snapshots or known.snapshots[-1] != snapshot
        if is_first:
            known.snapshots.append(snapshot)
        if snapshot != self.last_snapshot:
            self._snapshots.append(snapshot)
        self._now = np.fmax(self._now, at)
        return is_first

    def _compare(self, known: _FetchedPage) -> None:
        """Count the occurrences that a page has now and had in an earlier snapshot, and those that have moved."""
        earlier, now = known.compared, known.links
        known.compared = now
        size = len(self)
        self._comparisons.grow(size)
        self._moves.grow(size)
        compare_occurrences(
            earlier.occurrences,
            earlier.positions,
            now.occurrences,
            now.positions,
            self._comparisons.values,
            self._moves.values,
        )

    def _count(self, targets: Counts, at: float, snapshot: int) -> None:
        """Count the snapshot for each distinct target of a visit."""
        columns = (self._linked, self._newest, self._first, self._first_seen, self._last_seen)
        for column in columns:
            column.grow(len(self))
        count_snapshot(targets, at, snapshot, *(column.values for column in columns))

    def _possible(self, pages: Counts, targets: Counts, size: int) -> Counts:
        """Return in how many snapshots a page was fetched that has ever linked to each target."""
        places = {snapshot: place for place, snapshot in enumerate(self._snapshots)}
        union = np.zeros((size, (len(places) + 7) // 8), np.uint8)
        order = np.argsort(pages, kind="stable")
        starts = np.flatnonzero(np.diff(pages[order], prepend=_NEVER))
        for linked in np.split(order, starts[1:]) if len(order) else ():
            fetched = np.zeros(len(places), np.bool_)
            fetched[[places[snapshot] for snapshot in self._pages[int(pages[linked[0]])].snapshots]] = True
            union[targets[linked]] |= np.packbits(fetched)
        possible: Counts = np.bitwise_count(union).sum(axis=1, dtype=np.int64)
        return possible


def _renumbered(links: _PlacedLinks, new: NDArray[np.int64]) -> _PlacedLinks:
    """Return the links with other rows for their targets, without those that have none any more."""
    rows = new[links.occurrences[:, 1]]
    # Rows keep their order, so the links stay sorted.
    occurrences = np.column_stack((links.occurrences[:, 0], rows, links.occurrences[:, 2]))[rows != _NEVER]
    return _PlacedLinks(occurrences, links.positions[rows != _NEVER])
