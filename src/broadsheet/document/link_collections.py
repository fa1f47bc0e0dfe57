"""Link collections: groups of links that belong together (a navigation bar, a list of cards, a footer).

From each link we climb to the nearest ancestor with at least two children that contain *similar* links: links reached
by the same tags whose elements have the same first class. That ancestor is the container, and the similar links form
one collection. The picture, headline and section label of a list of cards thus form three collections with one
container, which keeps links to sections apart from links to articles. A link with no similar ones is alone in its
collection.

A collection keeps its **identity** from one snapshot to the next while its items come, move and go. The identity is a
hash of the tags above the container, the tags below it, and the collection's number among those of the page that are
equal in both. Indices, classes, ids and text above the links are left out because they change.
"""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from broadsheet.document._link_collections import group_links, largest_group
from broadsheet.document.columns import Hrefs, Ints, Nodes

#: Rises when identities are computed in another way: those of different versions do not compare.
IDENTITY_VERSION = 1


@dataclass(frozen=True, slots=True, eq=False)
class LinkCollections:
    """One row per collection, in the order of their first links; `Links` has the columns of the links themselves."""

    #: The element that contains the collection, -1 for a link without similar ones.
    container: Ints
    #: Identifies the collection in other snapshots of the page.
    identity: NDArray[np.uint64]
    #: The number of links.
    size: Ints

    def __len__(self) -> int:
        """Return the number of collections."""
        return len(self.container)


def collect(nodes: Nodes, hrefs: Hrefs) -> tuple[LinkCollections, Ints, Ints]:
    """Return the collections, and each link's collection and position in it."""
    collection, position, container, identity = group_links(nodes.parent, nodes.tag, hrefs.node, hrefs.style)
    size = np.bincount(collection, minlength=len(container)).astype(np.int32)
    return LinkCollections(container, identity, size), collection, position


def largest_collection(nodes: Nodes, hrefs: Hrefs, words: Ints, least: int) -> int:
    """Return the largest number of links with at least so many words in one collection, given their prefix sums.

    This resolves no address and names no collection, which costs more than everything else.
    """
    return largest_group(
        nodes.parent, nodes.tag, hrefs.node, hrefs.style, nodes.piece_start, nodes.piece_end, words, least
    )


def collect_paths(paths: Sequence[str]) -> tuple[NDArray[np.uint64], Ints]:
    """Return the identity of each link's collection and the position in it, from the XPaths of all links of a page.

    For links that were saved without their page. Classes are not in a path, so that links which differ in nothing else
    are in one collection; identities do not compare with those of `collect`.
    """
    numbers: dict[str, int] = {"": 0}
    parents, tags, nodes = [-1], [0], []
    for path in paths:
        above, place = "", 0
        for step in path.strip("/").split("/"):
            above += f"/{step}"
            if above not in numbers:
                numbers[above] = len(parents)
                parents.append(place)
                tags.append(zlib.crc32(step.partition("[")[0].encode()) >> 1)
            place = numbers[above]
        nodes.append(place)
    parent, tag, node = (np.array(column, np.int32) for column in (parents, tags, nodes))
    collection, position, _, identity = group_links(parent, tag, node, np.zeros(len(nodes), np.int32))
    return identity[collection], position
