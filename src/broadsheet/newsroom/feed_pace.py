"""When feeds are visited: in step with the home page of their source, each at its own pace."""

from dataclasses import replace
from datetime import datetime, timedelta

from broadsheet.archive import AgendaEntry, FeedRecord, VisitReason
from broadsheet.newsroom.agenda import Agenda
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.feed_register import FeedRegister

#: How long after better feeds others are visited: by then it is known what the better ones list.
LAG = timedelta(minutes=2)


class FeedPace:
    """Plans when feeds are visited."""

    def __init__(self, desk: Desk, agenda: Agenda, register: FeedRegister) -> None:
        """Take the agenda, and the feeds, which are visited one after the other."""
        self._desk = desk
        self._agenda = agenda
        self._register = register
        #: Visits that follow from the one in hand, which has to be settled first.
        self._following: list[AgendaEntry] = []

    def plan(self, feed: FeedRecord, *, is_once: bool = False) -> None:
        """Visit a feed now, and then as often as the home page, or only once."""
        every = None if is_once else self._register.every(feed.source)
        self._agenda.plan(_entry(feed, self._desk.clock.now(), every))

    def follow(self, feed: FeedRecord, every: timedelta) -> None:
        """Visit a feed at a pace that follows from the visit in hand."""
        entry, last = self._agenda.planned(feed.page).get(feed.source), self._last_home(feed.source)
        lag = LAG if self._register.better(feed) else timedelta()
        if entry is None or entry.every is None:
            self._following.append(_entry(feed, last + every + lag, every))
        elif entry.every != every.total_seconds() or entry.due - last < lag:
            # The visit in hand is settled next, which adds the interval.
            self._agenda.plan(replace(entry, due=max(entry.due, last + lag), every=every.total_seconds()))

    def take_following(self) -> list[AgendaEntry]:
        """Return the visits that follow from the one that was kept."""
        following, self._following = self._following, []
        return following

    def _last_home(self, source: str) -> datetime:
        """Return when the home page was last due."""
        now, every = self._desk.clock.now(), self._register.every(source)
        home = self._agenda.planned(source).get(source)
        due = home.due if home else now
        return due if due <= now else due - -(-(due - now) // every) * every


def _entry(feed: FeedRecord, due: datetime, every: timedelta | None) -> AgendaEntry:
    return AgendaEntry(
        source=feed.source,
        page=feed.page,
        due=due,
        reason=VisitReason.FEED,
        priority=feed.priority,
        every=None if every is None else every.total_seconds(),
    )
