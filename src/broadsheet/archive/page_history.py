"""All that an archive knows of one page, and the same in one sentence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from broadsheet.archive.event_records import ArchiveEvent, Tombstone
from broadsheet.archive.front_records import FrontRecord, OpenLook
from broadsheet.archive.page_records import AgendaEntry, FeedFacts, Membership, PageRecord, PageState, VisitReason
from broadsheet.archive.source_records import SourceRecord
from broadsheet.base.incident import Incident


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkingPage:
    """A page that links, or linked, to the page: when it was first and last seen to, how often, and with which texts.

    `visits` counts visits that found the page unchanged, too.
    """

    page: str
    first_seen: datetime
    last_seen: datetime
    visits: int
    anchors: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedVisit:
    """One answer: when, from which address, with which status, how large, and why the page was asked for."""

    visit: int
    at: datetime
    url: str
    source: str | None
    why: str | None
    status: int
    bytes: int
    #: The earlier visit that had the same content.
    same_as: int | None
    #: Whether the response is there; keep rules remove old ones.
    is_kept: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionSummary:
    """One version of the article at the page: when it was fetched, what it says in short, and what read it."""

    version: int
    fetched_at: datetime
    published: datetime | None
    title: str | None
    words: int
    model: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PageHistory:
    """What is known of the page at an address; `str()` says it in one sentence.

    For a page that was never seen, `near` has known addresses that are similar, and `dropped` what links of the sources
    of its site were left out or failed for, with how many.
    """

    url: str
    key: str
    page: PageRecord | None = None
    members: tuple[Membership, ...] = ()
    links: tuple[LinkingPage, ...] = ()
    #: Whether all link occurrences were searched, not only those after the page was first seen, up to a limit.
    all_links: bool = True
    visits: tuple[RecordedVisit, ...] = ()
    #: The moment before which a keep rule may have removed rows of its visits, but for those that something stays of.
    visits_removed_before: datetime | None = None
    versions: tuple[VersionSummary, ...] = ()
    #: Pages whose article is the one at this page.
    copies: tuple[str, ...] = ()
    #: The page that this one is a copy of.
    original: "PageHistory | None" = None
    planned: tuple[AgendaEntry, ...] = ()
    #: What is known of it as a home page or section, for each source.
    fronts: tuple[FrontRecord, ...] = ()
    events: tuple[ArchiveEvent, ...] = ()
    #: Newest examples of failures and skips that name this page.
    incidents: tuple[Incident, ...] = ()
    near: tuple[str, ...] = ()
    #: The sources of the page's site.
    sources: tuple[SourceRecord, ...] = ()
    dropped: Mapping[str, int]
    #: That the page was removed at the user's request, and is not to be archived again.
    forgotten: Tombstone | None = None

    @property
    def is_archived(self) -> bool:
        """Whether there is an article of this address."""
        return bool(self.versions)

    def __str__(self) -> str:
        """Say in one sentence whether the page is archived, and why or why not."""
        if self.page is None:
            return _unseen(self)
        if self.versions:
            return f"Archived on {_day(self.versions[0].fetched_at)}{_times(self.versions)}{_because(self)}."
        if self.original is not None:
            return _copied(self, self.original)
        return f"Not archived{_absence(self, self.page)}."

    def to_dict(self) -> dict[str, Any]:
        """Return everything in plain types that JSON knows."""
        page = self.page
        judged = page.judged if page else None
        return {
            "url": self.url,
            "key": self.key,
            "summary": str(self),
            "archived": self.is_archived,
            "state": page and page.state.value,
            "first_seen": _text(page.first_seen if page else None),
            "fetched_at": _text(page.fetch.fetched_at if page else None),
            "attempts": page.fetch.attempts if page else 0,
            "members": [_plain(member) for member in self.members],
            "links": [_plain(link) for link in self.links],
            "all_links": self.all_links,
            "visits_removed_before": _text(self.visits_removed_before),
            "verdict": judged
            and {
                **judged.verdict.to_dict(),
                "at": judged.at.isoformat(),
                "evidence": {name: dict(found) for name, found in judged.evidence.items()},
            },
            "visits": [_plain(visit) for visit in self.visits],
            "versions": [_plain(version) for version in self.versions],
            "duplicate_of": page and page.duplicate_of,
            "copies": list(self.copies),
            "original": self.original and self.original.to_dict(),
            "planned": [_plain(entry) for entry in self.planned],
            "fronts": [_plain(front) for front in self.fronts],
            "events": [_plain(event) for event in self.events],
            "incidents": [incident.to_dict() for incident in self.incidents],
            "near": list(self.near),
            "sources": [{"key": source.key, "url": source.url, "state": source.state} for source in self.sources],
            "dropped": dict(self.dropped),
            "forgotten": self.forgotten and _plain(self.forgotten),
        }


def _unseen(history: PageHistory) -> str:
    if history.forgotten is not None:
        because = f" ({history.forgotten.because})" if history.forgotten.because else ""
        return f"Not archived: it was forgotten on {_day(history.forgotten.at)}{because}, and is not fetched again."
    if history.links:
        reasons = ", ".join(history.dropped) or "none was counted"
        return f"Not archived: linked on {history.links[0].page}, but left out; reasons of its source: {reasons}."
    if not history.sources:
        return f"Never seen: no source of this archive is at the site of {history.url}."
    source = history.sources[0]
    state = "" if source.state == "active" else f", which is {source.state},"
    return f"Never seen: no visited page of the source {source.key}{state} has linked to it."


def _times(versions: Sequence[VersionSummary]) -> str:
    return f", in {len(versions)} versions, the last on {_day(versions[-1].fetched_at)}," if len(versions) > 1 else ""


def _because(history: PageHistory) -> str:
    judged = history.page.judged if history.page else None
    found = f" because {_found(history)}" if history.members else ""
    said = f"it was judged an article (p={judged.verdict.probability:.2f})" if judged else ""
    if judged is None or judged.verdict.kind != "article":
        return found
    return f"{found} and {said}" if found else f" because {said}"


def _found(history: PageHistory) -> str:
    first = min(history.members, key=lambda member: member.first_seen)
    if first.page == first.source:
        return f"it is the home page of the source {first.source}"
    return f"{first.found_on} linked to it on {_day(first.first_seen)}"


def _copied(history: PageHistory, original: PageHistory) -> str:
    at = f", which was archived on {_day(original.versions[0].fetched_at)}" if original.versions else ""
    if history.page is not None and history.page.state is PageState.DUPLICATE:
        return f"Not archived at this address: it is a duplicate of {original.key}{at}."
    return f"Not archived: {original.key} says that it is the same page{at}."


def _absence(history: PageHistory, page: PageRecord) -> str:
    """Say why there is no article, the strongest reason first."""
    front = next((entry for entry in history.planned if entry.every is not None), None)
    if front is not None:
        names = {VisitReason.HOME: "the home page of a source", VisitReason.FEED: "a feed"}
        name = names.get(front.reason, f"a section{_judgement(page)}")
        return f": it is {name}, which is visited every {_span(front.every or 0)} for links to articles"
    last = f"; the last problem: {history.incidents[-1].detail}" if history.incidents else ""
    match page.state:
        case PageState.GONE:
            gone = [visit for visit in history.visits if visit.status >= 400]
            return f": it was gone{f' (status {gone[-1].status}) on {_day(gone[-1].at)}' if gone else ''}"
        case PageState.FAILED:
            return f": it could not be fetched or read after {max(page.fetch.attempts, 1)} attempts{last}"
        case PageState.KNOWN if history.planned:
            entry = history.planned[0]
            return f" yet: it is to be fetched on {_day(entry.due)} (reason: {entry.reason.value}){last}"
        case PageState.KNOWN:
            judged = _judged(page)
            return f": it was never asked for{f'; {judged}' if judged else ''}"
        case _:
            return f": {_judged(page) or 'it was not judged'}{last}"


def _judged(page: PageRecord) -> str:
    if page.judged is None:
        return ""
    kind = page.judged.verdict.kind
    name = {"article": "an article", "section": "a section", "other": "other"}[kind]
    why = "".join(f", {reason}" for reason in page.judged.verdict.reasons[:1])
    return f"judged {name} (p={page.judged.verdict.probability:.2f}{why}) on {_day(page.judged.at)}"


def _judgement(page: PageRecord) -> str:
    return f" (p={page.judged.verdict.probability:.2f})" if page.judged else ""


def _span(seconds: float) -> str:
    for unit, name in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= unit:
            return f"{seconds / unit:g} {name}"
    return f"{seconds:g} s"


def _day(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"


def _text(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None


def _plain(record: Any) -> dict[str, Any]:  # noqa: ANN401 - any of the records above
    values = {name: getattr(record, name) for name in record.__slots__}
    return {name: _plain_value(value) for name, value in values.items()}


def _plain_value(value: object) -> object:
    match value:
        case datetime():
            return value.isoformat()
        case Mapping():
            return dict(value)
        case tuple():
            return [_plain_value(each) for each in value]
        case FeedFacts() | OpenLook():
            return _plain(value)
        case _:
            return value
