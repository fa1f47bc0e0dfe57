"""The rows of a catalogue made again: from those that can still be read, and from the visits that were found."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from broadsheet.archive import (
    article_json,
    linked_targets,
    parquet_files,
    rebuilt_agenda,
    rebuilt_feeds,
    rebuilt_pages,
    tables,
    warc_reading,
)
from broadsheet.archive.archive_errors import ArchiveError
from broadsheet.archive.article_records import RecordPlace
from broadsheet.archive.checked_rows import to_utc
from broadsheet.archive.link_rows import LinkRows
from broadsheet.archive.page_records import PageState, VerdictRecord
from broadsheet.archive.rebuilt import Rebuilt
from broadsheet.archive.remains import Remains
from broadsheet.archive.salvage import Salvage, VisitRow
from broadsheet.archive.source_records import SourceRecord
from broadsheet.archive.stored_versions import sortable
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


def rebuild(  # noqa: PLR0913, PLR0917 - what is left, and what to make of it
    folder: Path,
    remains: Remains,
    saved: Salvage,
    rereader: Rereader,
    now: datetime,
    forgotten_sources: Collection[str] = (),
) -> Rebuilt:
    """Make all rows again, but for those of forgotten pages and sources.

    The visits themselves get a source where they lack one, and repeat only what was found.
    """
    linked = linked_targets.linking_visits(folder)
    rebuilt = _remaining(remains, saved, forgotten_sources)
    kept = frozenset(rebuilt.members)
    _place(rebuilt, saved)
    wanted = list(_unread(rebuilt, saved, linked | _unlinked(rebuilt, saved, remains)))
    if any(row["page"] not in rebuilt.verdicts for row in wanted):
        _learn(folder, rebuilt, linked, rereader)
    for row in wanted:
        _read(folder, rebuilt, row, rereader)
    rebuilt_pages.describe(rebuilt, saved)
    if not remains.is_whole(tables.pages, tables.members):
        rebuilt_pages.find_targets(rebuilt, linked_targets.targets(folder, rebuilt.links, saved.visits), kept)
    rebuilt_pages.judge(rebuilt, saved, linked)
    rebuilt_pages.forget(rebuilt, saved.forgotten_pages, forgotten_sources)
    rebuilt_agenda.plan(rebuilt, saved, now, was_lost=not remains.is_whole(tables.agenda))
    if not remains.is_whole(tables.feeds):
        rebuilt_feeds.find_feeds(rebuilt, saved, now)
    rebuilt_pages.drop_unknown(rebuilt)
    for key, versions in rebuilt.versions.items():
        rebuilt.versions[key] = list(_numbered(sorted(versions, key=lambda version: version["visit"])))
    return rebuilt


def _remaining(remains: Remains, saved: Salvage, forgotten_sources: Collection[str]) -> Rebuilt:
    """Return what can still be read of the old catalogue; of the versions, those whose pages are still there."""
    followed = (source for source in remains.sources() if source.key not in forgotten_sources)
    rebuilt = Rebuilt(sources={source.key: source for source in followed})
    rebuilt.sources |= _sources(saved, rebuilt.sources, forgotten_sources)
    rebuilt.pages = {page.key: page for page in remains.pages()}
    rebuilt.fetches, rebuilt.verdicts = dict(remains.fetches()), dict(remains.verdicts())
    rebuilt.members = {(member.source, member.page): member for member in remains.members()}
    rebuilt.agenda = {(entry.source, entry.page): entry for entry in remains.agenda()}
    rebuilt.feeds = {(feed.source, feed.page): feed for feed in remains.feeds()}
    rebuilt.fronts = {(front.source, front.page): front for front in remains.fronts()}
    for row in remains.versions():
        visit = saved.visits.get(row["visit"])
        if visit is not None and visit["warc"] != parquet_files.REMOVED and row["source"] in rebuilt.sources:
            rebuilt.versions.setdefault(row["key"], []).append(row)
    return rebuilt


def _sources(saved: Salvage, remaining: Collection[str], forgotten: Collection[str]) -> dict[str, SourceRecord]:
    """Return more sources that visits name, or else one for each site, which is its page with the shortest key."""
    rows = saved.visits.values()
    keys = {row["source"] for row in rows if row["source"]}.difference(remaining, forgotten)
    if not keys and not remaining:
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
            sources[row["page"]] = replace(known, snapshots=known.snapshots + 1)
    return sources


def _place(rebuilt: Rebuilt, saved: Salvage) -> None:
    """Give every visit a source and a visit that it repeats, if that was found; note the contents of pages."""
    sites = {registrable_domain(source.url): key for key, source in reversed(rebuilt.sources.items())}
    owners = {page: source for source, page in reversed(rebuilt.members) if source in rebuilt.sources}
    for visit, row in sorted(saved.visits.items()):
        if row["source"] not in rebuilt.sources:
            row["source"] = owners.get(row["page"]) or sites.get(registrable_domain(row["url"]))
        if row["same_as"] not in saved.visits:
            row["same_as"] = None
        if _is_content(saved, visit):
            rebuilt.contents[row["page"]] = row


def _is_content(saved: Salvage, visit: int) -> bool:
    row = saved.visits[visit]
    return row["status"] in statuses.CONTENT and row["same_as"] is None and visit in saved.whole


def _unlinked(rebuilt: Rebuilt, saved: Salvage, remains: Remains) -> set[int]:
    """Return the visits whose links a keep rule may have removed: they are not read again."""
    before = {row["source"]: row["before"] for row in remains.prunings() if row["kind"] == "links"}
    newest = {row["visit"] for row in rebuilt.contents.values()}
    old = (
        visit
        for visit, row in saved.visits.items()
        if (row["source"] or "") in before and row["fetched_at"] < before[row["source"] or ""]
    )
    return set(old) - newest


def _unread(rebuilt: Rebuilt, saved: Salvage, linked: Collection[int]) -> Iterator[VisitRow]:
    """Give the visits that may hold an article, or a section's links, of which nothing is left but the page."""
    read = {(key, row["visit"]) for key, rows in rebuilt.versions.items() for row in rows}
    for visit, row in sorted(saved.visits.items()):
        is_settled = rebuilt.kind(row["page"]) == "other" or rebuilt.state(row["page"]) is PageState.DUPLICATE
        is_read = visit in linked or (row["page"], visit) in read
        if _is_content(saved, visit) and row["source"] and not (is_settled or is_read):
            yield row


def _learn(folder: Path, rebuilt: Rebuilt, linked: Collection[int], rereader: Rereader) -> None:
    for row in rebuilt.contents.values():
        is_section = row["page"] in rebuilt.sources or rebuilt.kind(row["page"]) == "section"
        if not linked or row["visit"] in linked or is_section:
            rereader.learn(row["url"], _exchange(folder, row))


def _read(folder: Path, rebuilt: Rebuilt, row: VisitRow, rereader: Rereader) -> None:
    key = row["page"]
    kind: Kind | None = "section" if key in rebuilt.sources else rebuilt.kind(key)
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
    if found.verdict is not None:
        rebuilt.verdicts.setdefault(key, VerdictRecord(verdict=found.verdict, at=row["fetched_at"]))


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
        fetched = to_utc(version["fetched_at"])
        moment = to_utc(version["moment"]) if version["moment"] else (moment or fetched)
        reread = version.get("reread_at")
        times = {"fetched_at": fetched, "moment": moment, "reread_at": to_utc(reread) if reread else None}
        yield {**version, "version": number, **times}


def _exchange(folder: Path, row: VisitRow) -> Exchange:
    return warc_reading.at(folder, RecordPlace(row["warc"], row["offset"], row["length"]))
