"""The command: `python -m benchmarks.crawl PAGES [options]`."""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks import machine, table
from benchmarks.pages import SourceError, sample
from benchmarks.progress import Progress, say

NAMES = ("broadsheet", "scrapy", "lean scrapy")
BUDGET = 0.80
_LONGEST_SECONDS = 300


@dataclass(frozen=True, slots=True)
class Run:
    """The times of one crawl of all pages: wall-clock time, CPU time, and the CPU time spent processing pages."""

    pages: int
    seconds: float
    cpu: float
    work: float

    @property
    def pages_a_second(self) -> float:
        """The throughput."""
        return self.pages / self.seconds

    @property
    def overhead_ms(self) -> float:
        """CPU time per page besides processing it: the engine and its sockets."""
        return (self.cpu - self.work) / self.pages * 1000


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code: 1 if the crawl is too slow."""
    options = _options(arguments)
    try:
        pages = sample(options.pages, options.sample, options.seed)
    except SourceError as error:
        say(str(error))
        return 1
    with tempfile.TemporaryDirectory() as folder:
        for number, page in enumerate(pages):
            Path(folder, f"{number}.html").write_bytes(page.data)
        runs = _measure(Path(folder), len(pages), len(pages) * options.times, options.repeat)
    print(_table(runs))
    to_scrapy = ratio(runs)
    print(
        f"\nratio to scrapy {to_scrapy:.2f} (at least {BUDGET:.2f}), to lean scrapy {ratio(runs, 'lean scrapy'):.2f};"
    )
    print(f"our bookkeeping {bookkeeping_ms(runs):+.2f} ms of CPU time per page compared with lean scrapy")
    print(
        machine.line(
            machine.describe(), len(pages) * options.times, sum(len(page.data) for page in pages) * options.times
        )
    )
    return 0 if to_scrapy >= BUDGET else 1


def ratio(runs: dict[str, list[Run]], other: str = "scrapy") -> float:
    """Return our throughput over another's: the median over rounds, whose runs met similar machine load."""
    rounds = zip(runs["broadsheet"], runs[other], strict=True)
    return statistics.median(ours.pages_a_second / theirs.pages_a_second for ours, theirs in rounds)


def bookkeeping_ms(runs: dict[str, list[Run]]) -> float:
    """Return our engine's extra CPU time per page over Scrapy's, without processing the pages."""
    rounds = zip(runs["broadsheet"], runs["lean scrapy"], strict=True)
    return statistics.median(ours.overhead_ms - theirs.overhead_ms for ours, theirs in rounds)


def _measure(folder: Path, files: int, pages: int, repeat: int) -> dict[str, list[Run]]:
    runs: dict[str, list[Run]] = {name: [] for name in NAMES}
    progress = Progress("crawls", repeat * len(NAMES))
    with _server(folder) as port:
        for done, name in enumerate(NAMES * repeat, start=1):
            runs[name].append(_run(name, port, folder / "pages.warc.gz", files, pages))
            progress(done)
    return runs


def _run(name: str, port: str, warc: Path, files: int, pages: int) -> Run:
    command = [sys.executable, "-m", "benchmarks.crawl.runs", name, port, str(warc), str(files), str(pages)]
    completed = subprocess.run(command, stdout=subprocess.PIPE, check=True, timeout=_LONGEST_SECONDS)  # noqa: S603 - our own module
    result = Run(**json.loads(completed.stdout))
    if result.pages != pages:
        raise RuntimeError(f"{name} fetched {result.pages} of {pages} pages")
    return result


@contextmanager
def _server(folder: Path) -> Iterator[str]:
    command = [sys.executable, "-m", "benchmarks.crawl.server", str(folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:  # noqa: S603 - our own module
        try:
            yield server.stdout.readline().strip() if server.stdout else ""
        finally:
            server.kill()


def _table(runs: dict[str, list[Run]]) -> str:
    head = ["crawler", "pages/s", "best", "CPU ms per page", "engine's part"]
    return table.lay_out(head, [[name, *_cells(own)] for name, own in runs.items()], left=1)


def _cells(runs: list[Run]) -> list[str]:
    speeds = [run.pages_a_second for run in runs]
    cpu = statistics.median(run.cpu / run.pages * 1000 for run in runs)
    engine = statistics.median(run.overhead_ms for run in runs)
    return [f"{statistics.median(speeds):.0f}", f"{max(speeds):.0f}", f"{cpu:.2f}", f"{engine:.2f}"]


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m benchmarks.crawl", description=__doc__)
    parser.add_argument("pages", type=Path, help="a folder of .html or .tar.xz files, or one .tar.xz")
    parser.add_argument("--sample", type=int, default=100, metavar="N", help="how many pages (%(default)s)")
    parser.add_argument("--times", type=int, default=6, metavar="K", help="how often to fetch each page (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="random seed of the sample (%(default)s)")
    parser.add_argument("--repeat", type=int, default=5, metavar="K", help="rounds of all crawlers (%(default)s)")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
