"""Scripted sites with feeds and sitemaps."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

from broadsheet.archive import Store
from broadsheet.base.newsroom_settings import NewsroomSettings
from broadsheet.newsweb.response import ServedContent
from tests.newsroom.site import HOME, HOUR, START, ScriptedSite, article_path, front, story

FEEDS = NewsroomSettings(revisit_after=0, pace="fixed")
NAMED = '<link rel="alternate" type="application/rss+xml" href="/news.rss">'


def served(body: str | bytes, content_type: str = "application/rss+xml") -> ServedContent:
    return ServedContent(content_type, body.encode() if isinstance(body, str) else body, START - HOUR, 60)


def rss(paths: Iterable[str], date: datetime | None = START, extra: str = "") -> ServedContent:
    """Return a feed of pages, all of one date."""
    dated = f"<pubDate>{format_datetime(date)}</pubDate>" if date else ""
    items = "".join(
        f"<item><title>The headline of {path}</title><link>{path}</link>{dated}{extra}</item>" for path in paths
    )
    return served(f"<rss><channel>{items}</channel></rss>")


def urlset(paths: Iterable[str], date: datetime | None = START) -> ServedContent:
    lastmod = f"<lastmod>{date.isoformat()}</lastmod>" if date else ""
    items = "".join(f"<url><loc>{HOME.rstrip('/')}{path}</loc>{lastmod}</url>" for path in paths)
    return served(f"<urlset>{items}</urlset>", "application/xml")


def index(*paths: str) -> ServedContent:
    items = "".join(f"<sitemap><loc>{HOME.rstrip('/')}{path}</loc></sitemap>" for path in paths)
    return served(f"<sitemapindex>{items}</sitemapindex>", "application/xml")


def robots(*paths: str) -> ServedContent:
    lines = "".join(f"Sitemap: {HOME.rstrip('/')}{path}\n" for path in paths)
    return served(f"User-agent: *\nDisallow:\n{lines}", "text/plain")


def feed_site(path: str, body: bytes, content_type: str) -> ScriptedSite:
    """Return a site whose robots.txt names one sitemap."""
    return ScriptedSite(
        {
            "/": front(article_path(1)),
            article_path(1): story("One"),
            "/robots.txt": robots(path),
            path: served(body, content_type),
        }
    )


def page_with(head: str, *paths: str, also: str = "") -> str:
    """Return a front with more in its head."""
    return front(*paths, also=also).replace("</title>", f"</title>{head}", 1)


def published(at: datetime, number_at_start: int = 2, hourly: int = 1) -> list[str]:
    """Return the paths of what a site has published by now, the newest first."""
    hours = max(0, (at - START) // HOUR)
    return [article_path(number) for number in range(number_at_start + hours * hourly, 0, -1)]


def stories(number: int) -> dict[str, str]:
    return {article_path(each): story(f"Number {each}") for each in range(1, number + 1)}


def in_store(folder: Path) -> dict[str, str]:
    """Return the standing of each feed, by its path."""
    with Store.open(folder) as archive:
        return {feed.page.removeprefix("gazette.example"): str(feed.standing) for feed in archive.feeds()}


def counted(folder: Path) -> dict[str, int]:
    """Return what was skipped or failed, by reason."""
    with Store.open(folder) as archive:
        return {str(what.reason): number for what, number in archive.counters if what.name in {"skipped", "failed"}}


def hour(number: float) -> datetime:
    return START + timedelta(hours=number)


def archived(folder: Path) -> set[str]:
    with Store.open(folder) as archive:
        return {(item.article.url or "").removeprefix(HOME.rstrip("/")) for item in archive.articles()}
