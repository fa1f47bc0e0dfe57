"""Planned sites of the news web, seen as real ones are."""

from datetime import UTC, datetime, timedelta

import broadsheet
from benchmarks.newsweb.snapshot import SeenLink, SeenLinks, SeenSite, read_text
from broadsheet.newsweb.drawn_sites import draw_sites
from broadsheet.newsweb.site import Site
from broadsheet.newsweb.web import NewsWeb

#: A Friday evening, as in the real snapshots.
START = datetime(2026, 1, 30, 19, 10, tzinfo=UTC)
ARTICLE_ROLES = frozenset({"lead", "list", "most-read", "related", "kept"})


def make_sites(seed: int, number: int, snapshots: int, most_pages: int) -> list[SeenSite]:
    """Look at so many sites hourly."""
    web = NewsWeb(sites=draw_sites(seed, number))
    return [_look(web, site, snapshots, most_pages) for site in web.sites]


def _look(web: NewsWeb, site: Site, snapshots: int, most_pages: int) -> SeenSite:
    seen = SeenSite(site.slug)
    tops = [section for section in site.sections if section.parent is None]
    paths = ["/", *(site.paths.to_section(section.slug) for section in tops)][:most_pages]
    for path in paths:
        url = f"http://{site.host}{path}"
        looks = [_links(web, url, START + timedelta(hours=hour)) for hour in range(snapshots)]
        seen.fronts[path] = [look for look in looks if look]
        response = web.fetch(url, START)
        if response.status == 200 and (text := read_text(response.body)):
            seen.front_texts.append(text)
    for article in web.articles(START - timedelta(hours=12), START, site=site, newest=4):
        page = web.truth(article.url, START)
        response = web.fetch(article.url, START)
        if page is None or page.article is None or response.status != 200:
            continue
        if text := read_text(response.body, " ".join((article.standfirst, *page.part))):
            seen.article_texts.append(text)
    return seen


def _links(web: NewsWeb, url: str, at: datetime) -> SeenLinks | None:
    """Return the links of a front, or None if the server is in trouble."""
    host = url.split("/")[2]
    response = web.fetch(url, at)
    if response.status != 200:
        return None
    links = broadsheet.parse(response.body, url=url).links
    rows = enumerate(web.occurrences(url, at))
    return SeenLinks(
        at,
        tuple(
            SeenLink(each.url, links.path(row), each.text, each.role in ARTICLE_ROLES)
            for row, each in rows
            if host in each.url
        ),
    )
