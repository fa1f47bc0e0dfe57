"""Link collections: the groups in which a page's links stand together (a navigation bar, a list of cards, a footer).

From each link we climb to the nearest ancestor under which at least two children lead down to links *like it*: by the
same tags, to an element of the same first class. That ancestor is the container, and the links like it are one
collection; a card's picture, headline and section label thus form three collections of one container, so that what
always points to sections is not mixed with what points to articles. A link that nothing repeats stands alone.

A collection keeps its **identity** from one snapshot to the next, while its items come, move and go: it is a hash of
the tags above the container, the shape below it, and its number among the collections of the page that are equal in
both. No index, class, id or text of anything above the links goes into it, because those change.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from broadsheet.document._link_collections import group_links
from broadsheet.document.columns import Hrefs, Ints, Nodes


@dataclass(frozen=True, slots=True, eq=False)
class LinkCollections:
    """One row per collection, in the order of their first links; the links' own columns stand in `Links`."""

    #: The element that holds the collection, -1 for a link that stands alone in the page.
    container: Ints
    #: What a collection is recognised by in another snapshot of the page.
    identity: NDArray[np.uint64]
    #: How many links it holds.
    size: Ints

    def __len__(self) -> int:
        """Return the number of collections."""
        return len(self.container)


def collect(nodes: Nodes, hrefs: Hrefs) -> tuple[LinkCollections, Ints, Ints]:
    """Return the collections, and for each link its collection and its position in it."""
    collection, position, container, identity = group_links(nodes.parent, nodes.tag, hrefs.node, hrefs.style)
    size = np.bincount(collection, minlength=len(container)).astype(np.int32)
    return LinkCollections(container, identity, size), collection, position
