"""The command: `python -m benchmarks.live_crawl --pages DIR [options]`."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks import machine, table
from benchmarks.live_crawl.articles import ServedArticle, compressed, draw_articles, front_page, share
from benchmarks.process_tree import TreeWatch
from benchmarks.progress import Progress, say
from broadsheet.archive import Store
from broadsheet.base.errors import BroadsheetError
from broadsheet.base.pool import cores

OURS, PEER, LEAST = "broadsheet", "scrapy + trafilatura", "scrapy + lxml + gzip"
#: How many times as many pages per second as the peer we have to fetch, archive and read.
BAR = 3.0
_LONGEST_SECONDS = 600

DESCRIPTION = """\
Crawl real pages from a loopback server and compare three crawlers on them:

  broadsheet            one snapshot into a new archive, every article read
  scrapy + trafilatura  a Scrapy spider whose callback runs trafilatura; nothing is archived
  scrapy + lxml + gzip  a Scrapy spider that only parses each page and writes it to a WARC file

All crawl the same sites, with the same number of requests at once and no delay, one after the other in turns, and
the best run of each counts. Time runs from the first request that the server sees until the crawler is done, so
starting Python is left out, but starting processes that read is not. CPU time counts between the same moments.
"""
NOTES = """\
On a busy machine trust the CPU columns more than pages/s. The server runs on the same cores; its CPU time is the
last column. The exit code is 1 if broadsheet is less than {bar:g} times as fast by the wall as scrapy + trafilatura.

  python -m benchmarks.live_crawl --pages ../shared/data/pages --number 400 --json live.json
"""


@dataclass(frozen=True, slots=True)
class CrawlRun:
    """One crawl, in seconds; CPU time is that of the crawling process, of all its processes, and of the server."""

    pages: int
    articles: int
    seconds: float
    crawler_cpu: float
    all_cpu: float
    server_cpu: float

    @property
    def pages_a_second(self) -> float:
        """The throughput by the wall."""
        return self.pages / self.seconds

    def milliseconds(self, cpu: float) -> float:
        """Return CPU seconds as milliseconds per page."""
        return cpu / self.pages * 1000


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code: 1 if the crawl is too slow."""
    options = _options(arguments)
    try:
        articles = draw_articles(options.pages, options.number, options.seed)
    except BroadsheetError as error:
        say(str(error))
        return 1
    names = [OURS, PEER, LEAST]
    if find_spec("trafilatura") is None:
        say("trafilatura is not installed and left out (pip install 'broadsheet[bench]')")
        names.remove(PEER)
    with tempfile.TemporaryDirectory() as folder:
        lay_out_sites(Path(folder, "sites"), share(articles, options.sites))
        runs = measure(Path(folder), names, options.repeat)
    compared = ratios(runs)
    print(_table(runs))
    for name, (wall, cpu) in compared.items():
        say_bar = f" (at least {BAR:g} by the wall)" if name == PEER else ""
        print(f"\nbroadsheet is {wall:.2f} times as fast as {name} by the wall, {cpu:.2f} times by CPU time{say_bar}")
    described = machine.line(machine.describe(), len(articles), sum(len(article.html) for article in articles))
    print(f"\nload {os.getloadavg()[0]:.1f}, {cores()} cores usable; {described}")
    if options.json:
        options.json.write_text(json.dumps(_report(runs, compared, articles, options), indent=1) + "\n", "utf-8")
    return 0 if compared.get(PEER, (BAR, BAR))[0] >= BAR else 1


def lay_out_sites(folder: Path, shares: Sequence[Sequence[ServedArticle]]) -> None:
    """Write the compressed pages of every site, named as the server expects them."""
    for number, articles in enumerate(shares):
        site = folder / f"{number:03}"
        site.mkdir(parents=True)
        (site / "|").write_bytes(compressed(front_page(f"Site {number}", articles)))
        for article in articles:
            (site / article.path.replace("/", "|")).write_bytes(compressed(article.html))


def measure(folder: Path, names: Sequence[str], repeat: int) -> dict[str, list[CrawlRun]]:
    """Run all crawlers in turns, each into a new folder."""
    runs: dict[str, list[CrawlRun]] = {name: [] for name in names}
    progress = Progress("crawls", repeat * len(names))
    with _serving(folder / "sites") as server:
        for done, name in enumerate([*names] * repeat, start=1):
            target = folder / f"run-{done}"
            target.mkdir()
            runs[name].append(_run(name, target, server))
            progress(done)
    return runs


