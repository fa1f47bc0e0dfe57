"""Names chosen so that a table known from the source would put them all into one place find another table each time."""

from functools import partial

import numpy as np
import numpy.typing as npt

import broadsheet
from broadsheet.document._link_collections import group_links
from tests.attacks.growth import superlinear

Words = npt.NDArray[np.uint64]
GOLDEN, FIRST, SECOND = (np.uint64(x) for x in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))
#: How many candidates there are for each name that is wanted.
CANDIDATES = 256


def splitmix(value: Words, added: Words) -> Words:
    mixed = (value ^ added) + GOLDEN
    mixed = (mixed ^ mixed >> np.uint64(30)) * FIRST
    mixed = (mixed ^ mixed >> np.uint64(27)) * SECOND
    return mixed ^ mixed >> np.uint64(31)


def colliding_links(links: int) -> tuple[npt.NDArray[np.int32], ...]:
    """Make links, each in a box of its own, whose classes put them near the beginning of a table without a seed."""
    boxes = np.arange(1, links + 1, dtype=np.uint64)
    classes = np.arange(CANDIDATES, dtype=np.uint64)
    shapes = splitmix(classes, np.uint64(3))  # type: ignore[arg-type]
    slots = splitmix(shapes[None, :], boxes[:, None]) & np.uint64(2 ** (2 * links - 1).bit_length() - 1)
    parent = np.concatenate([[-1], np.zeros(links), boxes]).astype(np.int32)
    tag = np.concatenate([[1], np.full(links, 2), np.full(links, 3)]).astype(np.int32)
    node = np.arange(links + 1, 2 * links + 1, dtype=np.int32)
    return parent, tag, node, slots.argmin(axis=1).astype(np.int32)


def colliding_page(elements: int) -> bytes:
    """Make elements whose classes have neighbouring hashes of Fowler, Noll and Vo."""
    numbers = np.arange(elements * CANDIDATES)
    written = np.frombuffer(b"".join(b"class\0%09d\0\0" % number for number in numbers), np.uint8).reshape(
        len(numbers), -1
    )
    mixed = np.full(len(numbers), 2166136261, np.uint32)
    for column in range(written.shape[1] - 1):
        mixed = (mixed ^ written[:, column]) * np.uint32(16777619)
    chosen = np.argsort(mixed % np.uint32(2 ** (2 * elements - 1).bit_length()), kind="stable")[:elements]
    return b"".join(b"<i class=%09d>" % number + b"</i>" for number in numbers[chosen])


def test_links_that_collide_are_grouped_in_linear_time() -> None:
    made = {links: colliding_links(links) for links in (10_000, 40_000)}

    assert superlinear(lambda links: group_links(*links), made.__getitem__, (40_000,)) is None


def test_attributes_that_collide_are_told_apart_in_linear_time() -> None:
    pages = {size: broadsheet.parse(colliding_page(size)) for size in (4_000, 16_000)}

    act = partial(broadsheet.Document.attribute_sets, valued=["class"], named=[])
    assert superlinear(act, pages.__getitem__, (16_000,)) is None
