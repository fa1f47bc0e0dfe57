"""All that is known of the links of a source: how they behave, what they are called and where they stand."""

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.urls import without_tracking
from broadsheet.sources._growing import Growing
from broadsheet.sources._pairs import NamedPairs, SeenPairs
from broadsheet.sources.link_history import LinkHistory, LinkVisit
from broadsheet.sources.target_counts import Doubles, TargetCounts


@dataclass(frozen=True, slots=True, eq=False)
class TargetGroups:
    """Which targets belong to which groups, as pairs of a row and the number of a group."""

    row: NDArray[np.intp]
    group: NDArray[np.intp]
    groups: int

    @classmethod
    def of(cls, names: Sequence[Collection[Hashable]]) -> "TargetGroups":
        """Number the groups that each row names."""
        numbers: dict[Hashable, int] = {}
        rows = [row for row, own in enumerate(names) for _ in own]
        groups = [numbers.setdefault(name, len(numbers)) for own in names for name in own]
        return cls(np.array(rows, np.intp), np.array(groups, np.intp), len(numbers))

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The number of targets in each group."""
        return np.bincount(self.group, minlength=self.groups)


@dataclass(frozen=True, slots=True, eq=False)
class LinkTable:
    """The targets of a source at one moment, one row each."""

    #: Their addresses, without what follows visitors.
    urls: Sequence[str]
    #: The commonest text of the links to each target, empty if there is none, and how many different ones there are.
    anchors: Sequence[str]
    anchor_kinds: Sequence[int]
    counts: TargetCounts
    #: The number of pages of the source that were fetched.
    pages: int
    #: The collections of links, each on its page, that hold a link to the target.
    collections: TargetGroups
    #: The tags from the root of a page to a link, without indices.
    paths: TargetGroups
    path_names: Sequence[str]
    #: How far down their pages the links to the target stand on average, from 0 (the first link) to 1 (the last).
    depths: Doubles

    def __len__(self) -> int:
        """Return the number of targets."""
        return len(self.urls)


#: The links that wait until what they are called and where they stand is counted, for all of them at once.
_MAX_WAITING = 1_024


class _NamedLinks(NamedTuple):
    """The links of one visit: the rows of their targets in the history, and what they are called."""

    rows: NDArray[np.int64]
    places: Sequence[Hashable]
    texts: Sequence[str]
    paths: Sequence[str]


class SourceLinks:
    """Follows the links of a source, visit by visit, at the cost of the newest ones."""

    def __init__(self) -> None:
        """Begin without visits."""
        self.history = LinkHistory()
        self._urls: dict[str, str] = {}
        # The names of a target, which is given by its row in the history.
        self._texts = NamedPairs[str]()
        self._collections = NamedPairs[Hashable]()
        self._paths = NamedPairs[str]()
        # By row: how far down pages its links stood, summed up, and how many they were.
        self._depths = Growing(np.float64)
        self._occurrences = Growing(np.int64)
        self._waiting: list[_NamedLinks] = []
        self._number_waiting = 0

    def add(self, visit: LinkVisit, urls: Sequence[str], anchors: Sequence[str], paths: Sequence[str]) -> None:
        """Count one visit of a page; the addresses, texts and paths are those of its links, in their order."""
        rows = self.history.add(visit)
        if visit.targets is None:
            return
        if len(self._urls) < len(self.history):
            for target, url in zip(visit.targets, urls, strict=True):
                self._urls.setdefault(target, url)
        places = [(visit.page, each) for each in visit.collections.tolist()]
        self._waiting.append(_NamedLinks(rows, places, anchors, paths))
        self._number_waiting += len(rows)
        if self._number_waiting >= _MAX_WAITING:
            self._count_names()

    def _count_names(self) -> None:
        """Count what the links of the last visits are called and where they stand.

        All together take hardly longer than those of one visit, most of which have few links.
        """
        waiting, self._waiting, self._number_waiting = self._waiting, [], 0
        if not waiting:
            return
        rows = np.concatenate([links.rows for links in waiting])
        self._paths.add(rows, [path for links in waiting for path in links.paths])
        self._collections.add(rows, [place for links in waiting for place in links.places])
        # A link without a text says nothing about what it is called.
        texts = [text for links in waiting for text in links.texts]
        named = np.fromiter(map(bool, texts), np.bool_, len(texts))
        self._texts.add(rows[named], list(filter(None, texts)))
        lengths = [len(links.rows) for links in waiting]
        self._depths.add(rows, np.concatenate([(np.arange(length) + 0.5) / length for length in lengths]))
        self._occurrences.add(rows, 1)

    def repeat(self, page: str, at: float, snapshot: int) -> bool:
        """Count a visit that found a page as it was; return whether the page is known.

        The texts and depths of links are not counted again: they depend on pages as they change.
        """
        return self.history.repeat(page, at, snapshot)

    def prune(self) -> int:
        """Forget the targets that no page links to as it was last fetched; return how many they were."""
        self._count_names()
        before = len(self.history)
        new = np.full(before, -1, np.int64)
        rows = self.history.prune()
        new[rows] = np.arange(len(rows))
        self._urls = {key: url for key, url in self._urls.items() if key in self.history.rows}
        for names in (self._texts, self._collections, self._paths):
            names.renumber(new)
        self._depths.keep(rows)
        self._occurrences.keep(rows)
        return before - len(rows)

    @property
    def urls(self) -> Mapping[str, str]:
        """The address of each target that was ever linked to, by its key."""
        return self._urls

    def table(self, keys: Sequence[str], articles: Collection[str] | None = None) -> LinkTable:
        """Return what is known of some targets, which have to have been linked to."""
        self._count_names()
        counts = self.history.counts(articles)
        rows = np.fromiter((self.history.rows[key] for key in keys), np.intp, len(keys))
        texts, path_names = list(self._texts.names), list(self._paths.names)
        paths, path_numbers = _groups(self._paths.pairs, rows)
        anchors, kinds = _commonest(self._texts.pairs, rows)
        size = len(self.history)
        occurrences = np.maximum(self._occurrences.filled(size)[rows], 1)
        return LinkTable(
            urls=[without_tracking(self._urls[key]) for key in keys],
            anchors=[texts[number] if number >= 0 else "" for number in anchors.tolist()],
            anchor_kinds=kinds.tolist(),
            counts=counts.chosen(rows),
            pages=int((counts.visits > 0).sum()),
            collections=_groups(self._collections.pairs, rows)[0],
            paths=paths,
            path_names=[path_names[number] for number in path_numbers.tolist()],
            depths=self._depths.filled(size)[rows] / occurrences,
        )


def _groups(pairs: SeenPairs, rows: NDArray[np.intp]) -> tuple[TargetGroups, NDArray[np.int64]]:
    """Return the groups that some rows belong to, and the number of the name of each group."""
    row, name, _ = pairs.chosen(rows)
    names, group = np.unique(name, return_inverse=True)
    return TargetGroups(row.astype(np.intp), group.astype(np.intp), len(names)), names


def _commonest(texts: SeenPairs, rows: NDArray[np.intp]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the commonest text of each row, of equals the first one, -1 if there is none; and the number of texts."""
    row, text, times = texts.chosen(rows)
    order = np.lexsort((np.arange(len(row)), -times, row))
    first = order[np.flatnonzero(np.diff(row[order], prepend=-1))]
    found = np.full(len(rows), -1, np.int64)
    found[row[first]] = text[first]
    return found, np.bincount(row, minlength=len(rows))
