"""Serve a simulated news web over HTTP in accelerated time, crawl it, and compare the archive with the truth."""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

from broadsheet.archive import SourceRecord, Store, source_graph
from broadsheet.base.clock import AcceleratedClock, Clock, SystemClock
from broadsheet.base.errors import InputError
from broadsheet.base.manners import Manners
from broadsheet.base.newsroom_settings import NewsroomSettings
from broadsheet.newsroom.assignment import Assignment
from broadsheet.newsroom.crawl import Crawl
from broadsheet.newsroom.crawl_job import CrawlJob, Pace
from broadsheet.newsroom.crawl_log import CrawlLog
from broadsheet.newsweb.server import serve
from broadsheet.newsweb.site import Site
from broadsheet.newsweb.web import NewsWeb
from broadsheet.outputs.crawl_timeline import draw_timeline
from broadsheet.outputs.section_map import draw_section_map, pace_words
from broadsheet.simulation.archive_score import ArchiveScore, score
from broadsheet.simulation.crawl_savings import CrawlSavings, savings

START = datetime(2026, 3, 2, 6, tzinfo=UTC)
HOUR = timedelta(hours=1)
#: The only server is our own, so there is no need for delays between requests.
MANNERS = Manners(delay=0.0, per_host=4, allow_networks="127.0.0.0/8, ::1/128", contact="https://demo.example/")
#: Each section has a pace of its own, so that it can be seen what that saves.
SETTINGS = NewsroomSettings(pace="arrivals")
#: Three days are enough to see what is saved. A crawl that would take longer than this many seconds ends earlier, but
#: not before it has seen each hour of a day.
USUAL_DAYS, MIN_DAYS = 3.0, 1.0
MAX_SECONDS = 80.0
DAY = 86_400.0
#: For how many seconds it is measured how busy the machine is, and the least share of it that is taken to be free.
MEASURED_SECONDS, MIN_SPARE = 0.3, 0.2
RECORD_FILE = "demo.json"
#: The drawings of the last run, in the folder of the archive.
TIMELINE_FILE, MAP_FILE = "demo-{}.svg", "demo-{}-sections.svg"


@dataclass(frozen=True, slots=True)
class DemoRecord:
    """The parameters of the demonstration in a folder, so that the same command resumes it."""

    seed: int
    sites: int
    port: int


@dataclass(frozen=True, slots=True)
class DemoResult:
    """How complete the archive of a site is, what was saved, and two drawings of that."""

    score: ArchiveScore
    savings: CrawlSavings
    picture: Path
    section_map: Path
    #: A row for each section that is followed.
    rows: Sequence[Mapping[str, object]]

    def to_dict(self) -> dict[str, object]:
        """Return all figures as JSON types."""
        files = {"picture": str(self.picture), "section_map": str(self.section_map)}
        return {**self.score.to_dict(), **self.savings.to_dict(), **files, "section_rows": list(self.rows)}


