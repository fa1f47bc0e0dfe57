"""The typed hypergraph of a source, derived from what an archive stores: visits, link occurrences and verdicts."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

import pyarrow as pa
import pyarrow.compute as pc

from broadsheet.archive.page_records import PageRecord, VisitReason
from broadsheet.archive.store import Store
from broadsheet.reading import is_page_of
from broadsheet.sources.typed_hypergraph import FatherSon, TypedHypergraph, TypedPage

_FETCHED = (200, 304)
_COLUMNS = ("visit", "target", "anchor")


@dataclass(slots=True)
class _Times:
    """When a page had the links that one visit stored: in that visit, and in those that found it unchanged."""

    page: str
    times: list[datetime] = field(default_factory=list)


@dataclass(slots=True)
class _Arc:
    """The times of a link from page to page; the rows of a visit lie together, and several of them count once."""

    visit: int = -1
    visits: int = 0
    times: tuple[datetime, ...] = ()

    def add(self, visit: int, content: _Times) -> None:
        """Count a stored list of links."""
        if visit != self.visit:
            self.visit = visit
            self.visits += len(content.times)
            times = (*self.times, *content.times)
            self.times = min(times), max(times)


def source_graph(store: Store, source: str) -> TypedHypergraph:
    """Return the graph of a source, given by its address or key; feeds and pages of other sites are left out."""
    record = store.find_source(source)
    contents, observed = _visits(store, record.key)
    feeds = {feed.page for feed in store.feeds(record.key) if feed.form is not None}
    members = (store.page_keys(source=record.key) | {record.key}) - feeds
    arcs: dict[tuple[str, str], _Arc] = {}
    labels: dict[str, Counter[str]] = {}
    wanted = pc.field("visit").isin(pa.array(list(contents), pa.int64()))
    for batch in store.occurrences().to_batches(columns=list(_COLUMNS), filter=wanted):
        for visit, target, anchor in zip(*(batch[name].to_pylist() for name in _COLUMNS), strict=True):
            if target not in members:
                continue
            content = contents[visit]
            arcs.setdefault((content.page, target), _Arc()).add(visit, content)
            if anchor:
                labels.setdefault(target, Counter())[anchor] += 1
    found = store.pages(members)
    pages = {key: TypedPage(key, page.url, page.kind, _label(labels.get(key))) for key, page in found.items()}
    known = [
        FatherSon(father, son, min(arc.times), max(arc.times), arc.visits)
        for (father, son), arc in arcs.items()
        if son in pages and father in pages
    ]
    observed = {key: times for key, times in observed.items() if key in pages}
    return TypedHypergraph(record.key, pages, known, observed, _further_pages(store, record.key, found))


def _further_pages(store: Store, source: str, pages: Mapping[str, PageRecord]) -> frozenset[str]:
    """Return the pages that continue the list on which they were found, or were visited because they do."""
    lists = {key: page for key, page in pages.items() if page.kind == "section"}
    members = store.members(source, lists)
    before = store.pages({member.found_on for member in members.values()})
    continuing = {
        key
        for key, member in members.items()
        if member.found_on in before and is_page_of(lists[key].url, before[member.found_on].url, member.anchor)
    }
    wanted = (pc.field("source") == source) & (pc.field("why") == VisitReason.FURTHER_PAGE.value)
    visited = set(store.visits().to_table(columns=["page"], filter=wanted)["page"].to_pylist())
    return frozenset((continuing | visited) - {section.page.key for section in store.sections(source)})


def _visits(store: Store, source: str) -> tuple[dict[int, _Times], dict[str, tuple[datetime, datetime]]]:
    """Return the times of each stored list of links, and from when to when each page was observed."""
    columns = ["visit", "page", "fetched_at", "same_as"]
    wanted = (pc.field("source") == source) & pc.field("status").isin(_FETCHED)
    contents: dict[int, _Times] = {}
    observed: dict[str, tuple[datetime, datetime]] = {}
    for row in store.visits().to_table(columns=columns, filter=wanted).to_pylist():
        page, at = row["page"], row["fetched_at"]
        visit = row["visit"] if row["same_as"] is None else row["same_as"]
        contents.setdefault(visit, _Times(page)).times.append(at)
        first, last = observed.get(page, (at, at))
        observed[page] = min(first, at), max(last, at)
    return contents, observed


def _label(texts: Counter[str] | None) -> str:
    """Return the commonest text of the links to a page, the shortest of equals."""
    counts = texts or Counter()
    return min(counts, key=lambda text: (-counts[text], len(text), text), default="")
