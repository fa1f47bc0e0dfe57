"""A scripted site: pages that a test writes, with validators, on the virtual clock."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

from broadsheet.base.quotas import Quotas
from broadsheet.newsroom.assignment import Assignment
from broadsheet.newsroom.progress import Progress
from broadsheet.newsweb.response import Response, ServedContent, answer, failure
from broadsheet.simulation.simulated_crawl import simulate

START = datetime(2026, 3, 2, 6, tzinfo=UTC)
HOUR = timedelta(hours=1)
HOME = "http://gazette.example/"

_SENTENCE = "The council met on {name} and nobody who was there could say afterwards what had been agreed. "


def story(name: str, extra: str = "") -> str:
    """Return the page of an article whose text names it."""
    text = "".join(f"<p>{_SENTENCE.format(name=name) * 2}</p>" for _ in range(4))
    return (
        f"<html><head><title>{name}</title>{extra}</head><body><h1>{name}</h1><article>{text}</article></body></html>"
    )


def front(*paths: str, also: str = "") -> str:
    """Return a page that links to articles by headlines, and to whatever else."""
    items = "".join(f'<li><a href="{path}">The long headline of {path} in full</a></li>' for path in paths)
    return f"<html><body><nav>{also}</nav><ul>{items}</ul></body></html>"


def article_path(number: int) -> str:
    """Return the path of the article of a number."""
    return f"/2026/03/02/story-number-{number}-of-all"


class ScriptedSite:
    """Answers from a dictionary that a test may change between and within rounds; counts what was asked for."""

    def __init__(self, pages: Mapping[str, str | Callable[[datetime], str | Response]]) -> None:
        """Take pages by their path: HTML, or a function of the time."""
        self.pages = dict(pages)
        self.asked: list[tuple[str, int]] = []

    def fetch(self, url: str, at: datetime, headers: Mapping[str, str]) -> Response:
        """Answer as a server would, with an ETag and 304s."""
        path = url.removeprefix(HOME.rstrip("/"))
        response = self._answer(path, at, headers)
        if path != "/robots.txt":
            self.asked.append((path, response.status))
        return response

    def _answer(self, path: str, at: datetime, headers: Mapping[str, str]) -> Response:
        page = self.pages.get(path)
        made = page(at) if callable(page) else page
        if made is None:
            return failure(404, b"nothing here", at)
        if isinstance(made, Response):
            return made
        return answer(ServedContent("text/html; charset=utf-8", made.encode(), START - HOUR, 60), at, headers)

    def crawl(self, folder: Path, snapshots: int, start: datetime = START, quotas: Quotas | None = None) -> Progress:
        """Follow the site for some hourly rounds."""
        assignment = Assignment((HOME,), every=3600.0, snapshots=snapshots)
        return simulate(folder, self.fetch, start, assignment, quotas=quotas)
