"""What a crawl has saved: its visits beside those that visiting everything every hour would have taken."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import pyarrow.compute as pc

from broadsheet.archive import EventKind, Phase, SourceRecord, Store, VisitReason
from broadsheet.base import statuses
from broadsheet.base.moments import to_utc
from broadsheet.newsweb.site import Site
from broadsheet.newsweb.web import NewsWeb
from broadsheet.outputs.crawl_timeline import CrawlTimeline

HOUR = timedelta(hours=1)
#: Visits that look for new articles; all others fetch what was found.
LOOKING = frozenset({VisitReason.HOME, VisitReason.SECTION, VisitReason.FEED, VisitReason.FURTHER_PAGE})
_FRONTS = frozenset({VisitReason.HOME, VisitReason.SECTION})


@dataclass(frozen=True, slots=True)
class CrawlSavings:
    """The visits that looked for new articles, their bytes, and the same for hourly visits of all fronts in full.

    In full means without 304s: a page that has not changed costs an hourly visit all of its bytes.

    `switch_hour` and `switch_snapshot` say when exploration was over; None if it is not.
    """

    phase: str
    switch_hour: float | None
    switch_snapshot: int | None
    fronts: int
    front_visits: int
    hourly_visits: int
    front_bytes: int
    hourly_bytes: int
    timeline: CrawlTimeline

    @property
    def saved(self) -> float:
        """The share of the hourly visits that were not needed."""
        return 1 - self.front_visits / self.hourly_visits if self.hourly_visits else 0.0

    @property
    def saved_bytes(self) -> float:
        """The share of the bytes of the hourly visits that were not needed."""
        return 1 - self.front_bytes / self.hourly_bytes if self.hourly_bytes else 0.0

    def to_dict(self) -> dict[str, object]:
        """Return all figures as JSON types."""
        return {
            "phase": self.phase,
            "switch_hour": self.switch_hour,
            "switch_snapshot": self.switch_snapshot,
            "fronts": self.fronts,
            "front_visits": self.front_visits,
            "hourly_visits": self.hourly_visits,
            "front_bytes": self.front_bytes,
            "hourly_bytes": self.hourly_bytes,
            "saved": round(self.saved, 4),
            "saved_bytes": round(self.saved_bytes, 4),
        }


@dataclass(frozen=True, slots=True)
class _Visit:
    """A visit that looked for new articles."""

    page: str
    why: str
    at: datetime
    status: int
    size: int


def savings(archive: Store, source: SourceRecord, web: NewsWeb, site: Site) -> CrawlSavings:
    """Compare the visits to the fronts of a source with hourly ones, from its first to its last visit."""
    visits, first_fetched = _visits(archive, source.key)
    begin, end = source.added_at, max((visit.at for visit in visits), default=source.added_at)
    hours = int((end - begin) / HOUR) + 1
    hourly, size = _hourly(visits, end)
    changes = archive.events(kinds=[EventKind.PHASE], source=source.key)
    switches = [event for event in changes if event.detail["phase"] == Phase.EXPLOITATION.value]
    published = web.articles(begin, end, site=site, outlines=True)
    timeline = CrawlTimeline(
        title=f"{source.url}: {hours} hours of news",
        published=_by_hour([article.published for article in published], begin, hours),
        archived=_by_hour(first_fetched, begin, hours),
        visits=_by_hour([visit.at for visit in visits], begin, hours),
        hourly=_by_hour(hourly, begin, hours),
        phases=[((event.at - begin) / HOUR, str(event.detail["phase"])) for event in changes],
    )
    last = switches[-1] if switches else None
    evidence = last.detail["evidence"] if last else {}
    return CrawlSavings(
        phase=source.phase.phase.value,
        switch_hour=round((last.at - begin) / HOUR, 1) if last else None,
        switch_snapshot=evidence.get("snapshot"),
        fronts=len({visit.page for visit in visits if visit.why in _FRONTS}),
        front_visits=len(visits),
        hourly_visits=len(hourly),
        front_bytes=sum(visit.size for visit in visits),
        hourly_bytes=size,
        timeline=timeline,
    )


def _visits(archive: Store, source: str) -> tuple[list[_Visit], list[datetime]]:
    """Return the visits that looked for new articles, and when each article published in the crawl first came."""
    columns = ["page", "why", "fetched_at", "status", "bytes"]
    rows = archive.visits().to_table(columns=columns, filter=pc.field("source") == source).to_pylist()
    found = [
        _Visit(row["page"], row["why"], row["fetched_at"], row["status"], row["bytes"])
        for row in rows
        if row["why"] in LOOKING
    ]
    articles = archive.page_keys(source=source, kind="article")
    came: dict[str, datetime] = {}
    for row in rows:
        page, at = row["page"], row["fetched_at"]
        if page in articles and row["status"] == statuses.OK:
            came[page] = min(came.get(page, at), at)
    added = archive.find_source(source).added_at
    new = {
        stored.key
        for stored in archive.articles(source=source)
        # Not every page states the offset of its time.
        if stored.article.published and to_utc(stored.article.published) >= added
    }
    return found, [at for key, at in came.items() if key in new]


def _hourly(visits: Sequence[_Visit], end: datetime) -> tuple[list[datetime], int]:
    """Return when all fronts would have been visited every hour since each was found, and the bytes of that."""
    sizes: defaultdict[str, list[int]] = defaultdict(list)
    begun: dict[str, datetime] = {}
    for visit in visits:
        if visit.why in _FRONTS:
            begun[visit.page] = min(begun.get(visit.page, visit.at), visit.at)
            if visit.status == statuses.OK:
                sizes[visit.page].append(visit.size)
    moments: list[datetime] = []
    total = 0.0
    for page, first in begun.items():
        times = [first + number * HOUR for number in range(int((end - first) / HOUR) + 1)]
        moments += times
        total += len(times) * sum(sizes[page]) / max(1, len(sizes[page]))
    return moments, round(total)


def _by_hour(moments: Sequence[datetime], begin: datetime, hours: int) -> list[int]:
    counted = Counter(int((moment - begin) / HOUR) for moment in moments)
    return [counted[hour] for hour in range(hours)]
