"""XPaths and tag paths of a document's nodes."""

from collections.abc import Callable

import numpy as np

from broadsheet.base.lazy import lazy
from broadsheet.document.columns import Columns, Ints
from broadsheet.document.tags import COMMENT, NAMES, UNKNOWN

#: Real pages are not this deep; writing out the paths of many much deeper links would take too long.
MAX_STEPS = 256
#: The longest path that is cached, in characters.
MAX_CACHED_PATH = 400


class NodePaths:
    """The paths of a document's nodes, with and without indices."""

    def __init__(self, columns: Columns) -> None:
        """Keep a reference to the columns; paths are computed on demand."""
        self._columns = columns
        # Consecutive links and paragraphs mostly share their ancestors, so the paths of ancestors are cached.
        self._generalised: dict[int, str] = {}
        self._indexed: dict[int, str] = {}

    def tag_name(self, node: int) -> str:
        """Return a node's tag name, even if it is not part of HTML."""
        code = int(self._columns.nodes.tag[node])
        return NAMES[code] if code != UNKNOWN else self._columns.unknown.of(node)

    def path(self, node: int) -> str:
        """Return the XPath of a node, with the index of each element among its siblings of the same name."""
        return self._join_steps(node, self.step, self._indexed)

    def generalised(self, node: int) -> str:
        """Return the tag names from the root to a node, without indices; for a very deep node only the last ones."""
        if self._columns.nodes.depth[node] >= MAX_STEPS:
            return "…/" + "/".join(reversed(self._last_names(node)))
        return self._join_steps(node, self.tag_name, self._generalised)

    def _last_names(self, node: int) -> list[str]:
        """Return the tag names of a deep node and its nearest ancestors, from the node upwards."""
        parents, names = self._parents_and_names
        last: list[str] = []
        for _ in range(MAX_STEPS):
            last.append(names[node])
            node = parents[node]
        return last

    def step(self, row: int) -> str:
        """Return the last step of a node's XPath: its name, with an index if it has siblings of that name."""
        positions, counts = self._sibling_positions
        name = "comment()" if self._columns.nodes.tag[row] == COMMENT else self.tag_name(row)
        return f"{name}[{positions[row]}]" if counts[row] > 1 else name

    def _join_steps(self, node: int, step: Callable[[int], str], cache: dict[int, str]) -> str:
        """Join the steps from the root to a node, starting from the nearest ancestor in the cache."""
        rows: list[int] = []
        while node >= 0 and node not in cache:
            rows.append(node)
            node = int(self._columns.nodes.parent[node])
        path = cache.get(node, "")
        for row in reversed(rows):
            path += f"/{step(row)}"
            # Caching every long path of a deep page would need unbounded memory.
            if row != rows[0] and len(path) <= MAX_CACHED_PATH:
                cache[row] = path
        return path

    @lazy
    def _parents_and_names(self) -> tuple[list[int], list[str]]:
        """The parent and the tag name of each node, as lists: a page with many deep links looks up millions."""
        return self._columns.nodes.parent.tolist(), [self.tag_name(row) for row in range(len(self._columns.nodes))]

    @lazy
    def _sibling_positions(self) -> tuple[Ints, Ints]:
        """The position of each node among its siblings of the same name (from 1), and how many of them there are."""
        nodes = self._columns.nodes
        names = nodes.tag.astype(np.int64)
        unknown: dict[str, int] = {}
        for row in np.flatnonzero(names == UNKNOWN).tolist():
            names[row] = unknown.setdefault(self.tag_name(row), len(NAMES) + len(unknown))
        families = (nodes.parent.astype(np.int64) + 1) * (len(NAMES) + len(unknown)) + names
        order = np.argsort(families, kind="stable")
        _, first, members = np.unique(families[order], return_index=True, return_counts=True)
        positions, counts = np.empty(len(nodes), np.int32), np.empty(len(nodes), np.int32)
        positions[order] = np.arange(len(nodes)) - np.repeat(first, members) + 1
        counts[order] = np.repeat(members, members)
        return positions, counts
