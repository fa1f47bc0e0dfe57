"""The rows of a catalogue made again: from those that can still be read, and from the visits that were found."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from broadsheet.archive import article_json, warc_reading
from broadsheet.archive.archive_errors import ArchiveError
from broadsheet.archive.archive_records import LinkRows, PageRecord, PageState, RecordPlace, SourceRecord
from broadsheet.archive.batch import sortable
from broadsheet.archive.remains import Remains
from broadsheet.archive.salvage import Salvage, VisitRow
from broadsheet.base import statuses
from broadsheet.base.domains import registrable_domain
from broadsheet.base.exchange import Exchange
from broadsheet.base.records import Article, Kind, Verdict


@dataclass(frozen=True, slots=True)
class Reread:
    """What an archived page turns out to be, with its article or, of a section, its links."""

    verdict: Verdict | None = None
    article: Article | None = None
    links: LinkRows | None = None


class Rereader(Protocol):
    """Reads archived pages again, as whoever crawled them did."""

    def learn(self, url: str, exchange: Exchange) -> None:
        """Note what a section calls the pages that it links to."""
        ...

    def read(self, url: str, exchange: Exchange, known: Kind | None) -> Reread:
        """Say what a page is, unless that is known, and read it."""
        ...


@dataclass(slots=True)
class Rebuilt:
    """Everything that a catalogue says of sources, pages and articles."""

    sources: dict[str, SourceRecord] = field(default_factory=dict)
    pages: dict[str, PageRecord] = field(default_factory=dict)
    #: The last visit of each page whose answer was kept whole.
    contents: dict[str, VisitRow] = field(default_factory=dict)
    #: The versions of each article, as rows, in the order of their visits.
    versions: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    #: The links of sections whose link rows are gone.
    links: dict[int, LinkRows] = field(default_factory=dict)
    reread: int = 0
    lost: list[str] = field(default_factory=list)


def rebuild(folder: Path, remains: Remains, saved: Salvage, linked: Collection[int], rereader: Rereader) -> Rebuilt:
    """Make all rows again; `linked` are the visits whose link rows are there.

    The visits themselves get a source where they lack one, and repeat only what was found.
    """
    rebuilt = Rebuilt()
    rebuilt.sources = {source.key: source for source in remains.sources()} or _sources(saved)
    rebuilt.pages = {page.key: page for page in remains.pages() if page.source in rebuilt.sources}
    _place(rebuilt, saved)
    for row in remains.versions():
        if row["visit"] in saved.visits and row["source"] in rebuilt.sources:
            rebuilt.versions.setdefault(row["key"], []).append(row)
    wanted = list(_unread(rebuilt, saved, linked))
    if any(row["page"] not in rebuilt.pages for row in wanted):
        _learn(folder, rebuilt, linked, rereader)
    for row in wanted:
        _read(folder, rebuilt, row, rereader)
    _describe(rebuilt, saved, linked)
    for key, versions in rebuilt.versions.items():
        rebuilt.versions[key] = list(_numbered(sorted(versions, key=lambda version: version["visit"])))
    return rebuilt


def _sources(saved: Salvage) -> dict[str, SourceRecord]:
    """Return the sources that visits name, or else one for each site, which is its page with the shortest key."""
    rows = saved.visits.values()
    keys = {row["source"] for row in rows if row["source"]}
    if not keys:
        homes: dict[str, str] = {}
        for row in rows:
            site = registrable_domain(row["url"])
            homes[site] = min(homes.get(site, row["page"]), row["page"], key=lambda key: (len(key), key))
        keys = set(homes.values())
    sources: dict[str, SourceRecord] = {}
    for row in sorted(rows, key=lambda row: row["visit"]):
        if row["page"] in keys:
            known = sources.get(row["page"]) or SourceRecord(
                key=row["page"], url=row["url"], name=row["page"], added_at=row["fetched_at"]
            )
            sources[row["page"]] = replace(known, rounds=known.rounds + 1)
    return sources


def _place(rebuilt: Rebuilt, saved: Salvage) -> None:
    """Give every visit a source and a visit that it repeats, if that was found; note the contents of pages."""
    sites = {registrable_domain(source.url): key for key, source in reversed(rebuilt.sources.items())}
    for visit, row in sorted(saved.visits.items()):
        page = rebuilt.pages.get(row["page"])
        if row["source"] not in rebuilt.sources:
            row["source"] = page.source if page else sites.get(registrable_domain(row["url"]))
        if row["same_as"] not in saved.visits:
            row["same_as"] = None
        if _is_content(saved, visit):
            rebuilt.contents[row["page"]] = row


def _is_content(saved: Salvage, visit: int) -> bool:
    row = saved.visits[visit]
    return row["status"] in statuses.CONTENT and row["same_as"] is None and visit in saved.whole


def _unread(rebuilt: Rebuilt, saved: Salvage, linked: Collection[int]) -> Iterator[VisitRow]:
    """Give the visits that may hold an article, or a section's links, of which nothing is left but the page."""
    read = {(key, row["visit"]) for key, rows in rebuilt.versions.items() for row in rows}
    for visit, row in sorted(saved.visits.items()):
        page = rebuilt.pages.get(row["page"])
        is_settled = page is not None and (page.kind == "other" or page.state is PageState.DUPLICATE)
        is_read = visit in linked or (row["page"], visit) in read
        if _is_content(saved, visit) and row["source"] and not (is_settled or is_read):
            yield row


