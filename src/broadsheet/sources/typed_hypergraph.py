"""The typed hypergraph of a source: its pages with their kinds, which page led to which and when, sections by articles.

Pages are nodes, typed by the newest verdicts. An arc leads from a fetched page (father) to a page that it has linked to
(son). Each section with its articles is a hyperedge. The graph is derived again from the newest visits and verdicts, so
that every review refines it.
"""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import TypeVar

from broadsheet.base.records import Kind
from broadsheet.pages.address import split

Key = TypeVar("Key")
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class TypedPage:
    """A page of the graph: its verdict's kind (None if nobody judged it yet), and what links call it."""

    key: str
    url: str
    kind: Kind | None
    label: str = ""


@dataclass(frozen=True, slots=True)
class FatherSon:
    """An arc: a page has linked to another from the first to the last time, in so many visits."""

    father: str
    son: str
    first: datetime
    last: datetime
    visits: int


@dataclass(frozen=True, slots=True)
class SectionFacts:
    """What a section does: its articles, how many new ones appear a day, and how many of them are new to the source."""

    page: TypedPage
    #: The section above it in the tree of addresses; None for the home page.
    parent: str | None
    depth: int
    articles: int
    #: Articles that appeared on it after its first visit, per day; None before it was observed for a while.
    per_day: float | None
    #: The share of those that no other page had shown before.
    new: float | None


@dataclass(frozen=True, eq=False)
class TypedHypergraph:
    """The pages and arcs of a source; a page that is fetched is observed from its first to its last visit.

    `further` are the second and later pages of lists, which do not count as sections.
    """

    home: str
    pages: Mapping[str, TypedPage]
    arcs: Sequence[FatherSon]
    observed: Mapping[str, tuple[datetime, datetime]]
    further: AbstractSet[str] = frozenset()

    @cached_property
    def sons(self) -> Mapping[str, Sequence[FatherSon]]:
        """The arcs by father."""
        return _grouped((arc.father, arc) for arc in self.arcs)

    @cached_property
    def fathers(self) -> Mapping[str, Sequence[FatherSon]]:
        """The arcs by son."""
        return _grouped((arc.son, arc) for arc in self.arcs)

    def sections(self) -> list[TypedPage]:
        """Return the sections without the further pages of their lists, the home page first, then by address."""
        found = [
            page
            for page in self.pages.values()
            if page.key == self.home or (page.kind == "section" and page.key not in self.further)
        ]
        return sorted(found, key=lambda page: (page.key != self.home, page.key))

    def articles_of(self, section: str) -> list[FatherSon]:
        """Return the articles that a section has shown, as arcs, the newest first."""
        found = [arc for arc in self.sons.get(section, ()) if self._is_article(arc.son)]
        return sorted(found, key=lambda arc: (arc.first, arc.son), reverse=True)

    def places_of(self, page: str) -> list[FatherSon]:
        """Return where a page has been linked to and when, the first place first."""
        return sorted(self.fathers.get(page, ()), key=lambda arc: (arc.first, arc.father))

    def facts(self) -> list[SectionFacts]:
        """Return what each section does, in the order of the section tree."""
        sections = self.sections()
        parents = section_parents(self.home, [page.key for page in sections])
        below = _grouped((parent, key) for key, parent in parents.items() if parent is not None)
        ordered: list[tuple[str, int]] = []
        open_pages = [(self.home, 0)]
        while open_pages:
            key, depth = open_pages.pop()
            ordered.append((key, depth))
            open_pages += [(each, depth + 1) for each in sorted(below.get(key, ()), reverse=True)]
        return [self._facts(key, parents[key], depth) for key, depth in ordered if key in self.pages]

    def _facts(self, key: str, parent: str | None, depth: int) -> SectionFacts:
        articles = self.articles_of(key)
        per_day = new = None
        if key in self.observed:
            first, last = self.observed[key]
            days = (last - first).total_seconds() / 86_400
            appeared = [arc for arc in articles if arc.first > first]
            if days > 0:
                per_day = len(appeared) / days
            if appeared:
                new = sum(self._is_first(arc) for arc in appeared) / len(appeared)
        return SectionFacts(self.pages[key], parent, depth, len(articles), per_day, new)

    def _is_article(self, key: str) -> bool:
        return key in self.pages and self.pages[key].kind == "article"

    def _is_first(self, arc: FatherSon) -> bool:
        return all(other.first >= arc.first for other in self.fathers[arc.son])


def section_parents(home: str, keys: Iterable[str]) -> dict[str, str | None]:
    """Return the section above each: that whose address is the longest beginning of its own, else the home page."""
    paths = {key: (split(key).host, *(part for part in split(key).path.split("/") if part)) for key in keys}
    by_path = {path: key for key, path in sorted(paths.items(), reverse=True)}
    parents: dict[str, str | None] = {}
    for key, path in paths.items():
        above = (by_path.get(path[:length]) for length in range(len(path) - 1, 0, -1))
        parent = next((each for each in above if each is not None and each != key), home)
        parents[key] = None if key == home else parent
    return parents


def _grouped(pairs: Iterable[tuple[Key, Value]]) -> dict[Key, list[Value]]:
    groups: dict[Key, list[Value]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups
