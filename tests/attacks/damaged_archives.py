"""An archive of a small crawl, and what tests do to it."""

import random
from datetime import timedelta
from pathlib import Path

from broadsheet.archive import Repaired, Store, StoredArticle, repair
from broadsheet.base.clock import SystemClock
from broadsheet.newsroom.assignment import Assignment
from broadsheet.newsroom.line import FilterSettings, build_line
from broadsheet.newsroom.rereading import NewsroomRereader
from broadsheet.newsroom.supervision import LocalReaders
from broadsheet.newsweb.web import NewsWeb
from broadsheet.simulation.simulated_crawl import simulate
from tests.newsroom.site import START

SNAPSHOTS = 3
#: All that an archive is made of; the seal says only that nothing changed.
PARTS = ("catalogue.sqlite", "warc", "visits", "occurrences")

Articles = dict[str, tuple[str | None, str]]


def crawl(folder: Path, snapshots: int = SNAPSHOTS, later: timedelta = timedelta()) -> None:
    """Follow a site of the news web for some hourly snapshots."""
    web = NewsWeb(3, 1)
    sites = tuple(map(web.home, web.sites))
    simulate(folder, web.fetch, START + later, Assignment(sites, every=3600.0, snapshots=snapshots))


def stored(folder: Path) -> list[StoredArticle]:
    """Return the articles of an archive with where they lie."""
    with Store.open(folder) as archive:
        return list(archive.articles())


def articles(folder: Path) -> Articles:
    """Return what the articles of an archive say, by their keys."""
    return {item.key: (item.article.title, item.article.body) for item in stored(folder)}


def files(folder: Path) -> list[Path]:
    """Return the files that an archive is made of."""
    places = [folder / part for part in PARTS]
    return sorted(path for place in places for path in (place.iterdir() if place.is_dir() else [place]))


def flip(path: Path, at: int) -> None:
    """Change one bit of a file."""
    content = bytearray(path.read_bytes())
    content[at] ^= 1 << (at % 8)
    path.write_bytes(content)


def flip_anywhere(folder: Path, rng: random.Random) -> tuple[Path, int]:
    """Change one bit of one file, and return where."""
    path = rng.choice(files(folder))
    at = rng.randrange(path.stat().st_size)
    flip(path, at)
    return path, at


def problems(folder: Path) -> list[str]:
    """Return what a check finds wrong."""
    with Store.open(folder) as archive:
        return [f"{problem.where}: {problem.what}" for problem in archive.check() if not problem.harmless]


def repaired(folder: Path) -> Repaired:
    """Repair an archive as the command does."""
    rereader = NewsroomRereader(LocalReaders(build_line(FilterSettings())), 100_000_000)
    return repair(folder, rereader, SystemClock(), lambda _: None)
