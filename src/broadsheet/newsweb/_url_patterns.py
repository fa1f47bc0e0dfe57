"""The URL patterns of a site's pages; each template has its own."""

import re
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache

from broadsheet.newsweb._slugs import slug
from broadsheet.newsweb.site_knobs import Knobs

#: The numbers of articles in letters: how many letters, how many numbers there are, and what mixes them.
_CODE_LETTERS = 7
_CODES = 26**_CODE_LETTERS
_MIX = 3_141_592_653
_UNMIX: int = pow(_MIX, -1, _CODES)


# What knobs change in them is looked up for every address: by identity, because hashing all fields would be slow.
@dataclass(frozen=True, slots=True, eq=False)
class UrlPatterns:
    """Format strings for paths; `article_form` extracts an article's number or date from its path.

    `moved` turns a path before the last `mark` into the one to which an article moves; `part` and `part_form` are the
    later pages of an article.
    """

    front: str
    archive: str
    article: str
    article_form: re.Pattern[str]
    author: str
    legal: str
    feed: str
    sitemap: str
    moved: tuple[str, str]
    part: tuple[str, str]
    part_form: re.Pattern[str]
    #: Whether the number of an article stands in its path in letters.
    coded: bool = False

    def to_section(self, section: str, page: int = 1) -> str:
        """Return the path of a section's front page, or of a later page of its archive."""
        return (self.front if page == 1 else self.archive).format(section=section, page=page)

    def to_article(self, section: str, day: date, ordinal: int, number: int, headline: str) -> str:
        """Return an article's path; the slug of a headline that cannot be transliterated is `article`."""
        words = (slug(headline) or "article") if "{words}" in self.article else ""
        code = _letters(number) if self.coded else ""
        return self.article.format(section=section, day=day, ordinal=ordinal, number=number, words=words, code=code)

    def number_in(self, found: str) -> int:
        """Return the number of an article that stands in its path, in digits or in letters."""
        return _from_letters(found) if self.coded else int(found)

    def to_moved(self, path: str) -> str:
        """Return the path to which an article moves."""
        end, new_end = self.moved
        return path.removesuffix(end) + new_end

    def to_part(self, path: str, page: int) -> str:
        """Return the path of a later page of an article."""
        if page == 1:
            return path
        end, new_end = self.part
        return path.removesuffix(end) + new_end.format(page=page)

    def from_part(self, path: str) -> tuple[str, int]:
        """Return the path of an article, and which of its pages a path leads to."""
        match = self.part_form.fullmatch(path)
        return (match[1] + self.part[0], int(match[2])) if match else (path, 1)

    def adapted(self, knobs: Knobs) -> "UrlPatterns":
        """Return the patterns with what the knobs of a site change in them."""
        return _adapt(self, knobs.pagination, knobs.feed_format == "json", knobs.sitemap_gzip)

    def to_author(self, name: str, index: int) -> str:
        """Return the path of an author's page, by name or, if that cannot be transliterated, by index."""
        return self.author.format(author=slug(name) or f"author-{index}")

    def to_legal(self, name: str) -> str:
        """Return the path of the imprint, the privacy policy or the terms of use."""
        return self.legal.format(name=name)


def _numbered(article: str, ending: str = "", **others: str) -> UrlPatterns:
    """Return patterns in which an article is found by its number, wherever that stands in its path."""
    form = re.escape(article.removesuffix(ending) if ending else article)
    for name, pattern in (
        ("section", "[a-z0-9/-]+"),
        ("words", "[a-z0-9-]+"),
        ("day:%Y/%m/%d", r"\d{4}/\d\d/\d\d"),
        ("day:%Y%m%d", r"\d{8}"),
        ("number", r"(\d{1,9})"),
        ("code", f"([a-z]{{{_CODE_LETTERS}}})"),
    ):
        form = form.replace(re.escape(f"{{{name}}}"), pattern)
    end = re.escape(ending)
    return UrlPatterns(
        front=others.get("front", "/{section}/"),
        archive=others.get("archive", "/{section}/?page={page}"),
        article=article,
        article_form=re.compile(f"{form}(?:-update)?{end}", re.ASCII),
        author=others.get("author", "/author/{author}"),
        legal=others.get("legal", "/{name}"),
        feed=others.get("feed", "/feed"),
        sitemap=others.get("sitemap", "/sitemap.xml"),
        moved=(ending, f"-update{ending}"),
        part=(ending, "~{page}" + ending),
        part_form=re.compile(rf"(.*)~(\d{{1,2}}){end}", re.ASCII),
        coded="{code}" in article,
    )


