"""The place of a line on a page, in terms that the pages of a site share: the names of the elements around it."""

import re

import numpy as np

from broadsheet.document import Document
from broadsheet.document.columns import Ints, Tokens

#: The number of elements that name a place, including the line's own.
LEVELS = 3
#: Names are truncated to this many characters; distinguishing longer ones gains nothing.
MAX_NAME = 60

_CLASS, _ID = Tokens.KINDS.index("class"), Tokens.KINDS.index("id")
_NUMBER = re.compile(r"\d+")


def places_of(document: Document, blocks: Ints) -> list[str]:
    """Return the place of each block: the names of the elements from two levels above it down to itself."""
    parent = document.nodes.parent
    chains = [blocks]
    for _ in range(LEVELS - 1):
        above = np.where(chains[-1] >= 0, parent.take(np.maximum(chains[-1], 0)), -1)
        chains.append(above.astype(np.int32))
    wanted = np.unique(np.concatenate(chains))
    names = _names(document, wanted[wanted >= 0])
    rows = zip(*(chain.tolist() for chain in reversed(chains)), strict=True)
    return [" > ".join(names[node] for node in row if node >= 0) for row in rows]


def _names(document: Document, nodes: Ints) -> dict[int, str]:
    """Name elements by their tag and first class or else id, with all numbers replaced by 0."""
    tokens = document.tokens
    is_wanted = np.zeros(len(document.nodes), np.bool_)
    is_wanted[nodes] = True
    rows = np.flatnonzero(is_wanted.take(tokens.node) & np.isin(tokens.kind, (_CLASS, _ID)))
    classes: dict[int, int] = {}
    ids: dict[int, int] = {}
    for row, node, kind in zip(rows.tolist(), tokens.node[rows].tolist(), tokens.kind[rows].tolist(), strict=True):
        (classes if kind == _CLASS else ids).setdefault(node, row)
    names = {}
    for node in nodes.tolist():
        prefix, rows_by_node = (".", classes) if node in classes else ("#", ids)
        token = ""
        if node in rows_by_node:
            token = prefix + _NUMBER.sub("0", tokens.token(rows_by_node[node])[:MAX_NAME])
        names[node] = document.tag_name(node)[:MAX_NAME] + token
    return names
