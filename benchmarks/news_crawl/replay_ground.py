"""Replayed real sites as grounds: by the links of their saved pages, or by the pages themselves and stand-ins."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

from benchmarks.news_crawl.grounds import Addresses, Answer, Tier, Truth
from benchmarks.news_crawl.served_pages import PageReader, ServedPages
from benchmarks.replay.held_out import held_out
from benchmarks.replay.linked import Linked, at_start, read_links
from benchmarks.replay.measuring import Conditions, Replay, prepare
from benchmarks.replay.snapshots import SavedPage
from broadsheet.base import statuses, urls
from broadsheet.base.domains import registrable_domain
from broadsheet.base.records import Kind

FAMILY = "replay"
#: Articles that are first linked to in this last share of the time do not count: nobody could find them in time.
TAIL = 1 / 24


class ReplayedSite:
    """What both grounds share: the saved pages, the golden labels, and the truth."""

    family = FAMILY
    #: Which share of its time does not count.
    settling = 0.0
    #: Neither was saved.
    feeds: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()

    def __init__(self, replay: Replay, linked: Linked, old: frozenset[str]) -> None:
        """Take a site that was prepared, and what its saved pages linked to."""
        self.site = replay.site
        self.replay = replay
        self.start, self.end = replay.run.start, replay.run.end
        self.counted_from = self.start + self.settling * (self.end - self.start)
        self.addresses = Addresses(replay.home.url)
        self.home = self.addresses.key(replay.home.url) or replay.home.url
        self._linked = linked
        self.pages = {urls.key(page.url): page for page in (replay.home, *replay.sections)}
        self.truth = Truth(self._first_linked(old), frozenset(urls.key(page.url) for page in replay.sections))

    def links_of(self, page: SavedPage, at: datetime) -> frozenset[str]:
        """Return the labelled targets of a saved page at a time."""
        snapshot = page.at(at)
        return self._linked[page.name, snapshot.at] if snapshot.status == statuses.OK else frozenset()

    def article(self, address: str, at: datetime) -> str | bool | None:
        """Return the address of an article by its golden label; None if it has none, or an uncertain one."""
        del at
        golden = self.replay.labels.find(address)
        if golden is None or not golden.is_certain or golden.label == "unknown":
            return None
        return golden.key if golden.label == "ARTICLE" else False

    def _first_linked(self, old: frozenset[str]) -> dict[str, datetime]:
        """Return when a saved page first linked to each certain article that none linked to at the start."""
        labels = self.replay.labels
        wanted = {golden.key for golden in labels if golden.label == "ARTICLE" and golden.is_certain} - old
        first: dict[str, datetime] = {}
        for page in self.pages.values():
            for snapshot in page.snapshots:
                if self.start < snapshot.at < self.end - TAIL * (self.end - self.start):
                    for key in self.links_of(page, snapshot.at) & wanted:
                        first[key] = min(snapshot.at, first.get(key, snapshot.at))
        return {key: at for key, at in first.items() if at > self.counted_from}


@dataclass(frozen=True, slots=True)
class LabelledPage:
    """A page known by its golden label and, if it was saved, by its links."""

    kind: Kind
    links: tuple[str, ...] = ()


class ReplayedLinks(ReplayedSite):
    """A replayed site without HTML: only saved pages have links, and crawlers know what a page is."""

    tier: Tier = "links"
    settling = 0.25

    def fetch(self, address: str, at: datetime, *, again: bool) -> Answer:
        """Answer with the links of a saved page, or with the label of another."""
        del again
        golden, saved = self.replay.labels.find(address), self.pages.get(address)
        kind = cast("Kind", golden.kind) if golden is not None else "other"
        links = tuple(sorted(self.links_of(saved, at))) if saved is not None else ()
        return Answer(address, at, statuses.OK, LabelledPage("section" if saved is not None else kind, links))

    def forget(self) -> None:
        """Answers do not depend on what was asked for."""


class ReplayedPages(ReplayedSite):
    """A replayed site with the HTML of saved pages and stand-ins."""

    tier: Tier = "pages"

    def __init__(self, replay: Replay, linked: Linked, old: frozenset[str]) -> None:
        """Take a site."""
        super().__init__(replay, linked, old)
        self.serve = replay.served.fetch
        self._served = ServedPages(self.addresses, self.serve, PageReader())

    def fetch(self, address: str, at: datetime, *, again: bool) -> Answer:
        """Answer with a saved page or one that stands in for another."""
        return self._served.fetch(address, at, again=again)

    def forget(self) -> None:
        """Forget the validators."""
        self._served.forget()


@contextmanager
def replayed(site: str, conditions: Conditions, tier: Tier) -> "Iterator[ReplayedLinks | ReplayedPages]":
    """Unpack a site and make it a ground while it is needed, for models that have not seen it if there are some."""
    models = conditions.models if tier == "pages" else None
    with TemporaryDirectory() as temporary, held_out(models, site):
        replay = prepare(site, conditions, Path(temporary))
        pages = [replay.home, *replay.sections]
        domain = registrable_domain(replay.home.url)
        linked = read_links(conditions.snapshots.links(site), pages, replay.labels, domain)
        made = ReplayedLinks if tier == "links" else ReplayedPages
        yield made(replay, linked, at_start(pages, linked, replay.run.start))
