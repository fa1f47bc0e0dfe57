"""The paths of many nodes, put together in the order of the page."""

from collections.abc import Iterator, Mapping

import numpy as np

from broadsheet.document import Document
from broadsheet.document.tags import COMMENT, NAMES, UNKNOWN

#: A path through more elements would be longer than any text; what lies deeper has the path of an ancestor.
MAX_PATH_DEPTH = 250

_NAMES = tuple("comment()" if code == COMMENT else name for code, name in enumerate(NAMES))


def paths_of(document: Document, nodes: list[int]) -> Iterator[str]:
    """Give the XPath of each of some nodes, or of its nearest ancestor that does not lie too deep."""
    rows = list(_shallow(document, nodes)) if nodes else []
    parents = _parents(document, rows)
    steps = _steps(document, parents)
    trail = _Trail(parents, steps)
    last, parent, above, path = -1, -1, "", ""
    for row in rows:
        # Neighbours mostly have their parent in common, and texts of one element all of it.
        if row != last:
            if parents[row] != parent:
                parent = parents[row]
                above = trail.path(parent)
            last, path = row, f"{above}/{steps[row]}"
        yield path


class _Trail:
    """Remembers the path that was last asked for, so that each step on the way through a page is made once."""

    def __init__(self, parents: Mapping[int, int], steps: Mapping[int, str]) -> None:
        """Begin above the root."""
        self._parents = parents
        self._steps = steps
        #: The elements from the root to where the page was last looked at, with their paths.
        self._trail: dict[int, str] = {}

    def path(self, node: int) -> str:
        """Return the path of a node; of what is above the root, it is empty."""
        ahead = []
        while node >= 0 and node not in self._trail:
            ahead.append(node)
            node = self._parents[node]
        # The trail is in order, and all that is behind the last element in common leads elsewhere.
        while self._trail and next(reversed(self._trail)) != node:
            self._trail.popitem()
        path = self._trail.get(node, "")
        for row in reversed(ahead):
            path = self._trail[row] = f"{path}/{self._steps[row]}"
        return path


def _shallow(document: Document, nodes: list[int]) -> Iterator[int]:
    """Give for each node itself, or its ancestor that lies as deep as paths go."""
    columns = document.nodes
    subtree = range(0)
    for node, depth in zip(nodes, columns.depth.take(nodes).tolist(), strict=True):
        if depth <= MAX_PATH_DEPTH:
            yield node
            continue
        # It mostly is that of the node before, too.
        if node not in subtree:
            above = node
            while columns.depth[above] > MAX_PATH_DEPTH:
                above = int(columns.parent[above])
            subtree = range(above, int(columns.end[above]))
        yield subtree.start


def _parents(document: Document, rows: list[int]) -> dict[int, int]:
    """Return some nodes and all their ancestors, each with its parent."""
    parent = document.nodes.parent
    parents: dict[int, int] = {}
    for row in rows:
        node = row
        while node >= 0 and node not in parents:
            parents[node] = node = int(parent[node])
    return parents


def _steps(document: Document, asked: Mapping[int, int]) -> dict[int, str]:
    """Return the last steps of the XPaths of some nodes, given with all their ancestors."""
    nodes = document.nodes
    is_asked = np.zeros(len(nodes) + 1, np.bool_)
    # The last place stands for what would be the parent of the root.
    is_asked[[*asked, -1]] = True
    # Most of a page holds nothing of its article, and need not be counted.
    rows = is_asked.take(nodes.parent).nonzero()[0]
    columns = (rows, nodes.parent.take(rows), nodes.tag.take(rows))
    likes: dict[tuple[int, str], int] = {}
    places: list[tuple[int, tuple[int, str], int]] = []
    for row, parent, tag in zip(*(column.tolist() for column in columns), strict=True):
        family = parent, document.tag_name(row) if tag == UNKNOWN else _NAMES[tag]
        likes[family] = place = likes.get(family, 0) + 1
        if row in asked:
            places.append((row, family, place))
    return {row: f"{family[1]}[{place}]" if likes[family] > 1 else family[1] for row, family, place in places}
