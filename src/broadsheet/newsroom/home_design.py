"""Has a home page been redesigned? Told from its link collections: the lists, menus and boxes that its links lie in."""

from collections.abc import Collection
from dataclasses import replace

from broadsheet.archive import LinkRows, PhaseRecord

#: The collections that are remembered of a home page: those with the smallest names, which are as good as drawn by lot.
SAMPLED = 48
#: A page with fewer links or collections is empty, broken or a notice; it says nothing about the design.
MIN_LINKS, MIN_COLLECTIONS = 10, 4
#: A design is another one if it shares at most this with the one before, and stays if it shares at least that. A
#: redesign may keep bars, menus and footers.
MAX_SHARED, MIN_SHARED = 0.4, 0.5
#: It has to be seen in so many visits in a row; in fewer if most sections are no longer linked to either.
ODD_VISITS, ODD_VISITS_WITHOUT_SECTIONS = 3, 2
#: Sections have vanished if at most this share of those that were linked to is left.
MAX_LEFT, MIN_SECTIONS = 0.5, 3


def collections_of(rows: LinkRows) -> frozenset[str]:
    """Return a sample of the link collections of a page; nothing if it has hardly any links."""
    names = {f"{rows.version}/{name}" for name in rows.collections}
    if len(rows) < MIN_LINKS or len(names) < MIN_COLLECTIONS:
        return frozenset()
    return frozenset(sorted(names)[:SAMPLED])


class HomeDesign:
    """Compares each visit to the home page of one source with the design that is known."""

    def __init__(self) -> None:
        """Know nothing but what the archive keeps."""
        self._odd: frozenset[str] = frozenset()
        self._sections: frozenset[str] = frozenset()

    def observe(
        self, known: PhaseRecord, rows: LinkRows, sections: Collection[str]
    ) -> tuple[PhaseRecord, dict[str, float] | None]:
        """Take a visit and the sections that are followed; return what to keep, and the evidence of a redesign.

        There is one if the collections are others, or if most sections are no longer linked to.
        """
        now = collections_of(rows)
        if not now:
            return known, None
        same = shared(now, frozenset(known.collections)) if known.collections else 1.0
        left = len(self._sections.intersection(rows.targets)) / max(1, len(self._sections))
        has_vanished = len(self._sections) >= MIN_SECTIONS and left <= MAX_LEFT
        if same > MAX_SHARED and not has_vanished:
            return self._settled(known, now, rows, sections), None
        # A design that differs from visit to visit, with names that are made anew each time, is none.
        odd = known.odd + 1 if shared(now, self._odd) >= MIN_SHARED else 1
        self._odd = now
        if odd < (ODD_VISITS_WITHOUT_SECTIONS if has_vanished else ODD_VISITS):
            return replace(known, odd=odd), None
        evidence = {"collections kept": round(same, 3), "sections still linked": round(left, 3), "visits": float(odd)}
        return self._settled(known, now, rows, sections), evidence

    def _settled(
        self, known: PhaseRecord, now: frozenset[str], rows: LinkRows, sections: Collection[str]
    ) -> PhaseRecord:
        """Take this design for the one of the source."""
        self._sections = frozenset(sections).intersection(rows.targets)
        after = tuple(sorted(now))
        return replace(known, collections=after, odd=0) if (after, 0) != (known.collections, known.odd) else known


def shared(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the share of the collections of two visits that both have."""
    return len(one & other) / max(1, len(one | other))
