"""The XPaths of many nodes, computed in document order."""

from collections.abc import Iterator, Mapping

from broadsheet.document import Document
from broadsheet.document.tags import COMMENT, NAMES, UNKNOWN
from broadsheet.reading._assembly_scans import sibling_steps

#: Deeper nodes get the path of an ancestor, because their own would be longer than any text.
MAX_PATH_DEPTH = 250

_NAMES = tuple("comment()" if code == COMMENT else name for code, name in enumerate(NAMES))


def paths_of(document: Document, nodes: list[int]) -> Iterator[str]:
    """Yield the XPath of each node, or of its nearest ancestor that is not too deep."""
    rows = _shallow(document, nodes) if nodes else []
    columns = document.nodes
    parents, steps = sibling_steps(columns.parent, columns.tag, columns.end, rows, _NAMES, UNKNOWN, document.tag_name)
    trail = _Trail(parents, steps)
    last, parent, above, path = -1, -1, "", ""
    for row in rows:
        # Neighbours mostly share their parent, and texts of one element their whole path.
        if row != last:
            if parents[row] != parent:
                parent = parents[row]
                above = trail.path(parent)
            last, path = row, f"{above}/{steps[row]}"
        yield path


class _Trail:
    """Remembers the last path, so that each step through a page is formatted once."""

    def __init__(self, parents: Mapping[int, int], steps: Mapping[int, str]) -> None:
        """Begin above the root."""
        self._parents = parents
        self._steps = steps
        #: The elements from the root to the last node, with their paths.
        self._trail: dict[int, str] = {}

    def path(self, node: int) -> str:
        """Return the path of a node; above the root it is empty."""
        missing = []
        while node >= 0 and node not in self._trail:
            missing.append(node)
            node = self._parents[node]
        # Drop everything below the last common ancestor.
        while self._trail and next(reversed(self._trail)) != node:
            self._trail.popitem()
        path = self._trail.get(node, "")
        for row in reversed(missing):
            path = self._trail[row] = f"{path}/{self._steps[row]}"
        return path


def _shallow(document: Document, nodes: list[int]) -> list[int]:
    """Return each node, or its ancestor at the maximum depth."""
    columns = document.nodes
    depths: list[int] = columns.depth.take(nodes).tolist()
    if max(depths) <= MAX_PATH_DEPTH:
        return nodes
    return list(_ancestors(document, nodes, depths))


def _ancestors(document: Document, nodes: list[int], depths: list[int]) -> Iterator[int]:
    columns = document.nodes
    subtree = range(0)
    for node, depth in zip(nodes, depths, strict=True):
        if depth <= MAX_PATH_DEPTH:
            yield node
            continue
        # Mostly the ancestor of the previous node, too.
        if node not in subtree:
            above = node
            while columns.depth[above] > MAX_PATH_DEPTH:
                above = int(columns.parent[above])
            subtree = range(above, int(columns.end[above]))
        yield subtree.start
