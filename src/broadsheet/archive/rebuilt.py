"""What a repair has found for the new catalogue so far."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from broadsheet.archive.front_records import FeedRecord, FrontRecord
from broadsheet.archive.link_rows import LinkRows
from broadsheet.archive.page_records import (
    NEVER_FETCHED,
    AgendaEntry,
    FetchRecord,
    Membership,
    PageRecord,
    PageState,
    VerdictRecord,
)
from broadsheet.archive.salvage import VisitRow
from broadsheet.archive.source_records import SourceRecord
from broadsheet.base.records import Kind


@dataclass(slots=True)
class Rebuilt:
    """Everything that a catalogue says of sources, pages and articles."""

    sources: dict[str, SourceRecord] = field(default_factory=dict)
    #: The pages' addresses; what else is known of them stands in the next two, by their keys.
    pages: dict[str, PageRecord] = field(default_factory=dict)
    fetches: dict[str, FetchRecord] = field(default_factory=dict)
    verdicts: dict[str, VerdictRecord] = field(default_factory=dict)
    #: By source and page.
    members: dict[tuple[str, str], Membership] = field(default_factory=dict)
    #: By source and page.
    agenda: dict[tuple[str, str], AgendaEntry] = field(default_factory=dict)
    #: By source and page.
    feeds: dict[tuple[str, str], FeedRecord] = field(default_factory=dict)
    #: By source and page.
    fronts: dict[tuple[str, str], FrontRecord] = field(default_factory=dict)
    #: The last visit of each page whose answer was kept whole.
    contents: dict[str, VisitRow] = field(default_factory=dict)
    #: The versions of each article, as rows, in the order of their visits.
    versions: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    #: The links of sections whose link rows are gone.
    links: dict[int, LinkRows] = field(default_factory=dict)
    reread: int = 0
    lost: list[str] = field(default_factory=list)

    def kind(self, key: str) -> Kind | None:
        """Return what a page was judged to be."""
        judged = self.verdicts.get(key)
        return judged.verdict.kind if judged else None

    def state(self, key: str) -> PageState:
        """Return what came of asking for a page."""
        return self.fetches.get(key, NEVER_FETCHED).state

    def records(self) -> Iterator[PageRecord]:
        """Give the pages with what is known of them."""
        for key, page in self.pages.items():
            yield replace(page, fetch=self.fetches.get(key, NEVER_FETCHED), judged=self.verdicts.get(key))
