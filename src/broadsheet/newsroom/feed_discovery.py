"""Where the feeds of a source may be: named by the user, by robots.txt, by its pages, or at well-known places."""

import re
from collections.abc import Container, Iterator, Sequence
from itertools import compress
from urllib.parse import urlsplit

from broadsheet.base import urls
from broadsheet.document.feeds import ListedItem
from broadsheet.newsroom.page_links import PageLinks

#: How a feed was found that neither a page of the source nor its robots.txt names.
GIVEN, GUESSED = "settings", "well-known place"
#: Where feeds are looked for if a source names none, one after the other until there is one.
WELL_KNOWN = ("/feed", "/rss", "/rss.xml", "/news-sitemap.xml", "/sitemap.xml")
#: Links of the home page to feeds that are tried before the well-known places.
MAX_LINKED = 3
#: The most sitemaps of an index that are followed, and how often indexes may lead to indexes.
MAX_SITEMAPS, MAX_DEPTH = 3, 2

_FEED_PATH = re.compile(r"/(?:rss|feeds?|atom)(?:\.(?:xml|rdf|json))?/?", re.IGNORECASE).search


def linked_feeds(links: PageLinks, domain: str) -> list[str]:
    """Return what a home page links to as feeds of its site, the first ones."""
    found = (links.urls[row] for row in links.on_site(domain) if _looks_like_feed(links.urls[row]))
    return list(dict.fromkeys(found))[:MAX_LINKED]


def well_known_places(home: str) -> Iterator[str]:
    """Yield where a source that names no feed may have one."""
    base = urls.normalise(home)
    for path in WELL_KNOWN:
        if url := urls.resolve(path, base):
            yield url


def best_sitemaps(items: Sequence[ListedItem], failed: Container[str] = ()) -> list[ListedItem]:
    """Return the sitemaps of an index that are most likely to list new articles, at most `MAX_SITEMAPS`.

    If some are called news, the others are not needed, unless these are among the keys that have `failed`. Otherwise
    those that changed last are chosen; without dates, those at either end.
    """
    is_news = ["news" in urlsplit(item.url).path.lower() for item in items]
    others = [item for item, is_one in zip(items, is_news, strict=True) if not is_one]
    items = [item for item in compress(items, is_news) if urls.key(item.url) not in failed] or others
    middle = (len(items) - 1) / 2

    def promise(row: int) -> tuple[float, float]:
        changed = items[row].changed
        return changed.timestamp() if changed else 0.0, abs(row - middle)

    ranked = sorted(range(len(items)), key=promise, reverse=True)
    return [items[row] for row in ranked[:MAX_SITEMAPS]]


def _looks_like_feed(url: str) -> bool:
    if _FEED_PATH(url) is None:
        # Nearly all links; to take them apart costs ten times as much.
        return False
    path = urlsplit(url).path
    found = _FEED_PATH(path)
    return found is not None and found.end() == len(path)
