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
    """What one crawl of all pages took: wall-clock, processor time, and how much of that was the work on the pages."""

    pages: int
    seconds: float
    cpu: float
    work: float

    @property
    def pages_a_second(self) -> float:
        """The speed."""
        return self.pages / self.seconds

    @property
    def overhead_ms(self) -> float:
        """Processor time a page beside the work: the engine with its sockets."""
        return (self.cpu - self.work) / self.pages * 1000


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code: 1 where the budget is not kept."""
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
    found = ratio(runs)
    print(
        f"\nratio to scrapy {found:.2f} (budget {BUDGET:.2f} or more), to lean scrapy {ratio(runs, 'lean scrapy'):.2f};"
    )
    print(f"our bookkeeping {bookkeeping_ms(runs):+.2f} ms of processor time a page against lean scrapy")
    print(
        machine.line(
            machine.describe(), len(pages) * options.times, sum(len(page.data) for page in pages) * options.times
        )
    )
    return 0 if found >= BUDGET else 1


def ratio(runs: dict[str, list[Run]], other: str = "scrapy") -> float:
    """Return our speed as a share of another's: the median over rounds, as those of a round met the same machine."""
    rounds = zip(runs["broadsheet"], runs[other], strict=True)
    return statistics.median(ours.pages_a_second / theirs.pages_a_second for ours, theirs in rounds)


def bookkeeping_ms(runs: dict[str, list[Run]]) -> float:
    """Return what our engine takes more than Scrapy itself, without the work on the pages."""
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
    ran = subprocess.run(command, stdout=subprocess.PIPE, check=True, timeout=_LONGEST_SECONDS)  # noqa: S603 - our own module
    found = Run(**json.loads(ran.stdout))
    if found.pages != pages:
        raise RuntimeError(f"{name} brought {found.pages} of {pages} pages")
    return found


@contextmanager
def _server(folder: Path) -> Iterator[str]:
    command = [sys.executable, "-m", "benchmarks.crawl.server", str(folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:  # noqa: S603 - our own module
        try:
            yield server.stdout.readline().strip() if server.stdout else ""
        finally:
            server.kill()


def _table(runs: dict[str, list[Run]]) -> str:
    head = ["crawler", "pages/s", "best", "CPU ms a page", "of it engine"]
    return table.lay_out(head, [[name, *_cells(found)] for name, found in runs.items()], left=1)


def _cells(runs: list[Run]) -> list[str]:
    speeds = [run.pages_a_second for run in runs]
    cpu = statistics.median(run.cpu / run.pages * 1000 for run in runs)
    engine = statistics.median(run.overhead_ms for run in runs)
    return [f"{statistics.median(speeds):.0f}", f"{max(speeds):.0f}", f"{cpu:.2f}", f"{engine:.2f}"]


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m benchmarks.crawl", description=__doc__)
    parser.add_argument("pages", type=Path, help="a folder of .html or .tar.xz files, or one .tar.xz")
    parser.add_argument("--sample", type=int, default=100, metavar="N", help="how many pages (%(default)s)")
    parser.add_argument("--times", type=int, default=6, metavar="K", help="fetch each so often (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="another seed draws other pages (%(default)s)")
    parser.add_argument("--repeat", type=int, default=5, metavar="K", help="rounds of both crawlers (%(default)s)")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