def _letters(number: int) -> str:
    """Return an article's number in letters that do not show the order of articles."""
    rest, letters = number * _MIX % _CODES, ""
    for _ in range(_CODE_LETTERS):
        rest, digit = divmod(rest, 26)
        letters += chr(ord("a") + digit)
    return letters


def _from_letters(letters: str) -> int:
    mixed: int = 0
    for letter in reversed(letters):
        mixed = 26 * mixed + ord(letter) - ord("a")
    number: int = mixed * _UNMIX % _CODES
    return number


@lru_cache(maxsize=64)
def _adapt(patterns: UrlPatterns, pagination: str, is_json: bool, is_gzip: bool) -> UrlPatterns:
    archives = {
        "own": patterns.archive,
        "path": patterns.front.removesuffix("index.html").rstrip("/") + "/page/{page}/",
        "query": patterns.front + "?page={page}",
    }
    return replace(
        patterns,
        archive=archives[pagination],
        feed="/feed.json" if is_json else patterns.feed,
        sitemap=patterns.sitemap + (".gz" if is_gzip else ""),
    )


DATED = UrlPatterns(
    front="/{section}/",
    archive="/{section}/page/{page}/",
    article="/{section}/{day:%Y/%m/%d}/{words}-{ordinal}/",
    article_form=re.compile(r"/([a-z]+)/(\d{4})/(\d\d)/(\d\d)/[a-z0-9-]*?-(\d{1,2})/(?:update/)?", re.ASCII),
    author="/authors/{author}/",
    legal="/legal/{name}/",
    feed="/feed.xml",
    sitemap="/news-sitemap.xml",
    moved=("/", "/update/"),
    part=("/", "/{page}/"),
    part_form=re.compile(r"(/.*-\d{1,2}(?:/update)?)/(\d{1,2})/", re.ASCII),
)
NUMBERED = UrlPatterns(
    front="/topics/{section}",
    archive="/topics/{section}?page={page}",
    article="/story/{number}",
    article_form=re.compile(r"/story/(\d{1,9})(?:/update)?", re.ASCII),
    author="/by/{author}",
    legal="/info/{name}",
    feed="/rss",
    sitemap="/sitemap-news.xml",
    moved=("", "/update"),
    part=("", "/{page}"),
    part_form=re.compile(r"(/story/\d{1,9}(?:/update)?)/(\d{1,2})", re.ASCII),
)
WORDED = UrlPatterns(
    front="/{section}/index.html",
    archive="/{section}/index{page}.html",
    article="/{section}/{words}-{number}.html",
    article_form=re.compile(r"/[a-z]+/[a-z0-9-]*?-(\d{1,9})(?:_update)?\.html", re.ASCII),
    author="/people/{author}.html",
    legal="/{name}.html",
    feed="/rss.xml",
    sitemap="/sitemap_news.xml",
    moved=(".html", "_update.html"),
    part=(".html", "_p{page}.html"),
    part_form=re.compile(r"(/.*-\d{1,9}(?:_update)?)_p(\d{1,2})\.html", re.ASCII),
)
#: The addresses of planned sites; each of these is used by some real site.
PLANNED_PATTERNS = (
    _numbered("/{section}/{words}-a{number}.html", ".html", legal="/service/{name}.html", feed="/index.rss"),
    _numbered("/news/{number}/{words}", front="/{section}", archive="/{section}/page/{page}", author="/team/{author}"),
    _numbered("/{section}/{day:%Y/%m/%d}/{words}-{number}/", "/", legal="/about/{name}/", author="/by/{author}/"),
    _numbered("/{section}/article{number}/{words}.html", ".html", front="/{section}/index.html", feed="/rss.xml"),
    _numbered("/a/{number}", front="/c/{section}", archive="/c/{section}?page={page}", sitemap="/news-sitemap.xml"),
    _numbered(
        "/{day:%Y%m%d}/{words}_{number}.html", ".html", front="/{section}.html", archive="/{section}.html?page={page}"
    ),
    _numbered("/{section}/{words}-{number}", legal="/help/{name}", author="/authors/{author}", feed="/rss/all.xml"),
    _numbered("/nachrichten/{section}/{words}-id{number}.html", ".html", front="/nachrichten/{section}/"),
    _numbered("/{section}/{words}-{code}", front="/{section}", archive="/{section}?page={page}", legal="/{name}"),
    _numbered("/{day:%Y/%m/%d}/{words}-{code}/", "/", legal="/pages/{name}/", author="/contributors/{author}/"),
    _numbered("/{section}/{code}", front="/{section}", archive="/{section}/page/{page}", legal="/info/{name}"),
)
