"""The newsroom itself on a ground with pages: what it stored, when, and what that took."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

from benchmarks.news_crawl.engine import Effort, Finds
from benchmarks.news_crawl.grounds import Addresses, Answer, Ground
from broadsheet.archive import Store
from broadsheet.base import statuses, urls
from broadsheet.base.newsroom_settings import NewsroomSettings
from broadsheet.newsroom.assignment import Assignment
from broadsheet.newsweb.response import Response
from broadsheet.simulation.simulated_crawl import simulate


class ServedGround(Ground, Protocol):
    """A ground that answers requests as a server does."""

    addresses: Addresses
    serve: Callable[[str, datetime, Mapping[str, str]], Response]


def crawl_with_newsroom(ground: ServedGround, every: timedelta, pace: str) -> tuple[Finds, Effort]:
    """Crawl a site with a pace; articles are not visited again, because no other crawler does that either."""
    effort, sizes = Effort(), dict[str, int]()

    def serve(url: str, at: datetime, headers: Mapping[str, str]) -> Response:
        response = ground.serve(url, at, headers)
        size = len(response.body)
        full = sizes.get(url, 0) if response.status == statuses.NOT_MODIFIED else size
        sizes[url] = full
        effort.add(Answer(ground.addresses.key(url) or url, at, response.status, None, 1, size, full))
        return response

    home = ground.addresses.url(ground.home)
    assignment = Assignment((home,), every=every.total_seconds(), span=(ground.end - ground.start).total_seconds())
    settings = NewsroomSettings(pace=pace, revisits="never", render="never")
    with TemporaryDirectory() as temporary:
        simulate(Path(temporary), serve, ground.start, assignment, settings=settings, commit_often=False)
        return _finds(Path(temporary), home, ground.addresses), effort


def _finds(folder: Path, home: str, addresses: Addresses) -> Finds:
    finds = Finds()
    with Store.open(folder) as archive:
        source = archive.find_source(home).key
        visits = archive.visits().to_table(columns=["page", "fetched_at"]).to_pylist()
        first: dict[str, datetime] = {}
        for visit in sorted(visits, key=lambda visit: visit["fetched_at"]):
            first.setdefault(visit["page"], visit["fetched_at"])
        for stored in archive.articles(source=source):
            if (address := addresses.key(stored.article.url or "")) is not None:
                finds.store(address, first.get(stored.key, stored.fetched_at))
        finds.sections = {urls.key(section.url) for section in archive.sections(source)}
    return finds
