"""All that is known of the links of a source: how they behave, what they are called and where they stand."""

from collections import Counter
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from broadsheet.sources.link_history import LinkHistory, LinkVisit
from broadsheet.sources.target_counts import TargetCounts


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

    def __len__(self) -> int:
        """Return the number of targets."""
        return len(self.urls)


class SourceLinks:
    """Follows the links of a source, visit by visit, at the cost of the newest ones."""

    def __init__(self) -> None:
        """Begin without visits."""
        self.history = LinkHistory()
        self._urls: dict[str, str] = {}
        self._anchors: dict[str, Counter[str]] = {}
        self._collections: dict[str, dict[tuple[str, int], None]] = {}
        self._paths: dict[str, dict[str, None]] = {}

    def add(self, visit: LinkVisit, urls: Sequence[str], anchors: Sequence[str], paths: Sequence[str]) -> None:
        """Count one visit of a page; the addresses, texts and paths are those of its links, in their order."""
        self.history.add(visit)
        if visit.targets is None:
            return
        for target, url, anchor, path, collection in zip(
            visit.targets, urls, anchors, paths, visit.collections.tolist(), strict=True
        ):
            self._urls.setdefault(target, url)
            self._paths.setdefault(target, {})[path] = None
            self._collections.setdefault(target, {})[visit.page, collection] = None
            texts = self._anchors.setdefault(target, Counter())
            if anchor:
                texts[anchor] += 1

    @property
    def urls(self) -> Mapping[str, str]:
        """The address of each target that was ever linked to, by its key."""
        return self._urls

    def table(self, keys: Sequence[str], articles: Collection[str] | None = None) -> LinkTable:
        """Return what is known of some targets, which have to have been linked to."""
        counts = self.history.counts(articles)
        rows = np.fromiter((self.history.rows[key] for key in keys), np.intp, len(keys))
        paths = dict.fromkeys(path for key in keys for path in self._paths[key])
        return LinkTable(
            urls=[self._urls[key] for key in keys],
            anchors=[_commonest(self._anchors[key]) for key in keys],
            anchor_kinds=[len(self._anchors[key]) for key in keys],
            counts=counts.chosen(rows),
            pages=int((counts.visits > 0).sum()),
            collections=TargetGroups.of([self._collections[key] for key in keys]),
            paths=TargetGroups.of([self._paths[key] for key in keys]),
            path_names=list(paths),
        )


def _commonest(texts: Counter[str]) -> str:
    return max(texts, key=lambda text: texts[text], default="")
