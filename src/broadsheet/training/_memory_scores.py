"""How well the memory reader labels pages: by piece and by character, pooled, and as means over sites."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.records import Label
from broadsheet.reading.double_tags import LETTERS
from broadsheet.reading.memory_reader import MemoryModels, decide, label_probabilities
from broadsheet.training._memory_stages import VotedPage

#: The thesis has this many pages of every source.
MANY_PAGES = 4
_UNITS = ("piece", "character")
_STAGES = ("memory alone", "decided")
_LABELS = np.array(list(LETTERS), np.int8)

Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class PageScore:
    """What is right, found and there on a page: by stage, label and unit."""

    site: str
    counts: Counts

    @classmethod
    def of(cls, page: VotedPage, models: MemoryModels) -> "PageScore":
        """Label a page by memory alone, and by all classifiers, and compare with its labels."""
        document, labels = page.page.document, page.page.labels
        by_votes = _LABELS[np.argmax(page.votes, axis=1)]
        decided = decide(document, label_probabilities(document, page.votes, page.distances, models))
        characters = np.diff(document.sums.characters)
        counts = np.zeros((len(_STAGES), len(LETTERS), len(_UNITS), 3), np.int64)
        for stage, found in enumerate((by_votes, decided)):
            for place, label in enumerate(LETTERS):
                masks = (labels == label) & (found == label), found == label, labels == label
                counts[stage, place] = [[mask.sum() for mask in masks], [characters[mask].sum() for mask in masks]]
        return cls(page.page.site, counts)


def score_lines(name: str, scores: Sequence[PageScore]) -> Iterator[str]:
    """Yield the measures of some pages, and those of the sites with many of them."""
    yield from _lines(name, scores)
    often = [page.site for page in scores]
    many = [page for page in scores if often.count(page.site) >= MANY_PAGES]
    if many:
        yield from _lines(f"{name}, those with at least {MANY_PAGES} pages", many)


def _lines(name: str, scores: Sequence[PageScore]) -> Iterator[str]:
    by_site: dict[str, Counts] = {}
    for page in scores:
        by_site[page.site] = by_site.get(page.site, np.int64(0)) + page.counts
    total = np.sum([page.counts for page in scores], axis=0)
    yield f"{name}: {len(scores)} pages of {len(by_site)} sites"
    for stage, stage_name in enumerate(_STAGES):
        for place, label in enumerate(LETTERS):
            if label == Label.GARBAGE:
                continue
            for unit, unit_name in enumerate(_UNITS):
                own = [f for counts in by_site.values() if (f := _f(counts[stage, place, unit])) is not None]
                right, found, there = total[stage, place, unit].tolist()
                yield (
                    f"  {stage_name}, {label.name.lower()} by {unit_name}: precision {right / max(found, 1):.3f},"
                    f" recall {right / max(there, 1):.3f}, F {2 * right / max(found + there, 1):.3f},"
                    f" mean F of sites {np.mean(own) if own else 0:.3f}"
                )


def _f(counts: Counts) -> float | None:
    """Return F, or None if there is nothing to find."""
    right, found, there = counts.tolist()
    return 2 * right / (found + there) if there else None
