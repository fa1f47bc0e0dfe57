"""A model of an hourly crawl that fetches nothing: the policies of visiting articles again, on many more articles.

It takes from the news web when articles are published and revised, and leaves out everything else. The home page is
visited every hour and shows the newest articles; a feed is visited every hour, or, if there is one, a sitemap every
other hour. An article is fetched when one of them first lists it; that is also when a changed headline shows, and a
date of modification, which sitemaps alone state. Sections are visited once a day.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from heapq import heappop, heappush

from broadsheet.base.newsroom_settings import NewsroomSettings
from broadsheet.newsroom.revisit_policies import HEADLINE, MODIFIED, ArticleStanding, Revisit, build_policy
from broadsheet.newsroom.revisit_tally import RevisitTally
from broadsheet.newsweb.site import Site
from broadsheet.newsweb.truth import RevisionTruth
from broadsheet.newsweb.web import NewsWeb

HOUR = timedelta(hours=1)
#: How many articles home page and feed list, and for how long a sitemap does.
ON_HOME, IN_FEED, IN_SITEMAP = 12, 20, timedelta(days=2)
#: A sitemap is visited once in so many hours.
SITEMAP_HOURS = 2
SECTION_HOURS = 24


@dataclass(slots=True, eq=False)
class ModelArticle:
    """An article of the model, and what a crawl knows of it."""

    published: datetime
    revisions: Sequence[RevisionTruth]
    #: When it was fetched, when that gave a new version, and what is planned next.
    fetches: list[datetime] = field(default_factory=list)
    versions: list[datetime] = field(default_factory=list)
    planned: tuple[datetime, str] | None = None

    def changed_since(self, start: datetime, end: datetime) -> list[RevisionTruth]:
        """Return the revisions after one moment and until another."""
        return [revision for revision in self.revisions if start < revision.at <= end]


class ModelCrawl:
    """One site under one policy."""

    def __init__(
        self, web: NewsWeb, site: Site, span: tuple[datetime, datetime], settings: NewsroomSettings, pool: RevisitTally
    ) -> None:
        """Take the articles that are listed at the start, and those that are published until the end."""
        self._start, self._end = start, end = span
        self._sections = len(site.sections)
        self.sitemaps = 0
        self._dates = False
        self._policy = build_policy(settings)
        self.tally = RevisitTally(pool)
        self.articles = [
            ModelArticle(article.published, web.revisions(article.url)[1:])
            for article in web.articles(start - IN_SITEMAP, end, site=site, outlines=True)
        ]
        self._queue: list[tuple[datetime, int]] = []

    def run(self, *, dates: bool) -> None:
        """Crawl from start to end, with a sitemap or with a feed without dates."""
        self._dates = dates
        now, hour = self._start, 0
        while now < self._end:
            self._visit_due(now)
            self.tally.other_requests += 1 + (self._sections if hour % SECTION_HOURS == 0 else 0)
            self._see(self._newest(now, ON_HOME), now, HOUR)
            if not dates:
                self.tally.other_requests += 1
                self._see(self._newest(now, IN_FEED), now, HOUR)
            elif hour % SITEMAP_HOURS == 0:
                self.tally.other_requests += 1
                self.sitemaps += 1
                self._see_sitemap(now)
            self._visit_due(now)
            now, hour = now + HOUR, hour + 1

    def _newest(self, now: datetime, most: int) -> list[int]:
        """Return the articles that were published last."""
        return [number for number, article in enumerate(self.articles) if article.published <= now][-most:]

    def _see(self, listed: Sequence[int], now: datetime, since: timedelta) -> None:
        """Fetch what is new, and follow headlines that changed since the last visit."""
        for number in listed:
            article = self.articles[number]
            if not article.fetches:
                self.tally.other_requests += 1
                self._fetch(number, now)
            elif any(
                each.kind == "headline" for each in article.changed_since(max(article.fetches[-1], now - since), now)
            ):
                self._heed(number, HEADLINE, now)

    def _see_sitemap(self, now: datetime) -> None:
        listed = [number for number, article in enumerate(self.articles) if now - IN_SITEMAP < article.published <= now]
        self._see(listed, now, SITEMAP_HOURS * HOUR)
        for number in listed:
            article = self.articles[number]
            changed = article.changed_since(article.fetches[-1], now)
            if any(not revision.silent and revision.article for revision in changed):
                self._heed(number, MODIFIED, now)

    def _heed(self, number: int, sign: str, now: datetime) -> None:
        planned = self.articles[number].planned
        if (planned is None or planned[0] > now) and self._policy.heeds(sign, self.tally):
            self._plan(number, now, Revisit(timedelta(), sign))

    def _plan(self, number: int, now: datetime, revisit: Revisit) -> None:
        article = self.articles[number]
        self.tally.planned += article.planned is None
        article.planned = now + revisit.after, revisit.occasion
        heappush(self._queue, (article.planned[0], number))

    def _visit_due(self, now: datetime) -> None:
        while self._queue and self._queue[0][0] <= now:
            at, number = heappop(self._queue)
            planned = self.articles[number].planned
            if planned is not None and planned[0] == at:
                self._visit(number, at, planned[1])

    def _visit(self, number: int, at: datetime, occasion: str) -> None:
        article = self.articles[number]
        article.planned = None
        self.tally.planned -= 1
        self.tally.visit(occasion, 1)
        if article.changed_since(article.fetches[-1], at):
            self.tally.find(occasion)
            article.versions.append(at)
        self._fetch(number, at)

    def _fetch(self, number: int, at: datetime) -> None:
        article = self.articles[number]
        is_new = not article.fetches
        article.fetches.append(at)
        if is_new:
            article.versions.append(at)
        versions = len(article.versions)
        stated = [each.at for each in article.changed_since(article.published, at) if not each.silent and each.article]
        standing = ArticleStanding(
            age=at - article.published,
            quiet=at - (article.versions[-1] if versions > 1 else article.published),
            modified=at - stated[-1] if stated else None,
            versions=versions,
            is_new=is_new,
            is_told=self._dates,
        )
        following = self._policy.next_visit(standing, self.tally)
        if following is not None:
            self._plan(number, at, following)