class Demonstration:
    """One run: `crawl` in a `with` block, then `results`."""

    def __init__(self, folder: Path, seed: int | None, sites: int | None, days: float | None, speed: float) -> None:
        """Set the folder of the archive; if it contains a demonstration already, that is resumed.

        Time passes at most `speed` times as fast as real time: a machine that has other work to do, or several sites
        to crawl, needs more of it for the same news. Unless `days` are given, they are then fewer than usual.
        """
        self.folder = folder
        self._record = _read(folder, DemoRecord(seed or 1, sites or 1, 0))
        self.resumes = self._record.port != 0
        if (seed or self._record.seed, sites or self._record.sites) != (self._record.seed, self._record.sites):
            raise InputError(
                f"{folder} contains a demo with --seed {self._record.seed} and --sites {self._record.sites}; "
                "choose another folder"
            )
        self._web = NewsWeb(self._record.seed, self._record.sites)
        self._clock_speed = speed * spare_share(SystemClock()) / self._record.sites
        self.days = affordable_days(self._clock_speed) if days is None else days

    @property
    def seconds(self) -> float:
        """How long the crawl takes, in real time."""
        return self.days * DAY / self._clock_speed

    @contextmanager
    def crawl(self, log: CrawlLog | None = None) -> Iterator[Crawl]:
        """Serve the news web and crawl it, starting at the time that the archive has reached."""
        clock = AcceleratedClock(SystemClock(), self._start_time(), self._clock_speed)
        try:
            server = serve(self._web, clock, port=self._record.port)
        except OSError as error:
            raise InputError(
                f"port {self._record.port}, which this demo needs to resume, is in use; choose another folder"
            ) from error
        with server:
            with Store.open(self.folder, create=True):
                _write(self.folder, DemoRecord(self._record.seed, self._record.sites, server.port))
            sites = tuple(server.by_host(site) for site in self._web.sites)
            assignment = Assignment(sites, every=HOUR.total_seconds(), span=self.days * DAY)
            folder, pace = str(self.folder.absolute()), Pace.of(clock)
            job = CrawlJob(folder, assignment, MANNERS, pace=pace, settings=SETTINGS, log=log)
            with Crawl(job) as crawl:
                yield crawl

    def results(self) -> list[DemoResult]:
        """Compare the archive with the truth and with hourly visits of everything, and draw both, site by site."""
        sites = {site.slug: site for site in self._web.sites}
        with Store.open(self.folder) as archive:
            return [
                self._result(archive, source, sites[slug])
                for source in archive.sources()
                if (slug := (urlsplit(source.url).hostname or "").partition(".")[0]) in sites
            ]

    def _result(self, archive: Store, source: SourceRecord, site: Site) -> DemoResult:
        saved = savings(archive, source, self._web, site)
        paces = {each.page.key: each.entry.every for each in archive.sections(source.key)}
        known = {key: every for key, every in paces.items() if every is not None}
        facts = source_graph(archive, source.key).facts()
        drawings = {
            TIMELINE_FILE: draw_timeline(saved.timeline),
            MAP_FILE: draw_section_map(facts, known, f"Sections of {source.url}"),
        }
        files = {name: self.folder / name.format(site.slug) for name in drawings}
        for name, path in files.items():
            path.write_text(drawings[name], encoding="utf-8")
        told = score(archive, source, self._web, site)
        rows = [
            {
                "section": "home page" if each.parent is None else each.page.label or each.page.key,
                "articles": each.articles,
                "new_a_day": None if each.per_day is None else round(each.per_day, 1),
                "first_shown_here": None if each.new is None else f"{each.new:.0%}",
                "visited_every": pace_words(known[each.page.key]),
            }
            for each in facts
            if each.page.key in known
        ]
        return DemoResult(told, saved, files[TIMELINE_FILE], files[MAP_FILE], rows)

    def _start_time(self) -> datetime:
        if not self.resumes:
            return START
        with Store.open(self.folder) as archive:
            return min((front.entry.due for front in archive.sections()), default=START)


def affordable_days(clock_speed: float) -> float:
    """Return for how many simulated days to follow the sites if time passes so many times as fast as real time."""
    hours = MAX_SECONDS * clock_speed // HOUR.total_seconds()
    return min(USUAL_DAYS, max(MIN_DAYS, hours / 24))


def spare_share(clock: Clock, seconds: float = MEASURED_SECONDS) -> float:
    """Return which share of a processor this machine leaves to a new program, measured for so long."""
    begin, busy = clock.monotonic(), time.thread_time()
    while clock.monotonic() - begin < seconds:
        pass
    return min(1.0, max(MIN_SPARE, (time.thread_time() - busy) / (clock.monotonic() - begin)))


def _read(folder: Path, default: DemoRecord) -> DemoRecord:
    if folder.is_file():
        raise InputError(f"{folder} is a file; name a folder")
    path = folder / RECORD_FILE
    if not path.exists():
        if _is_used(folder):
            raise InputError(f"{folder} contains something other than a demo; choose another folder")
        return default
    try:
        return DemoRecord(**json.loads(path.read_text(encoding="utf-8")))
    except (TypeError, ValueError) as error:
        raise InputError(f"{path} is damaged; choose another folder") from error


def _is_used(folder: Path) -> bool:
    """Return whether a folder contains anything but the empty archive of a demo that was interrupted at the start."""
    if not folder.exists() or not any(folder.iterdir()):
        return False
    if not (folder / "catalogue.sqlite").exists():
        return True
    with Store.open(folder) as archive:
        return bool(archive.sources())


def _write(folder: Path, record: DemoRecord) -> None:
    temporary = folder / f"{RECORD_FILE}.new"
    temporary.write_text(json.dumps(asdict(record)) + "\n", encoding="utf-8")
    temporary.replace(folder / RECORD_FILE)
