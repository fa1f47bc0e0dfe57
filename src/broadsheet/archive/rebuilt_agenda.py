"""The agenda of a rebuilt catalogue: what is left of the old one, home pages, sections, and what was never fetched."""

from dataclasses import replace
from datetime import datetime, timedelta

from broadsheet.archive.page_records import (
    NEVER_FETCHED,
    PRIORITIES,
    AgendaEntry,
    Membership,
    PageRecord,
    PageState,
    VisitReason,
)
from broadsheet.archive.rebuilt import Rebuilt
from broadsheet.archive.salvage import Salvage


def plan(rebuilt: Rebuilt, saved: Salvage, now: datetime, *, was_lost: bool) -> None:
    """Add what the agenda lacks: home pages, sections, and pages that are gone; what was wanted only if it was lost."""
    _follow_sections(rebuilt, saved)
    for key, source in rebuilt.sources.items():
        rebuilt.pages.setdefault(key, PageRecord(key=key, url=source.url, first_seen=source.added_at))
        member = Membership(source=key, page=key, first_seen=source.added_at, found_on=key)
        rebuilt.members.setdefault((key, key), member)
        _follow(rebuilt, key, key, now)
    wanted = _fetch_again(rebuilt, now)
    if was_lost:
        wanted |= {
            key: page.first_seen or now
            for key, page in rebuilt.pages.items()
            if rebuilt.state(key) is PageState.KNOWN and rebuilt.kind(key) == "article" and page.duplicate_of is None
        }
    for place, member in rebuilt.members.items():
        if member.page in wanted:
            due, reason = wanted[member.page], VisitReason.CANDIDATE
            entry = AgendaEntry(source=member.source, page=member.page, due=due, reason=reason)
            rebuilt.agenda.setdefault(place, entry)


def _follow_sections(rebuilt: Rebuilt, saved: Salvage) -> None:
    """Plan the next visits of home pages and sections, each so long after its last one as its source says."""
    for _, row in sorted(saved.visits.items(), reverse=True):
        key, source = row["page"], row["source"]
        is_section = rebuilt.kind(key) == "section" and rebuilt.state(key) in {PageState.KNOWN, PageState.FETCHED}
        if source is not None and (key == source or is_section):
            _follow(rebuilt, source, key, row["fetched_at"] + timedelta(seconds=rebuilt.sources[source].every))


def _follow(rebuilt: Rebuilt, source: str, key: str, due: datetime) -> None:
    reason = VisitReason.HOME if key == source else VisitReason.SECTION
    entry = AgendaEntry(
        source=source,
        page=key,
        due=due,
        reason=reason,
        priority=PRIORITIES[reason],
        every=rebuilt.sources[source].every,
    )
    rebuilt.agenda.setdefault((source, key), entry)


def _fetch_again(rebuilt: Rebuilt, now: datetime) -> dict[str, datetime]:
    """Correct what is said of fetched pages that are gone, and return the articles among them, to be fetched now."""
    wanted: dict[str, datetime] = {}
    for key, fetch in list(rebuilt.fetches.items()):
        if key in rebuilt.contents:
            continue
        # Asked for only if it changed, it would be answered 304 for ever.
        rebuilt.fetches[key] = replace(fetch, etag=None, last_modified=None)
        page = rebuilt.pages.get(key)
        is_article = fetch.state is PageState.FETCHED and rebuilt.kind(key) == "article"
        if page is not None and is_article and key not in rebuilt.versions:
            rebuilt.lost.append(f"{page.url}: nothing of the page is left; the next crawl fetches it again")
            rebuilt.fetches[key] = NEVER_FETCHED
            wanted[key] = now
    return wanted
