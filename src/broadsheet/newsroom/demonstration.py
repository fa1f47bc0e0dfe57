"""The main job on the invented news web: a site over HTTP in accelerated time, crawled and compared with the truth."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

from broadsheet.archive import Store
from broadsheet.base.clock import AcceleratedClock, SystemClock
from broadsheet.base.errors import InputError
from broadsheet.base.manners import Manners
from broadsheet.newsroom.archive_score import ArchiveScore, score
from broadsheet.newsroom.assignment import Assignment
from broadsheet.newsroom.crawl import Crawl
from broadsheet.newsroom.crawl_job import CrawlJob, Pace
from broadsheet.newsroom.crawl_log import CrawlLog
from broadsheet.newsweb.server import serve
from broadsheet.newsweb.web import NewsWeb

START = datetime(2026, 3, 2, 6, tzinfo=UTC)
HOUR = timedelta(hours=1)
#: Nobody but the invented site is asked, so nobody is spared.
MANNERS = Manners(delay=0.0, per_host=4, allow_networks="127.0.0.0/8, ::1/128", contact="https://demo.example/")
NOTE = "demo.json"


@dataclass(frozen=True, slots=True)
class Note:
    """What a folder's demonstration began with, so that the same command goes on with it."""

    seed: int
    sites: int
    port: int


class Demonstration:
    """One run: `crawl` inside its `with`, then `scores`."""

    def __init__(self, folder: Path, seed: int | None, sites: int | None, days: float, speed: float) -> None:
        """Take the folder of the archive; one that holds a demonstration already is resumed."""
        self.folder = folder
        self._note = _read(folder, Note(seed or 1, sites or 1, 0))
        self.resumes = self._note.port != 0
        if (seed or self._note.seed, sites or self._note.sites) != (self._note.seed, self._note.sites):
            raise InputError(
                f"{folder} contains a demo with seed {self._note.seed} and {self._note.sites} sites: choose another"
            )
        self._web = NewsWeb(self._note.seed, self._note.sites)
        self._days = days
        self._clock_speed = speed

    @contextmanager
    def crawl(self, log: CrawlLog | None = None) -> Iterator[Crawl]:
        """Serve the news web and crawl it, at the time where the archive stands; with a log, if one is given."""
        clock = AcceleratedClock(SystemClock(), self._begin(), self._clock_speed)
        try:
            server = serve(self._web, clock, port=self._note.port)
        except OSError as error:
            raise InputError(
                f"port {self._note.port}, which this demo uses, is taken: choose another folder"
            ) from error
        with server:
            with Store.open(self.folder, create=True):
                _write(self.folder, Note(self._note.seed, self._note.sites, server.port))
            sites = tuple(server.by_host(site) for site in self._web.sites)
            assignment = Assignment(sites, every=HOUR.total_seconds(), span=self._days * 86_400)
            job = CrawlJob(str(self.folder.absolute()), assignment, MANNERS, pace=Pace.of(clock), log=log)
            with Crawl(job) as crawl:
                yield crawl

    def scores(self) -> list[ArchiveScore]:
        """Hold the archive against the truth, site by site."""
        sites = {site.slug: site for site in self._web.sites}
        with Store.open(self.folder) as archive:
            return [
                score(archive, source, self._web, sites[slug])
                for source in archive.sources()
                if (slug := (urlsplit(source.url).hostname or "").partition(".")[0]) in sites
            ]

    def _begin(self) -> datetime:
        if not self.resumes:
            return START
        with Store.open(self.folder) as archive:
            return min((source.next_round for source in archive.sources() if source.next_round), default=START)


def _read(folder: Path, fresh: Note) -> Note:
    path = folder / NOTE
    if not path.exists():
        if _is_used(folder):
            raise InputError(f"{folder} contains something other than a demo: choose another folder")
        return fresh
    try:
        return Note(**json.loads(path.read_text(encoding="utf-8")))
    except (TypeError, ValueError) as error:
        raise InputError(f"{path} is damaged: choose another folder") from error


def _is_used(folder: Path) -> bool:
    """Say whether a folder holds anything but an archive that a demo was just about to fill."""
    if not folder.exists() or not any(folder.iterdir()):
        return False
    if not (folder / "catalogue.sqlite").exists():
        return True
    with Store.open(folder) as archive:
        return bool(archive.sources())


def _write(folder: Path, note: Note) -> None:
    beginning = folder / f"{NOTE}.new"
    beginning.write_text(json.dumps(asdict(note)) + "\n", encoding="utf-8")
    beginning.replace(folder / NOTE)
