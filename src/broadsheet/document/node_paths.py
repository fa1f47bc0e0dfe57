"""Where a node stands in the tree, in words."""

from collections.abc import Callable
from functools import cached_property

import numpy as np
from lxml import etree

from broadsheet.document.columns import Columns, Ints
from broadsheet.document.tags import COMMENT, NAMES, UNKNOWN

#: Real pages are not so deep; a page with many links much deeper would take long to be described.
MAX_STEPS = 256
#: Paths of this many characters are remembered.
MAX_REMEMBERED = 400

Element = Callable[[int], etree._Element]  # noqa: SLF001 -- lxml has no public name for it


class NodePaths:
    """The paths of a document's nodes, with and without indices."""

    def __init__(self, columns: Columns, element: Element) -> None:
        """Count nothing yet."""
        self._columns = columns
        self._element = element
        # Links and paragraphs have their parents in common, and ask one after the other.
        self._generalised: dict[int, str] = {}
        self._indexed: dict[int, str] = {}

    def tag_name(self, node: int) -> str:
        """Return what a node is called, also where HTML does not know the name."""
        code = int(self._columns.nodes.tag[node])
        return NAMES[code] if code != UNKNOWN else str(self._element(node).tag)

    def path(self, node: int) -> str:
        """Return the XPath of a node, with the index of each element among its like."""
        return self._joined(node, self.step, self._indexed)

    def generalised(self, node: int) -> str:
        """Return the names of the elements from the root to a node, without indices; of a very deep one the last."""
        if self._columns.nodes.depth[node] >= MAX_STEPS:
            return "…/" + "/".join(reversed(self._last_names(node)))
        return self._joined(node, self.tag_name, self._generalised)

    def _last_names(self, node: int) -> list[str]:
        """Return the names of a deep node and its nearest ancestors, from the node up."""
        parents, names = self._lists
        last: list[str] = []
        for _ in range(MAX_STEPS):
            last.append(names[node])
            node = parents[node]
        return last

    def step(self, row: int) -> str:
        """Return the last step of a node's XPath: its name, with its index where it has siblings of that name."""
        places, likes = self._places
        name = "comment()" if self._columns.nodes.tag[row] == COMMENT else self.tag_name(row)
        return f"{name}[{places[row]}]" if likes[row] > 1 else name

    def _joined(self, node: int, step: Callable[[int], str], known: dict[int, str]) -> str:
        """Put together the steps from the root to a node, beginning with the nearest ancestor that is known."""
        rows: list[int] = []
        while node >= 0 and node not in known:
            rows.append(node)
            node = int(self._columns.nodes.parent[node])
        path = known.get(node, "")
        for row in reversed(rows):
            path += f"/{step(row)}"
            # Remembering every long path of a deep page would take memory without end.
            if row != rows[0] and len(path) <= MAX_REMEMBERED:
                known[row] = path
        return path

    @cached_property
    def _lists(self) -> tuple[list[int], list[str]]:
        """The parent and the name of each node: a page with many deep links asks for millions of them."""
        return self._columns.nodes.parent.tolist(), [self.tag_name(row) for row in range(len(self._columns.nodes))]

    @cached_property
    def _places(self) -> tuple[Ints, Ints]:
        """The number of each node among its siblings of the same name, and how many they are, for all nodes at once."""
        nodes = self._columns.nodes
        names = nodes.tag.astype(np.int64)
        unknown: dict[str, int] = {}
        for row in np.flatnonzero(names == UNKNOWN).tolist():
            names[row] = unknown.setdefault(self.tag_name(row), len(NAMES) + len(unknown))
        families = (nodes.parent.astype(np.int64) + 1) * (len(NAMES) + len(unknown)) + names
        order = np.argsort(families, kind="stable")
        _, first, members = np.unique(families[order], return_index=True, return_counts=True)
        places, likes = np.empty(len(nodes), np.int32), np.empty(len(nodes), np.int32)
        places[order] = np.arange(len(nodes)) - np.repeat(first, members) + 1
        likes[order] = np.repeat(members, members)
        return places, likes
