"""A made-up web for simulated crawls: sites whose size, pace and slowness are given, and whose pages are cheap to make.

The built-in news web is a better likeness of real sites; this one is for measuring, where a site has to be just so.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import lru_cache
from urllib.parse import urlsplit

from broadsheet.newsweb.response import NO_HEADERS, Response, ServedContent, answer, failure

HOUR = timedelta(hours=1)
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_HTML = "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True)
class MadeUpSite:
    """One site: how many fronts besides the home page it has, what it has published, and how its server behaves.

    An article is on one front, and the newest are on the home page. `listed` is the number of articles on each front;
    `padding` the number of characters of scripts and styles in each page. The server takes `seconds` for an answer.
    """

    host: str
    start: datetime
    fronts: int = 4
    published: int = 40
    published_hourly: float = 4.0
    listed: int = 40
    paragraphs: int = 6
    padding: int = 0
    crawl_delay: float = 0.0
    seconds: float = 0.0

    @property
    def home(self) -> str:
        """The address of the home page."""
        return f"http://{self.host}/"

    def number_at(self, at: datetime) -> int:
        """Return how many articles there are at a moment."""
        return self.published + int(max(at - self.start, timedelta()) / HOUR * self.published_hourly)

    def page(self, path: str, at: datetime) -> ServedContent | None:
        """Return what lies at a path, or None."""
        if path == "/robots.txt":
            delay = f"Crawl-delay: {self.crawl_delay:g}\n" if self.crawl_delay else ""
            robots = f"User-agent: *\nDisallow:\n{delay}"
            return ServedContent("text/plain; charset=utf-8", robots.encode(), self.start, 3600)
        if path == "/":
            newest = range(self.number_at(at) - 1, -1, -1)[: self.listed]
            return self._front("The newest of everything", newest, at)
        kind, _, rest = path[1:].partition("/")
        if kind == "section" and rest.isdecimal() and int(rest) < self.fronts:
            newest = range(self.number_at(at) - 1, -1, -1)
            own = [number for number in newest if number % self.fronts == int(rest)][: self.listed]
            return self._front(f"The newest of section {rest}", own, at)
        number = path.removesuffix(".html").rpartition("-")[2]
        if number.isdecimal() and path == article_path(int(number)) and int(number) < self.number_at(at):
            body = article_html(self.host, self.fronts, int(number), self.paragraphs, self.padding)
            return ServedContent(_HTML, body, self.start, 300)
        return None

    def _front(self, title: str, numbers: list[int] | range, at: datetime) -> ServedContent:
        items = "\n".join(f'<li><a href="{article_path(number)}">{headline(number)}</a></li>' for number in numbers)
        html = f"{_head(title, self.padding)}{_navigation(self.fronts)}<ul>\n{items}\n</ul></body></html>\n"
        return ServedContent(_HTML, html.encode(), at, 60)


@dataclass(slots=True)
class MadeUpWeb:
    """Some sites, and every request that was made to them: its address and its time."""

    sites: tuple[MadeUpSite, ...]
    asked: list[tuple[str, datetime]] = field(default_factory=list)

    def site(self, url: str) -> MadeUpSite | None:
        """Return the site of an address."""
        host = urlsplit(url).hostname
        return next((site for site in self.sites if site.host == host), None)

    def fetch(self, url: str, at: datetime, headers: Mapping[str, str] = NO_HEADERS) -> Response:
        """Return the answer to a request, and note the request."""
        self.asked.append((url, at))
        site = self.site(url)
        page = site.page(urlsplit(url).path or "/", at) if site else None
        response = answer(page, at, headers) if page else failure(404, b"There is no such page.\n", at)
        return replace(response, seconds=site.seconds) if site else response

    def times_of(self, url: str) -> list[datetime]:
        """Return when an address was asked for."""
        return [at for asked, at in self.asked if asked == url]


# Fronts list the same articles hour after hour.
@lru_cache(maxsize=16_384)
def article_path(number: int) -> str:
    """Return the path of an article, which looks like one."""
    return f"/2026/11/16/{'-'.join(_words(number, 6))}-{number}.html"


@lru_cache(maxsize=16_384)
def headline(number: int) -> str:
    """Return the title of an article."""
    return " ".join(_words(number, 9)).capitalize()


@lru_cache(maxsize=64)
def article_html(host: str, fronts: int, number: int, paragraphs: int, padding: int) -> bytes:
    """Return the page of an article."""
    title = headline(number)
    sentences = (" ".join(_words(f"{host} {number} {index}", 60)).capitalize() for index in range(paragraphs))
    text = "\n".join(f"<p>{sentence}.</p>" for sentence in sentences)
    html = f"{_head(title, padding)}{_navigation(fronts)}<article><h1>{title}</h1>\n{text}\n</article></body></html>\n"
    return html.encode()


def _navigation(fronts: int) -> str:
    links = "".join(f'<a href="/section/{front}">Section {front}</a> ' for front in range(fronts))
    return f'<nav><a href="/">Home</a> {links}</nav>\n'


def _head(title: str, padding: int) -> str:
    head = f'<meta charset="utf-8"><title>{title}</title>{_script(padding)}'
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body>\n'


@lru_cache(maxsize=8)
def _script(characters: int) -> str:
    if not characters:
        return ""
    source = " ".join(_words("script", characters // 6))
    return f"<script>/* {source[:characters]} */</script>"


def _words(seed: object, number: int) -> list[str]:
    return random.Random(str(seed)).choices(_VOCABULARY, k=number)


def _vocabulary(size: int) -> tuple[str, ...]:
    chance = random.Random(1)
    return tuple("".join(chance.choices(_LETTERS, k=chance.randint(2, 9))) for _ in range(size))


_VOCABULARY = _vocabulary(2000)
