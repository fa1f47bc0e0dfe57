"""The URL patterns of a site's pages; each template has its own."""

import re
from dataclasses import dataclass
from datetime import date

from broadsheet.newsweb._slugs import slug


@dataclass(frozen=True, slots=True)
class UrlPatterns:
    """Format strings for paths; `article_form` extracts an article's number or date from its path."""

    front: str
    archive: str
    article: str
    article_form: re.Pattern[str]
    author: str
    legal: str
    feed: str
    sitemap: str

    def to_section(self, section: str, page: int = 1) -> str:
        """Return the path of a section's front page, or of a later page of its archive."""
        return (self.front if page == 1 else self.archive).format(section=section, page=page)

    def to_article(self, section: str, day: date, ordinal: int, number: int, headline: str) -> str:
        """Return an article's path; the slug of a headline that cannot be transliterated is `article`."""
        words = slug(headline) or "article"
        return self.article.format(section=section, day=day, ordinal=ordinal, number=number, words=words)

    def to_author(self, name: str, index: int) -> str:
        """Return the path of an author's page, by name or, if that cannot be transliterated, by index."""
        return self.author.format(author=slug(name) or f"author-{index}")

    def to_legal(self, name: str) -> str:
        """Return the path of the imprint, the privacy policy or the terms of use."""
        return self.legal.format(name=name)


DATED = UrlPatterns(
    front="/{section}/",
    archive="/{section}/page/{page}/",
    article="/{section}/{day:%Y/%m/%d}/{words}-{ordinal}/",
    article_form=re.compile(r"/([a-z]+)/(\d{4})/(\d\d)/(\d\d)/[a-z0-9-]*?-(\d{1,2})/", re.ASCII),
    author="/authors/{author}/",
    legal="/legal/{name}/",
    feed="/feed.xml",
    sitemap="/news-sitemap.xml",
)
NUMBERED = UrlPatterns(
    front="/topics/{section}",
    archive="/topics/{section}?page={page}",
    article="/story/{number}",
    article_form=re.compile(r"/story/(\d{1,9})", re.ASCII),
    author="/by/{author}",
    legal="/info/{name}",
    feed="/rss",
    sitemap="/sitemap-news.xml",
)
WORDED = UrlPatterns(
    front="/{section}/index.html",
    archive="/{section}/index{page}.html",
    article="/{section}/{words}-{number}.html",
    article_form=re.compile(r"/[a-z]+/[a-z0-9-]*?-(\d{1,9})\.html", re.ASCII),
    author="/people/{author}.html",
    legal="/{name}.html",
    feed="/rss.xml",
    sitemap="/sitemap_news.xml",
)
