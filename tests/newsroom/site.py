"""A scripted site: pages that a test writes, with validators, on the virtual clock."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

from broadsheet.base.newsroom_settings import NewsroomSettings
from broadsheet.base.quotas import Quotas
from broadsheet.newsroom.assignment import Assignment
from broadsheet.newsroom.progress import Progress
from broadsheet.newsroom.scripted_pages import PageRenderer
from broadsheet.newsweb.response import Response, ServedContent, answer, failure
from broadsheet.simulation.simulated_crawl import simulate

START = datetime(2026, 3, 2, 6, tzinfo=UTC)
HOUR = timedelta(hours=1)
HOME = "http://gazette.example/"
#: Articles are not visited once more, no feeds are looked for, and sections are visited as often as the home page, so
#: that requests can be counted.
ONCE = NewsroomSettings(revisit_after=0, feeds=False, pace="fixed")

_SENTENCES = (
    "The council met on {name} last night, and nobody who was there could say afterwards what had been agreed.",
    "Members had asked for the figures on {name} in January, the chairwoman said, and were still waiting for them.",
    "Residents who had come to listen said that the plans would cost the town far more than it had been told.",
    "A spokesman for the mayor declined to comment on {name}, but promised an answer before the end of the month.",
    "The opposition called for a public inquiry, which the majority has refused twice since the election.",
    "Work was to have begun in the spring; it is now expected to start no earlier than September, officials said.",
)
_BAR = "".join(
    f'<li><a href="{path}">{name}</a></li>'
    for path, name in (("/about", "About us"), ("/contact", "Contact"), ("/privacy", "Privacy policy"))
)


def story(name: str, extra: str = "") -> str:
    """Return the page of an article whose text names it."""
    lines = [sentence.format(name=name) for sentence in _SENTENCES]
    text = "".join(f"<p>{' '.join(lines[number:] + lines[:number])}</p>" for number in range(5))
    return (
        f'<html lang="en"><head><title>{name}</title><meta property="og:type" content="article">'
        f'<meta property="og:title" content="{name}"><meta name="author" content="Jane Doe">{extra}</head><body>'
        f'<header><a href="/">The Gazette</a></header><article><h1>{name}</h1><p class="byline">By Jane Doe, '
        f'<time datetime="2026-03-02T05:00:00Z">2 March 2026</time></p>{text}</article>'
        f"<footer><ul>{_BAR}</ul></footer></body></html>"
    )


def front(*paths: str, also: str = "") -> str:
    """Return a page that links to articles by headlines, and to whatever else."""
    items = "".join(
        f'<li class="teaser"><h3><a href="{path}">The long headline of {path} in full</a></h3></li>' for path in paths
    )
    return (
        f'<html lang="en"><head><title>The Gazette</title><meta property="og:type" content="website"></head><body>'
        f"<header>The Gazette</header><nav>{also}</nav><main><h2>Latest news</h2><ul>{items}</ul></main></body></html>"
    )


def service(*paths: str) -> str:
    """Return a page that is neither article nor section, though it links to articles."""
    links = "".join(f'<a href="{path}">The long headline of {path} in full</a>' for path in paths)
    fields = '<input name="name"><input name="mail"><textarea name="text"></textarea>'
    return (
        '<html lang="en"><head><title>Privacy policy</title></head><body><h1>Privacy policy</h1>'
        f'<p>Write to us, and we will answer.</p><form action="/send">{fields}</form>{links}</body></html>'
    )


def article_path(number: int) -> str:
    """Return the path of the article of a number."""
    return f"/2026/03/02/story-number-{number}-of-all"


class ScriptedSite:
    """Answers from a dictionary that a test may change at any time; counts what was asked for."""

    def __init__(
        self, pages: Mapping[str, str | ServedContent | Callable[[datetime], str | Response | ServedContent]]
    ) -> None:
        """Take pages by their path, or by their address on another host: HTML, or a function of the time."""
        self.pages = dict(pages)
        self.asked: list[tuple[str, int]] = []
        self.asked_at: list[tuple[str, datetime]] = []

    def fetch(self, url: str, at: datetime, headers: Mapping[str, str]) -> Response:
        """Answer as a server would, with an ETag and 304s."""
        path = url.removeprefix(HOME.rstrip("/"))
        response = self._answer(path, at, headers)
        if path != "/robots.txt":
            self.asked.append((path, response.status))
            self.asked_at.append((path, at))
        return response

    def _answer(self, path: str, at: datetime, headers: Mapping[str, str]) -> Response:
        page = self.pages.get(path)
        made = page(at) if callable(page) else page
        if made is None:
            return failure(404, b"nothing here", at)
        if isinstance(made, Response):
            return made
        if isinstance(made, ServedContent):
            return answer(made, at, headers)
        return answer(ServedContent("text/html; charset=utf-8", made.encode(), START - HOUR, 60), at, headers)

    def hours(self, path: str) -> list[float]:
        """Return when a page was asked for, in hours since the start, to the minute."""
        return [round((at - START) / HOUR, 2) for asked, at in self.asked_at if asked == path]

    def crawl(  # noqa: PLR0913, PLR0917 - the parameters of a crawl
        self,
        folder: Path,
        snapshots: int,
        start: datetime = START,
        quotas: Quotas | None = None,
        settings: NewsroomSettings = ONCE,
        renderer: PageRenderer | None = None,
    ) -> Progress:
        """Follow the site for some hourly snapshots."""
        assignment = Assignment((HOME,), every=3600.0, snapshots=snapshots)
        return simulate(folder, self.fetch, start, assignment, quotas=quotas, settings=settings, renderer=renderer)
