"""What happens to articles, sections and sources, written to the archive's log of events."""

from datetime import datetime
from typing import Literal

from broadsheet.archive import DEPARTURES, ArchiveEvent, EventKind, PageRecord, article_change
from broadsheet.base.records import Article
from broadsheet.newsroom.desk import Desk

#: A source is failing when its home page could not be fetched this many times in a row.
FAILING_AFTER = 3
#: Titles and messages are cut to this length: an event is a notice, and the archive has the rest.
MAX_DETAIL = 300

#: How an article went: the status, or what came in its place.
Departure = Literal["404", "410", "soft 404", "redirect to the home page", "redirect to a section", "redirect"]
#: How an article says where it moved to.
MoveSign = Literal["redirect", "canonical"]

_GONE_OR_BACK = DEPARTURES | {EventKind.RETURN}


class EventRecorder:
    """Adds events to the open batch, so that each is committed with what it tells of."""

    def __init__(self, desk: Desk) -> None:
        """Take the desk, whose batch is written to."""
        self._desk = desk

    def archived(self, source: str, page: PageRecord, article: Article, at: datetime) -> None:
        """Record a version that was just added to the batch: a new article, or a revision with what changed."""
        number, title = self._desk.batch.newest[page.key].version, (article.title or "")[:MAX_DETAIL]
        before = self._desk.last_article(page.key) if number > 1 else None
        if before is None:
            self._add(EventKind.NEW_ARTICLE, source, page.key, at, url=page.url, title=title)
            return
        change = article_change(before, article)
        self._add(
            EventKind.REVISION,
            source,
            page.key,
            at,
            url=page.url,
            title=title,
            version=number,
            changed=list(change.parts),
            words_added=change.words_added,
            words_removed=change.words_removed,
        )

    def returned(self, source: str, page: PageRecord, at: datetime) -> None:
        """Record that an article is there again, if it was recorded as deleted or moved."""
        if self._has_left(page.key):
            self._add(EventKind.RETURN, source, page.key, at, url=page.url)

    def deleted(self, source: str, page: PageRecord, at: datetime, how: Departure, to: str = "") -> None:
        """Record that an article is gone; nothing if the page was never archived as one, or is gone already."""
        if self._is_there(page.key):
            self._add(EventKind.DELETION, source, page.key, at, url=page.url, how=how, **_target(to))

    def moved(self, source: str, page: PageRecord, at: datetime, how: MoveSign, to: str) -> None:
        """Record that an article has another address now; nothing if the page was never archived as one."""
        if self._is_there(page.key):
            self._add(EventKind.MOVE, source, page.key, at, url=page.url, how=how, **_target(to))

    def section_found(self, source: str, page: PageRecord) -> None:
        """Record that a source follows a section from now on."""
        self._add(EventKind.SECTION_FOUND, source, page.key, self._desk.clock.now(), url=page.url)

    def section_lost(self, source: str, page: PageRecord, why: str, to: str = "") -> None:
        """Record that a source no longer follows a section."""
        self._add(
            EventKind.SECTION_LOST, source, page.key, self._desk.clock.now(), url=page.url, why=why, **_target(to)
        )

    def gap(self, source: str, page: PageRecord, since: datetime, until: datetime) -> None:
        """Record that nothing of one visit to a front or feed was left at the next: something may have been missed."""
        visits = {"since": since.isoformat(timespec="seconds"), "until": until.isoformat(timespec="seconds")}
        self._add(EventKind.GAP, source, page.key, self._desk.clock.now(), url=page.url, **visits)

    def home_missed(self, page: PageRecord, attempts: int, why: str) -> None:
        """Record that a source is failing once its home page was missed often enough in a row."""
        if attempts == FAILING_AFTER:
            now = self._desk.clock.now()
            why = why[:MAX_DETAIL]
            self._add(EventKind.SOURCE_FAILING, page.key, page.key, now, url=page.url, attempts=attempts, why=why)

    def home_came(self, page: PageRecord) -> None:
        """Record that a source is back if it was failing; `page` is its home page as it was known before."""
        if page.fetch.attempts >= FAILING_AFTER:
            now, attempts = self._desk.clock.now(), page.fetch.attempts
            self._add(EventKind.SOURCE_BACK, page.key, page.key, now, url=page.url, attempts=attempts)

    def _is_there(self, key: str) -> bool:
        """Return whether an article was archived at an address and not recorded as gone from there since."""
        return self._desk.writer.newest(key) is not None and not self._has_left(key)

    def _has_left(self, key: str) -> bool:
        """Return whether an article was recorded as gone and not as back since, committed or not."""
        logged = self._desk.archive.events(url=key, kinds=_GONE_OR_BACK)
        waiting = [event for event in self._desk.batch.new_events if event.page == key and event.kind in _GONE_OR_BACK]
        return any(event.kind in DEPARTURES for event in [*logged, *waiting][-1:])

    def _add(self, kind: EventKind, source: str, page: str, at: datetime, **detail: object) -> None:
        self._desk.batch.event(ArchiveEvent(kind=kind, at=at, source=source, page=page, detail=detail))


def _target(to: str) -> dict[str, str]:
    return {"to": to} if to else {}
