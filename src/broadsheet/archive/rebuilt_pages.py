"""Pages of a catalogue that is rebuilt: what visits and links say where the old rows are gone."""

from collections.abc import Collection, Iterable
from collections.abc import Set as AbstractSet
from dataclasses import replace

from broadsheet.archive import article_json
from broadsheet.archive.checked_rows import to_utc
from broadsheet.archive.linked_targets import LinkedTarget
from broadsheet.archive.page_records import (
    NEVER_FETCHED,
    FetchRecord,
    Membership,
    PageRecord,
    PageState,
    VerdictRecord,
    VisitReason,
)
from broadsheet.archive.rebuilt import Rebuilt
from broadsheet.archive.salvage import Salvage, VisitRow
from broadsheet.base import statuses
from broadsheet.base.domains import registrable_domain
from broadsheet.base.records import Verdict

_FOLLOWED = frozenset((VisitReason.HOME, VisitReason.SECTION))
_SECTION = Verdict("section", None, 1.0, {"section": 1.0}, ("it was visited as a section",), "repair")


def describe(rebuilt: Rebuilt, saved: Salvage) -> None:
    """Add every visited page that is missing, with what came of its visits, and to the sources it was visited for."""
    remaining = frozenset(rebuilt.fetches)
    for _, row in sorted(saved.visits.items()):
        key, source, at = row["page"], row["source"], row["fetched_at"]
        if source is None:
            continue
        page = rebuilt.pages.get(key) or PageRecord(key=key, url=row["url"])
        rebuilt.pages[key] = replace(page, first_seen=page.first_seen or at)
        member = Membership(source=source, page=key, first_seen=at, found_on=source)
        rebuilt.members.setdefault((source, key), member)
        if key not in remaining:
            rebuilt.fetches[key] = _fetched(row, rebuilt.fetches.get(key, NEVER_FETCHED))


def _fetched(row: VisitRow, before: FetchRecord) -> FetchRecord:
    """Return what came of asking for a page, after one more visit."""
    if not statuses.is_error(row["status"]):
        return FetchRecord(state=PageState.FETCHED, fetched_at=row["fetched_at"])
    if row["status"] in statuses.GONE:
        return replace(before, state=PageState.GONE)
    return before if before.state is PageState.FETCHED else replace(before, state=PageState.FAILED)


def find_targets(rebuilt: Rebuilt, targets: Iterable[LinkedTarget], kept: Collection[tuple[str, str]]) -> None:
    """Add the pages of their own sites that sources link to, fetched or not; `kept` members stay as they are."""
    sites = {key: registrable_domain(source.url) for key, source in rebuilt.sources.items()}
    for target in targets:
        if registrable_domain(target.url) == sites.get(target.source):
            place = target.source, target.key
            if place not in kept:
                rebuilt.members[place] = _joined(rebuilt.members.get(place), target)
            page = PageRecord(key=target.key, url=target.url, first_seen=target.at)
            rebuilt.pages.setdefault(target.key, page)
    # Which of these pages are wanted is for the next review to say.
    rebuilt.sources = {key: replace(source, reviewed_at=None) for key, source in rebuilt.sources.items()}


def _joined(known: Membership | None, target: LinkedTarget) -> Membership:
    """Return that a source leads to a target, seen when it was first linked, with the longest link text."""
    found = Membership(
        source=target.source, page=target.key, first_seen=target.at, found_on=target.page, anchor=target.anchor
    )
    if known is None:
        return found
    first = min(found, known, key=lambda member: member.first_seen)
    return replace(first, anchor=max(known.anchor, found.anchor, key=len))


def judge(rebuilt: Rebuilt, saved: Salvage, linked: Collection[int]) -> None:
    """Give pages without a verdict that of their article, or that of a section if they were visited as one."""
    for key, versions in rebuilt.versions.items():
        newest = max(versions, key=lambda version: version["visit"])
        verdict = article_json.from_json(newest["article"]).verdict
        if verdict is not None:
            rebuilt.verdicts.setdefault(key, VerdictRecord(verdict=verdict, at=to_utc(newest["fetched_at"])))
    for visit, row in sorted(saved.visits.items()):
        # Layouts before 4 kept no reasons, and the links of sections only.
        is_linking = row["why"] is None and (visit in linked or visit in rebuilt.links)
        if row["page"] in rebuilt.sources or row["why"] in _FOLLOWED or is_linking:
            rebuilt.verdicts.setdefault(row["page"], VerdictRecord(verdict=_SECTION, at=row["fetched_at"]))


def forget(rebuilt: Rebuilt, pages: AbstractSet[str], sources: Collection[str]) -> None:
    """Take out what links, or rows of a catalogue older than their tombstones, still say of what was forgotten."""
    for known in (rebuilt.pages, rebuilt.fetches, rebuilt.verdicts):
        for key in pages & known.keys():
            del known[key]
    for places in (rebuilt.members, rebuilt.agenda, rebuilt.feeds, rebuilt.fronts):
        for place in [(source, page) for source, page in places if source in sources or page in pages]:
            del places[place]


def drop_unknown(rebuilt: Rebuilt) -> None:
    """Drop what is said of pages and sources that nobody knows any more, and say how much that was."""
    before = _rows(rebuilt)
    rebuilt.fetches = {key: fetch for key, fetch in rebuilt.fetches.items() if key in rebuilt.pages}
    rebuilt.verdicts = {key: verdict for key, verdict in rebuilt.verdicts.items() if key in rebuilt.pages}
    rebuilt.members = {place: member for place, member in rebuilt.members.items() if _is_known(rebuilt, *place)}
    rebuilt.agenda = {place: entry for place, entry in rebuilt.agenda.items() if _is_known(rebuilt, *place)}
    rebuilt.feeds = {place: feed for place, feed in rebuilt.feeds.items() if _is_known(rebuilt, *place)}
    rebuilt.fronts = {place: front for place, front in rebuilt.fronts.items() if _is_known(rebuilt, *place)}
    if before > _rows(rebuilt):
        number = before - _rows(rebuilt)
        rebuilt.lost.append(f"{number:,} rows about pages or sources of which nothing else is left")


def _rows(rebuilt: Rebuilt) -> int:
    by_place = len(rebuilt.members) + len(rebuilt.agenda) + len(rebuilt.feeds) + len(rebuilt.fronts)
    return len(rebuilt.fetches) + len(rebuilt.verdicts) + by_place


def _is_known(rebuilt: Rebuilt, source: str, page: str) -> bool:
    return source in rebuilt.sources and page in rebuilt.pages