def ratios(runs: dict[str, list[CrawlRun]]) -> dict[str, tuple[float, float]]:
    """Return how many times as fast we are as each peer, by the wall and by CPU time, each with its best run."""
    ours = runs[OURS]

    def speed(of: Sequence[CrawlRun]) -> float:
        return max(run.pages_a_second for run in of)

    def cost(of: Sequence[CrawlRun]) -> float:
        return min(run.milliseconds(run.all_cpu) for run in of)

    return {
        name: (speed(ours) / speed(theirs), cost(theirs) / cost(ours)) for name, theirs in runs.items() if name != OURS
    }


class RunningServer:
    """The server's process: the home pages it serves, and what it served since it was last asked."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        """Wait until the server has said where it serves."""
        self._process = process
        self.homes: list[str] = json.loads(self._line())

    def served(self) -> dict[str, float]:
        """Return what was served since the last call."""
        assert self._process.stdin is not None  # noqa: S101 - it was started with a pipe
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        answer: dict[str, float] = json.loads(self._line())
        return answer

    def _line(self) -> str:
        line = self._process.stdout.readline() if self._process.stdout else ""
        if not line:
            raise RuntimeError("the server of the benchmark has ended; what it printed says why")
        return line


@contextmanager
def _serving(sites: Path) -> Iterator[RunningServer]:
    command = [sys.executable, "-m", "benchmarks.live_crawl.server", str(sites)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 - our own module
        try:
            yield RunningServer(process)
        finally:
            process.kill()


def _run(name: str, folder: Path, server: RunningServer) -> CrawlRun:
    server.served()
    command = [sys.executable, "-m", "benchmarks.live_crawl.runs", name, str(folder), *server.homes]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process, TreeWatch(process.pid) as watch:  # noqa: S603 - our own module
        printed, _ = process.communicate(timeout=_LONGEST_SECONDS)
    if process.returncode:
        raise RuntimeError(f"{name} ended with exit code {process.returncode}; what it printed says why")
    end, served = json.loads(printed), server.served()
    cpu = watch.between(served["first"], end["ended"])
    articles = end["articles"]
    return CrawlRun(
        pages=int(served["pages"]),
        articles=_archived(folder) if articles is None else articles,
        seconds=end["ended"] - served["first"],
        crawler_cpu=cpu[end["crawler"]],
        all_cpu=sum(cpu.values()),
        server_cpu=served["cpu"],
    )


def _archived(folder: Path) -> int:
    with Store.open(folder) as archive:
        return sum(1 for _ in archive.articles())


def _table(runs: dict[str, list[CrawlRun]]) -> str:
    head = ["crawler", "pages", "articles", "pages/s", "crawler CPU ms", "all CPU ms", "server CPU ms", "server's part"]
    rows = []
    for name, own in runs.items():
        best = max(own, key=lambda run: run.pages_a_second)
        cheapest = min(own, key=lambda run: run.all_cpu)
        figures = (cheapest.crawler_cpu, cheapest.all_cpu, cheapest.server_cpu)
        costs = [f"{cheapest.milliseconds(cpu):.2f}" for cpu in figures]
        part = cheapest.server_cpu / (cheapest.server_cpu + cheapest.all_cpu)
        rows.append([name, str(best.pages), str(best.articles), f"{best.pages_a_second:.1f}", *costs, f"{part:.0%}"])
    return table.lay_out(head, rows, left=1)


def _report(
    runs: dict[str, list[CrawlRun]],
    compared: dict[str, tuple[float, float]],
    articles: Sequence[ServedArticle],
    options: argparse.Namespace,
) -> dict[str, Any]:
    return {
        "machine": machine.describe(),
        "load": os.getloadavg()[0],
        "seed": options.seed,
        "sites": options.sites,
        "articles": len(articles),
        "bytes": sum(len(article.html) for article in articles),
        "runs": {name: [asdict(run) for run in own] for name, own in runs.items()},
        "ratios": {name: {"wall": wall, "cpu": cpu} for name, (wall, cpu) in compared.items()},
    }


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "python -m benchmarks.live_crawl",
        description=DESCRIPTION,
        epilog=NOTES.format(bar=BAR),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--pages",
        type=Path,
        required=True,
        metavar="DIR",
        help="a corpus with labels.jsonl, or a folder of .tar.xz corpora",
    )
    parser.add_argument("--number", type=int, default=400, metavar="N", help="how many articles (%(default)s)")
    parser.add_argument("--sites", type=int, default=4, metavar="N", help="on how many sites (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="random seed of the sample (%(default)s)")
    parser.add_argument("--repeat", type=int, default=3, metavar="K", help="best of K runs (%(default)s)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures of every run here")
    options = parser.parse_args(arguments)
    if min(options.number, options.sites, options.repeat) < 1 or options.sites > 200:
        parser.error("--number and --repeat must be at least 1, --sites between 1 and 200")
    return options


if __name__ == "__main__":
    sys.exit(main())
