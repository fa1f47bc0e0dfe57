"""Sites of the built-in news web, visited every hour: links without HTML, with the truth about every address.

At each visit the home page is fetched and then the pages that it links to, level by level down to a depth. The links
come in the order and in the groups in which a crawler would find them; what tags they stand in is not known.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache, cached_property
from http import HTTPStatus
from typing import NamedTuple
from zlib import crc32

import numpy as np

from broadsheet.base.records import Kind
from broadsheet.corpora.saved_visit import SavedVisit, document_links, key_of
from broadsheet.document import parse
from broadsheet.newsweb.drawn_sites import JUDGING_SEED, SITE_KINDS, VERSION, draw_site
from broadsheet.newsweb.site import Site
from broadsheet.newsweb.web import NewsWeb
from broadsheet.pages.identify import judge
from broadsheet.sources.link_history import LinkVisit

START = datetime(2026, 3, 2, 6, tzinfo=UTC)
SNAPSHOTS = 150
JUDGED = (1, 2, 3, 6, 9, 12, 18, 24, 36, 48, 72, 96, 120, 150)
#: At most this many pages are fetched in a snapshot, the upper levels first.
MAX_PAGES = 40
#: The kinds of sites that the studies use: those that are drawn in the default mix.
STUDIED_KINDS = tuple(kind for kind, (share, _) in SITE_KINDS.items() if share)
SITES_PER_KIND = 2

_NUMBER = re.compile(r"\d+")


class LevelVisit(NamedTuple):
    """A visit, how many links its page is away from the home page, and how many visits its snapshot had before."""

    saved: SavedVisit
    level: int
    place: int


@dataclass(frozen=True, eq=False)
class MadeSite:
    """One site of the news web, visited every hour."""

    kind: str
    made: Site
    snapshots: int = SNAPSHOTS
    depth: int = 1
    most_pages: int = MAX_PAGES
    judged: Sequence[int] | None = JUDGED
    web: NewsWeb = field(init=False)

    def __post_init__(self) -> None:
        """Make the web that consists of the site alone."""
        object.__setattr__(self, "web", NewsWeb(sites=(self.made,)))

    @property
    def site(self) -> str:
        """The kind of the site and its host."""
        return f"{self.kind}.{self.made.host}"

    def visits(self) -> list[SavedVisit]:
        """Return all visits in the order of time."""
        return self._visits

    def kinds(self) -> dict[str, Kind]:
        """Return what every target was when it was first linked to; one that did not exist then is left out."""
        found: dict[str, Kind | None] = {}
        for saved in self.visits():
            self.tell_kinds(saved, found)
        return {key: kind for key, kind in found.items() if kind}

    def tell_kinds(self, saved: SavedVisit, found: dict[str, Kind | None]) -> None:
        """Add what own targets are that a visit is the first to link to; None where there is no page."""
        at = datetime.fromtimestamp(saved.visit.at, UTC)
        for key, url in zip(saved.visit.targets or (), saved.urls, strict=True):
            if key not in found and self.is_own(url):
                found[key] = self.web.kind(url, at)

    def is_own(self, url: str) -> bool:
        """Return whether an address is on the site."""
        return url.startswith(self.web.home(self.made))

    def state(self) -> Mapping[str, object]:
        """Return what the site is made from."""
        settings = (self.made.seed, self.snapshots, self.depth, self.most_pages)
        return {"made": [VERSION, *map(str, settings)], "judged": list(self.judged or ())}

    @cached_property
    def _visits(self) -> list[SavedVisit]:
        return [each.saved for each in self.crawl()]

    def crawl(self) -> Iterator[LevelVisit]:
        """Visit the home page and the pages below it, level by level, snapshot by snapshot; nothing is kept."""
        for number in range(1, self.snapshots + 1):
            yield from self._snapshot(number, START + timedelta(hours=number - 1))

    def _snapshot(self, number: int, at: datetime) -> Iterator[LevelVisit]:
        home = self.web.home(self.made)
        urls, known, place = [home], {key_of(home)}, 0
        for level in range(self.depth + 1):
            below: list[str] = []
            for url in urls[: self.most_pages - place]:
                saved = self._visit(url, number, at + timedelta(seconds=place))
                yield LevelVisit(saved, level, place)
                place += 1
                for key, target in zip(saved.visit.targets or (), saved.urls, strict=True):
                    if key not in known and self.is_own(target):
                        known.add(key)
                        below.append(target)
            urls = below

    def _visit(self, url: str, number: int, at: datetime) -> SavedVisit:
        links = self.web.occurrences(url, at)
        urls, texts, names, positions, _ = zip(*links, strict=True) if links else ((),) * 5
        targets = list(map(key_of, urls))
        collections = np.fromiter(map(_collection, names), np.uint64, len(names))
        visit = LinkVisit(key_of(url), at.timestamp(), number, targets, collections, np.array(positions, np.int32))
        return SavedVisit(visit, urls, texts, tuple(map(_path, names)))


@cache
def _collection(name: str) -> int:
    return crc32(name.encode())


@cache
def _path(collection: str) -> str:
    return f"/html/body/{_NUMBER.sub('', collection)}/a"


@dataclass(frozen=True, eq=False)
class FetchedSite(MadeSite):
    """A site of the news web whose pages are fetched as HTML: tags around links are known, and what pages hold."""

    #: What the content of each page says that it is, as it was first fetched, by its key.
    contents: dict[str, Mapping[str, float]] = field(init=False, default_factory=dict)

    def _visit(self, url: str, number: int, at: datetime) -> SavedVisit:
        response, page = self.web.fetch(url, at), key_of(url)
        if response.status != HTTPStatus.OK:
            return SavedVisit.of(page, at.timestamp(), number, None)
        document = parse(response.body, url)
        if page not in self.contents:
            self.contents[page] = judge(document).probabilities
        return SavedVisit.of(page, at.timestamp(), number, document_links(document))


def made_sites(seed: int = JUDGING_SEED, each: int = SITES_PER_KIND) -> list[MadeSite]:
    """Draw sites of every studied kind; by default those of a seed that nothing is developed on."""
    return [
        MadeSite(kind, draw_site(seed, number * len(STUDIED_KINDS) + place, kind))
        for number in range(each)
        for place, kind in enumerate(STUDIED_KINDS)
    ]
