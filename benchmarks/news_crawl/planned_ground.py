"""Planned sites of the news web as grounds: by their links alone, or by their pages."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property

from benchmarks.news_crawl.grounds import GRAIN, Addresses, Answer, Tier, Truth
from benchmarks.news_crawl.served_pages import PageReader, ServedPages
from broadsheet.base.records import Kind
from broadsheet.newsweb.drawn_sites import JUDGING_SEED, draw_site
from broadsheet.newsweb.page_layouts import JUDGING_LAYOUTS
from broadsheet.newsweb.response import Response
from broadsheet.newsweb.site import Site
from broadsheet.newsweb.web import NewsWeb

#: A Thursday, so that a weekend follows.
START = datetime(2026, 3, 5, tzinfo=UTC)
#: Articles that are first linked to so shortly before the end do not count.
TAIL = timedelta(hours=3)
FAMILY = "news web"


def daily_articles(site: Site) -> float:
    """Return how many articles a site publishes a day, on its first two days."""
    days = 2
    web = NewsWeb(sites=[site])
    return sum(1 for _ in web.articles(START, START + timedelta(days=days), site=site, outlines=True)) / days


def judging_sites(number: int, seed: int = JUDGING_SEED) -> Iterator[Site]:
    """Draw sites; from the judging seeds on, only those with a layout for judging."""
    index, layouts = 0, {layout.name for layout in JUDGING_LAYOUTS}
    while number:
        site = draw_site(seed, index)
        index += 1
        if seed < JUDGING_SEED or (site.plan is not None and site.plan.layout.name in layouts):
            number -= 1
            yield site


class PlannedSite:
    """What both grounds share: the news web of one site, its addresses, and the truth."""

    family = FAMILY
    start = START
    settling = timedelta()

    def __init__(self, site: Site, days: float, name: str | None = None) -> None:
        """Take a site, for how many days it is crawled, and a name for it that is not its own."""
        self.site = name or site.slug
        self.web = NewsWeb(sites=[site])
        self.end = START + timedelta(days=days)
        self.counted_from = START + self.settling
        url = self.web.home(site)
        self.addresses = Addresses(url)
        self.home = self.addresses.key(url) or url
        pages = self.web.permanent_pages(site, START)
        self.feeds = self._keys(page.url for page in pages if page.subtype == "feed")
        self.sitemaps = self._keys(page.url for page in pages if page.subtype == "sitemap")
        self._fronts = self._keys(page.url for page in pages if page.subtype == "front")
        self._articles = {
            key
            for article in self.web.articles(START - timedelta(days=20), self.end, site=site, outlines=True)
            if (key := self.addresses.key(article.url))
        }
        self._lists: dict[tuple[str, datetime], tuple[str, ...]] = {}
        self._same: dict[tuple[str, ...], tuple[str, ...]] = {}
        #: What other addresses are, for the next crawler; an address is of the same article as long as it is there.
        self._versions: dict[str, str] = {}

    def listed(self, address: str, at: datetime) -> tuple[str, ...]:
        """Return the addresses that a page links to; those of fronts and files are remembered for the next crawler."""
        if (known := self._lists.get((address, at))) is not None:
            return known
        url = self.addresses.url(address)
        is_file = address in self.feeds or address in self.sitemaps
        if is_file:
            page = self.web.truth(url, at)
            targets = [link.url for link in page.links] if page else []
        else:
            targets = [link.url for link in self.web.occurrences(url, at)]
        links = self.addresses.own(targets)
        if is_file or address in self._fronts or address == self.home:
            self._lists[address, at] = links = self._same.setdefault(links, links)
        return links

    def is_article(self, address: str) -> bool:
        """Return whether an article is at an address, as far as it was linked to in this time."""
        return address in self._articles

    @cached_property
    def truth(self) -> Truth:
        """What the home page and the fronts linked to, and when.

        They are looked at whenever a visit may begin. If they were looked at less often, a crawler that comes at just
        those times would seem to be without any delay, and one that comes in between would not.
        """
        first: dict[str, datetime] = {}
        at = self.start
        while at < self.end - TAIL:
            for front in (self.home, *self._fronts):
                for address in self.listed(front, at):
                    first.setdefault(address, at)
            at += GRAIN
        counted = {key: at for key, at in first.items() if at > self.counted_from and key in self._articles}
        return Truth(counted, frozenset(self._fronts))

    def article(self, address: str, at: datetime) -> str | bool | None:
        """Return the address of the article that a page was, also of its other versions."""
        if address in self._articles:
            return address
        if address not in self._versions:
            truth = self.web.truth(self.addresses.url(address), at)
            if truth is None or truth.article is None or truth.kind != "article":
                return False
            self._versions[address] = self.addresses.key(truth.article.url) or ""
        return self._versions[address] or False

    def _keys(self, addresses: "Iterator[str]") -> tuple[str, ...]:
        return self.addresses.own(list(addresses))


@dataclass(frozen=True, slots=True)
class LinkedPage:
    """A page known by its links alone; what it is, is known too."""

    ground: "PlannedLinks"
    address: str
    at: datetime

    @property
    def kind(self) -> Kind:
        """What it is."""
        return self.ground.kind(self.address, self.at)

    @property
    def links(self) -> tuple[str, ...]:
        """Where it leads."""
        return self.ground.listed(self.address, self.at)


class PlannedLinks(PlannedSite):
    """A planned site without HTML: all crawlers know what a page is once they have asked for it."""

    tier: Tier = "links"
    settling = timedelta(days=1)

    def __init__(self, site: Site, days: float, name: str | None = None) -> None:
        """Take a site."""
        super().__init__(site, days, name)
        self._kinds: dict[str, Kind] = {}

    def fetch(self, address: str, at: datetime, *, again: bool) -> Answer:
        """Answer with a page that has its links only; there are no bytes."""
        del again
        return Answer(address, at, 200, LinkedPage(self, address, at))

    def forget(self) -> None:
        """Answers do not depend on what was asked for."""

    def kind(self, address: str, at: datetime) -> Kind:
        """Return what a page is."""
        if self.is_article(address):
            return "article"
        if address not in self._kinds:
            truth = self.web.truth(self.addresses.url(address), at)
            self._kinds[address] = truth.kind if truth else "other"
        return self._kinds[address]


class PlannedPages(PlannedSite):
    """A planned site with its HTML: crawlers have to find out what a page is."""

    tier: Tier = "pages"

    def __init__(self, site: Site, days: float, reader: PageReader, name: str | None = None) -> None:
        """Take a site, and who reads its pages."""
        super().__init__(site, days, name)
        self._served = ServedPages(self.addresses, self.serve, reader)

    def serve(self, url: str, at: datetime, headers: Mapping[str, str]) -> Response:
        """Answer like its server, without compression."""
        plain = {name: value for name, value in headers.items() if name.lower() != "accept-encoding"}
        return self.web.fetch(url, at, plain)

    def fetch(self, address: str, at: datetime, *, again: bool) -> Answer:
        """Answer with a page as its server sends it."""
        return self._served.fetch(address, at, again=again)

    def forget(self) -> None:
        """Forget the validators."""
        self._served.forget()
