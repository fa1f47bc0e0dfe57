"""The crawlers that ours is compared with, each by its idea alone."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from benchmarks.news_crawl.engine import Finds, Wish
from benchmarks.news_crawl.grounds import Answer, Ground


class GenericCrawler:
    """Asks for the home page and for all that is within two links of it, at each interval; stores what is an article.

    This is what a general crawler does that is pointed at a news site again and again.
    """

    depth = 2

    def __init__(self, every: timedelta) -> None:
        """Take the interval."""
        self.finds = Finds()
        self._every = every
        self._links: dict[str, tuple[str, ...]] = {}
        self._depths: dict[str, int] = {}

    def begin(self, ground: Ground) -> Iterable[Wish]:
        """Begin with the home page."""
        self._home = ground.home
        yield Wish(ground.start, self._home)

    def take(self, answer: Answer) -> Iterator[Wish]:
        """Follow links that were not followed at this interval yet."""
        address, page = answer.address, answer.page
        if address == self._home:
            self._depths = {address: 0}
            yield Wish(answer.at + self._every, address)
        depth = self._depths[address]
        if page is not None and address not in self._links and page.kind == "article":
            self.finds.store(address, answer.at)
        if page is not None:
            self._links[address] = page.links if depth < self.depth else ()
            if depth and address not in self.finds.stored and page.kind == "section":
                self.finds.sections.add(address)
        for target in self._links.get(address, ()) if depth < self.depth else ():
            if target not in self._depths:
                self._depths[target] = depth + 1
                yield Wish(answer.at, target)


class HomeCrawler:
    """Asks for the home page at each interval, and once for all that is new on it; stores what is an article."""

    def __init__(self, every: timedelta) -> None:
        """Take the interval."""
        self.finds = Finds()
        self._every = every
        self._known = set[str]()

    def begin(self, ground: Ground) -> Iterable[Wish]:
        """Begin with the home page."""
        self._known.add(ground.home)
        self._home = ground.home
        yield Wish(ground.start, ground.home)

    def take(self, answer: Answer) -> Iterator[Wish]:
        """Ask for new links of the home page."""
        if answer.address == self._home:
            yield Wish(answer.at + self._every, self._home)
            links = answer.page.links if answer.page is not None else ()
            yield from (Wish(answer.at, link) for link in links if link not in self._known)
            self._known.update(links)
        elif answer.page is not None and answer.page.kind == "article":
            self.finds.store(answer.address, answer.at)


class FileCrawler:
    """Asks for feeds or sitemaps or both at each interval, and once for all that they list; stores all of that."""

    def __init__(self, every: timedelta, *, feeds: bool = False, sitemaps: bool = False) -> None:
        """Take the interval, and which files."""
        self.finds = Finds()
        self._every = every
        self._kinds = feeds, sitemaps
        self._files = frozenset[str]()
        self._known = set[str]()

    def begin(self, ground: Ground) -> Iterable[Wish]:
        """Begin with the files."""
        feeds, sitemaps = self._kinds
        self._files = frozenset((ground.feeds if feeds else ()) + (ground.sitemaps if sitemaps else ()))
        return [Wish(ground.start, file) for file in sorted(self._files)]

    def take(self, answer: Answer) -> Iterator[Wish]:
        """Ask for new items."""
        if answer.address in self._files:
            yield Wish(self.next_visit(answer), answer.address)
            items = answer.page.links if answer.page is not None else ()
            yield from (Wish(answer.at, item) for item in items if item not in self._known)
            self._known.update(items)
        elif answer.page is not None:
            self.finds.store(answer.address, answer.at)

    def next_visit(self, answer: Answer) -> datetime:
        """Return when a file is asked for again."""
        return answer.at + self._every


class OverlapFeeds(FileCrawler):
    """Asks for feeds sooner if less than a third of their items are known, and later if more than two thirds are."""

    few, most = 1 / 3, 2 / 3
    longest = timedelta(days=1)

    def __init__(self, every: timedelta) -> None:
        """Take the shortest interval; feeds begin at it."""
        super().__init__(every, feeds=True)
        self._intervals: dict[str, timedelta] = {}

    def next_visit(self, answer: Answer) -> datetime:
        """Return half or twice the last interval from now, or the same."""
        items = answer.page.links if answer.page is not None else ()
        share = sum(item in self._known for item in items) / len(items) if items else 1.0
        interval = self._intervals.get(answer.address, self._every)
        if self._known:
            interval *= 0.5 if share < self.few else 2.0 if share > self.most else 1.0
        self._intervals[answer.address] = min(self.longest, max(self._every, interval))
        return answer.at + self._intervals[answer.address]