def _learn(folder: Path, rebuilt: Rebuilt, linked: Collection[int], rereader: Rereader) -> None:
    for row in rebuilt.contents.values():
        page = rebuilt.pages.get(row["page"])
        if not linked or row["visit"] in linked or row["page"] in rebuilt.sources or (page and page.kind == "section"):
            rereader.learn(row["url"], _exchange(folder, row))


def _read(folder: Path, rebuilt: Rebuilt, row: VisitRow, rereader: Rereader) -> None:
    key = row["page"]
    page = rebuilt.pages.get(key)
    kind = "section" if key in rebuilt.sources else page.kind if page else None
    try:
        found = rereader.read(row["url"], _exchange(folder, row), kind)
    except ArchiveError as error:
        rebuilt.lost.append(f"{row['url']}: {error}")
        return
    rebuilt.reread += 1
    if found.links is not None:
        rebuilt.links[row["visit"]] = found.links
    if found.article is not None:
        rebuilt.versions.setdefault(key, []).append(_version(row, found.article))
    if page is None:
        rebuilt.pages[key] = _page(row, found.verdict)


def _describe(rebuilt: Rebuilt, saved: Salvage, linked: Collection[int]) -> None:
    """Add a row for every visited page that has none, and correct those that speak of what is gone."""
    for visit, row in sorted(saved.visits.items()):
        key = row["page"]
        if row["source"] is None:
            continue
        page = rebuilt.pages.get(key) or _page(row, None)
        if key in rebuilt.sources or visit in linked or visit in rebuilt.links:
            source = rebuilt.sources[row["source"]]
            followed = page.every or source.every
            page = replace(page, kind="section", every=followed)
        rebuilt.pages[key] = replace(page, first_seen=page.first_seen or row["fetched_at"])
    for key, page in rebuilt.pages.items():
        if key not in rebuilt.contents:
            # Asked for only if it changed, it would be answered 304 for ever.
            rebuilt.pages[key] = replace(page, etag=None, last_modified=None)
            if page.state is PageState.FETCHED and page.kind == "article" and key not in rebuilt.versions:
                rebuilt.lost.append(f"{page.url}: nothing of the page is left; the next crawl fetches it again")
                rebuilt.pages[key] = replace(rebuilt.pages[key], state=PageState.QUEUED, attempts=0)


def _page(row: VisitRow, verdict: Verdict | None) -> PageRecord:
    at = row["fetched_at"]
    page = PageRecord(key=row["page"], url=row["url"], source=row["source"], first_seen=at, last_seen=at, fetched_at=at)
    page = replace(page, state=PageState.FETCHED if not statuses.is_error(row["status"]) else PageState.FAILED)
    return page.judged(verdict) if verdict else page


def _version(row: VisitRow, article: Article) -> dict[str, Any]:
    return {
        "key": row["page"],
        "source": row["source"],
        "article": article_json.to_json(article),
        "model": article.verdict.model if article.verdict else None,
        "visit": row["visit"],
        "fetched_at": row["fetched_at"],
        "moment": sortable(article.published),
        "fingerprint": article_json.fingerprint(article),
    }


def _numbered(versions: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Give versions with their numbers; one that says what the last one says is not a version."""
    said, number, moment = None, 0, None
    for version in versions:
        if version["fingerprint"] == said:
            continue
        said, number = version["fingerprint"], number + 1
        fetched = _time(version["fetched_at"])
        moment = _time(version["moment"]) if version["moment"] else (moment or fetched)
        yield {**version, "version": number, "fetched_at": fetched, "moment": moment}


def _time(stored: datetime | str) -> datetime:
    return stored if isinstance(stored, datetime) else datetime.fromisoformat(stored).replace(tzinfo=UTC)


def _exchange(folder: Path, row: VisitRow) -> Exchange:
    return warc_reading.at(folder, RecordPlace(row["warc"], row["offset"], row["length"]))
