"""The feeds and sitemaps of each source, good or bad, and how they compare."""

from datetime import datetime, timedelta

from broadsheet.archive import FeedRecord, FeedStanding
from broadsheet.newsroom.agenda import Agenda
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.feed_standing import SELDOM
from broadsheet.newsroom.kept_pages import AnsweredVisit

#: Feeds that are worth nothing.
HOPELESS = frozenset({FeedStanding.FOREIGN, FeedStanding.USELESS})
#: Those that do not list what is new.
FAILED = HOPELESS | {FeedStanding.STALE}
#: A feed is quiet if others have listed something that is so many intervals newer.
QUIET = 6


class FeedRegister:
    """Holds what is known of the feeds of all sources; every change is written to the open batch."""

    def __init__(self, desk: Desk, agenda: Agenda) -> None:
        """Know no feed yet; those of earlier runs are read from the archive when they are asked for."""
        self._desk = desk
        self._agenda = agenda
        self._feeds: dict[str, dict[str, FeedRecord]] = {}

    def known(self, source: str) -> dict[str, FeedRecord]:
        """Return all feeds of a source by their keys, those included that turned out not to be feeds."""
        if source not in self._feeds:
            self._feeds[source] = self._desk.writer.feeds(source)
        return self._feeds[source]

    def visited(self, visit: AnsweredVisit) -> list[FeedRecord]:
        """Return the feeds that a visit was to: one for each source that has the page as a feed."""
        wanted = {visit.source, *self._agenda.planned(visit.page.key)}
        found = (self.known(source).get(visit.page.key) for source in sorted(wanted))
        return [feed for feed in found if feed is not None]

    def write(self, feed: FeedRecord) -> None:
        """Keep a feed, new or changed."""
        self.known(feed.source)[feed.page] = feed
        self._desk.batch.feed(feed)

    def good(self, source: str) -> list[FeedRecord]:
        """Return the good feeds of a source."""
        return [feed for feed in self.known(source).values() if feed.standing is FeedStanding.GOOD]

    def better(self, feed: FeedRecord) -> set[str]:
        """Return the keys of the good feeds that come before one.

        What says when its items changed comes first, unless it is visited too rarely to be of use for that. Then a feed
        comes before a sitemap, because it is smaller.
        """
        rank = self._rank(feed)
        return {other.page for other in self.good(feed.source) if self._rank(other) < rank}

    def is_quiet(self, feed: FeedRecord) -> bool:
        """Return whether other good feeds have listed much newer things."""
        newest = [other.newest for other in self.good(feed.source) if other.page != feed.page and other.newest]
        own = feed.newest or feed.found_at
        return max(newest, default=own) - own > QUIET * self.every(feed.source)

    def every(self, source: str) -> timedelta:
        """Return the time between two visits of the home page of a source."""
        return timedelta(seconds=self._agenda.sources[source].every)

    def _rank(self, feed: FeedRecord) -> tuple[bool, bool, datetime, int, str]:
        entry = self._agenda.planned(feed.page).get(feed.source)
        every = timedelta(seconds=entry.every or 0.0) if entry else timedelta()
        tells_changes = bool(feed.tells_changes) and every <= SELDOM * self.every(feed.source)
        return not tells_changes, "sitemap" in (feed.form or ""), feed.found_at, -feed.items, feed.page
