"""Instances of generated pages, for the tests of memory-based learning."""

from functools import cache, partial

import numpy as np
from numpy.typing import NDArray

from broadsheet.experiments._generated import generate
from broadsheet.experiments.memory_study._memory_pages import TaggedPage, tag_page

Ints = NDArray[np.int32]
PAGES = 12


@cache
def generated_instances() -> tuple[Ints, Ints, Ints]:
    """Return features, codes of double tags and page numbers of a few pages of the simulated news web."""
    found = (tag_page(page, partial(_ignore)) for number, page in enumerate(generate()) if number % 8 == 0)
    pages: list[TaggedPage] = [page for page in found if page][:PAGES]
    numbers = np.repeat(np.arange(len(pages), dtype=np.int32), [len(page.tags) for page in pages])
    return np.concatenate([page.features for page in pages]), np.concatenate([page.tags for page in pages]), numbers


def _ignore(reason: str) -> None:
    del reason
