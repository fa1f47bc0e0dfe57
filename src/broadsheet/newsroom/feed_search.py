"""The search for feeds: each place where a source may have one is tried once."""

from collections.abc import Mapping, Sequence

from broadsheet.archive import FeedRecord, Membership, PageRecord
from broadsheet.base import reasons, urls
from broadsheet.base.domains import registrable_domain
from broadsheet.base.reasons import Reason
from broadsheet.document.feeds import ListedItem
from broadsheet.newsroom.agenda import Agenda
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.feed_discovery import (
    GIVEN,
    GUESSED,
    MAX_DEPTH,
    best_sitemaps,
    linked_feeds,
    well_known_places,
)
from broadsheet.newsroom.feed_pace import FeedPace
from broadsheet.newsroom.feed_register import FAILED, HOPELESS, FeedRegister
from broadsheet.newsroom.kept_pages import without_validators

#: Refused feeds that are remembered, of all sources together: a site may name others at every visit.
MAX_REFUSED = 10_000


class FeedSearch:
    """Tries what may be a feed of a source, unless it was tried before or must not be."""

    def __init__(self, desk: Desk, agenda: Agenda, register: FeedRegister, pace: FeedPace) -> None:
        """Take what is known already, and what plans the first visit to a feed."""
        self._desk = desk
        self._agenda = agenda
        self._register = register
        self._pace = pace
        #: Feeds that were refused, each counted once while it is in here.
        self._refused: set[tuple[str, str]] = set()

    def find(self, source: str, url: str, found_on: str) -> None:
        """Try what may be a feed or sitemap, unless it was tried before."""
        key, now = urls.key(url), self._desk.clock.now()
        if key in self._register.known(source) or key in self._agenda.sources or not self._desk.settings.feeds:
            return
        if refusal := self._refusal(source, url, found_on):
            if (source, key) not in self._refused:
                if len(self._refused) >= MAX_REFUSED:
                    self._refused.clear()
                self._refused.add((source, key))
                self._desk.miss(source, refusal, url=url[: urls.MAX_LENGTH])
            return
        page = self._desk.record(key) or PageRecord(key=key, url=url, first_seen=now)
        self._desk.batch.page(without_validators(page))
        if key not in self._desk.writer.members(source, (key,)):
            self._desk.batch.member(Membership(source=source, page=key, first_seen=now, found_on=found_on))
        feed = FeedRecord(source=source, page=key, found_on=found_on, found_at=now)
        self._register.write(feed)
        self._pace.plan(feed, is_once=True)

    def guess(self, source: str) -> None:
        """Try the next place where a source may have a feed, if it names none and nothing else is being tried.

        A news sitemap is as good, but larger: then only what the home page links to is tried.
        """
        known = self._register.known(source)
        forms = {feed.form for feed in known.values() if feed.standing not in HOPELESS}
        if not forms.isdisjoint({None, "rss", "atom", "json feed"}) or not self._desk.settings.feeds:
            return
        home = self._agenda.sources[source].url
        places = linked_feeds(self._desk.links.of(source), self._agenda.domain(source))
        if "news sitemap" not in forms:
            places.extend(well_known_places(home))
        untried = (url for url in places if urls.key(url) not in known)
        if (url := next(untried, None)) is not None:
            self.find(source, url, GUESSED)

    def follow_index(self, feed: FeedRecord, items: Sequence[ListedItem]) -> Mapping[Reason, int]:
        """Try the most promising sitemaps of an index, unless indexes led to it too often; return what is left out."""
        if self._depth(feed) >= MAX_DEPTH:
            return {reasons.SITEMAP_TOO_DEEP: 1}
        known = self._register.known(feed.source)
        failed = {key for key, other in known.items() if other.standing in FAILED}
        best = best_sitemaps(items, failed)
        for item in best:
            self.find(feed.source, item.url, feed.page)
        return {reasons.OVER_SITEMAPS: len(items) - len(best)}

    def _depth(self, feed: FeedRecord) -> int:
        """Return how many indexes led to a sitemap."""
        known, depth = self._register.known(feed.source), 0
        while depth <= MAX_DEPTH and feed.found_on in known:
            feed, depth = known[feed.found_on], depth + 1
        return depth

    def _refusal(self, source: str, url: str, found_on: str) -> Reason | None:
        if len(url) > urls.MAX_LENGTH:
            return reasons.ADDRESS_TOO_LONG
        if self._desk.writer.is_forgotten(urls.key(url)):
            return reasons.FORGOTTEN
        is_own = registrable_domain(url) == self._agenda.domain(source)
        if found_on != GIVEN and not is_own:
            return reasons.FOREIGN_FEED
        if len(self._register.known(source)) >= self._desk.quotas.max_feeds:
            return reasons.OVER_FEEDS
        return None
