"""One round of one source, as the filters pass it on."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from broadsheet.archive import PageRecord, SourceRecord
from broadsheet.base.quotas import Quotas
from broadsheet.crawling.fetch_messages import Outcome, Request


@dataclass(slots=True)
class Sighting:
    """A target that the round's pages link to: how it is written, its best anchor text, and who links to it."""

    key: str
    url: str
    anchor: str
    from_home: bool


@dataclass(slots=True)
class Cycle:
    """What a round has found so far; each filter reads what the ones before it wrote.

    `sightings` (by key) are written by visit; `records` and `wanted` by classify; `articles` and `sections` are
    the keys that collect added to the archive.
    """

    source: SourceRecord
    number: int
    due: datetime
    home_seen: bool = False
    #: How many more pages may be collected, and how many of them on the chance that they are sections.
    budget: int = Quotas().max_fetches
    section_budget: int = Quotas().max_section_fetches
    max_sightings: int = Quotas().max_round_links
    sightings: dict[str, Sighting] = field(default_factory=dict)
    records: dict[str, PageRecord] = field(default_factory=dict)
    wanted: list[PageRecord] = field(default_factory=list)
    articles: list[str] = field(default_factory=list)
    sections: list[str] = field(default_factory=list)

    def see(self, sightings: Iterable[Sighting]) -> int:
        """Add what a page links to; of several anchors the longest says most. Return how many there is no room for."""
        dropped = 0
        for sighting in sightings:
            if len(self.sightings) >= self.max_sightings and sighting.key not in self.sightings:
                dropped += 1
                continue
            known = self.sightings.setdefault(sighting.key, sighting)
            known.from_home = known.from_home or sighting.from_home
            if len(sighting.anchor) > len(known.anchor):
                known.anchor = sighting.anchor
        return dropped

    def may_collect(self, kind: str) -> bool:
        """Take a page from the round's budget, if there is any left; what may be a section takes from its own too."""
        if self.budget <= 0 or (kind == "section" and self.section_budget <= 0):
            return False
        self.budget -= 1
        self.section_budget -= kind == "section"
        return True

    def request(self, record: PageRecord, priority: int) -> Request:
        """Return the request for a page, charged to the source and not begun after its goal is reached.

        Its outcome finds the source by `source` and the page by `tag`.
        """
        return Request(
            record.url,
            tag=record.key,
            priority=priority,
            source=self.source.key,
            not_after=self.source.until,
        )


class Filter(Protocol):
    """A step of the cycle: it may ask for pages, and ends when all it asked for have come."""

    @property
    def name(self) -> str:
        """What the step is called in progress and logs."""
        ...

    def begin(self, cycle: Cycle) -> Iterable[Request]:
        """Do what can be done at once, and say what has to be fetched."""
        ...

    def take(self, cycle: Cycle, outcome: Outcome) -> Iterable[Request]:
        """Use a page that came, or note that it did not; more may be asked for."""
        ...


@dataclass(slots=True)
class Course:
    """A cycle on its way through the filters: where it stands, and how many pages it waits for."""

    cycle: Cycle
    filters: Iterator[Filter]
    filter: Filter
    waiting: int = 0
