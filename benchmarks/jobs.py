"""`python -m benchmarks.jobs PAGES`: what a second process is worth to `broadsheet extract`.

Wall time says little on a machine that others use. So the time of every process is also split into what it worked, what
it waited for a core (both as Linux counts them) and what it slept; a worker that sleeps waits for its next page.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import machine
from benchmarks.pages import SourceError, sample
from benchmarks.process_tree import children, text
from benchmarks.progress import say
from broadsheet.base.pool import cores

#: Seconds between two looks at the processes.
_LOOK = 0.03


@dataclass
class Share:
    """One process: seconds from when it was first seen to when it was last seen, and what it did in them."""

    begun: float
    life: float = 0.0
    worked: float = 0.0
    waited: float = 0.0

    @property
    def slept(self) -> float:
        """Seconds in which it had nothing to do."""
        return max(self.life - self.worked - self.waited, 0.0)


@dataclass(frozen=True)
class Measured:
    """One run of the program."""

    jobs: int
    wall: float
    program: Share
    workers: tuple[Share, ...]
    #: What the program had worked when the first worker was seen.
    start: float

    @property
    def free(self) -> float:
        """An estimate of the seconds it takes where nobody else wants the cores.

        Workers start one after the other with the program, so its start comes before the slowest of them; but no run
        is shorter than all its work shared among the cores.
        """
        everything = self.program.worked + sum(worker.worked for worker in self.workers)
        slowest = max(worker.worked + worker.slept for worker in self.workers)
        return max(self.start + slowest, everything / cores())

    def line(self) -> str:
        """Say it in a row of a table."""
        working = sum(worker.worked for worker in self.workers)
        asleep = sum(worker.slept for worker in self.workers) / sum(worker.life for worker in self.workers)
        queued = sum(worker.waited for worker in self.workers) / sum(worker.life for worker in self.workers)
        share = self.program.worked / (self.program.worked + working)
        figures = (self.jobs, f"{self.wall:.1f}", f"{self.free:.1f}", f"{self.program.worked:.1f}", f"{working:.1f}")
        return f"| {' | '.join(map(str, figures))} | {share:.0%} | {queued:.0%} | {asleep:.0%} |"


_HEADER = """\
| jobs | wall s | free-core s | program s | workers s | program's part | wait for a core | wait for a page |
| ---: | -----: | ----------: | --------: | --------: | -------------: | --------------: | --------------: |"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    options = _options(arguments)
    try:
        pages = sample(options.pages, options.sample, options.seed)
    except SourceError as error:
        say(str(error))
        return 1
    with TemporaryDirectory() as folder:
        for number, page in enumerate(pages):
            Path(folder, f"{number:05}.html").write_bytes(page.data)
        runs = [measured(Path(folder), jobs) for _ in range(options.repeat) for jobs in (1, 2)]
    print(_HEADER)
    for run in runs:
        print(run.line())
    wall, free = (
        [min(getattr(run, name) for run in runs if run.jobs == jobs) for jobs in (1, 2)] for name in ("wall", "free")
    )
    print(
        f"\n--jobs 2 is {wall[0] / wall[1]:.2f} times as fast by the wall, {free[0] / free[1]:.2f} times on free cores"
    )
    size = sum(len(page.data) for page in pages)
    print(f"load {os.getloadavg()[0]:.1f}; {machine.line(machine.describe(), len(pages), size)}")
    return 0


def measured(folder: Path, jobs: int) -> Measured:
    """Extract the articles of a folder, and watch the processes that do it."""
    out = folder.with_suffix(".jsonl")
    command = [sys.executable, "-m", "broadsheet", "extract", str(folder), f"--jobs={jobs}", "-o", str(out)]
    begun = time.perf_counter()
    shares: dict[int, Share] = {}
    start = 0.0
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)  # noqa: S603 - our own program
    while process.poll() is None:
        for pid in (process.pid, *children(process.pid)):
            _look(pid, shares)
        if len(shares) == 1:
            start = shares[process.pid].worked
        time.sleep(_LOOK)
    out.unlink(missing_ok=True)
    program = shares.pop(process.pid)
    # Python has a process beside the workers that only keeps count of what they share.
    workers = tuple(share for share in shares.values() if share.worked > 0.2)
    return Measured(jobs, time.perf_counter() - begun, program, workers, start)


def _look(pid: int, shares: dict[int, Share]) -> None:
    """Read how long a process has worked, and waited for a core, in all its threads."""
    found = [text(file).split() for file in Path(f"/proc/{pid}/task").glob("*/schedstat")]
    times = [(int(numbers[0]), int(numbers[1])) for numbers in found if numbers]
    if times:
        now = time.perf_counter()
        share = shares.setdefault(pid, Share(now))
        share.life = now - share.begun
        share.worked, share.waited = (sum(column) / 1e9 for column in zip(*times, strict=True))


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser("python -m benchmarks.jobs", description="What a second process is worth.")
    parser.add_argument("pages", type=Path, help="a folder of .html or .tar.xz files, or one .tar.xz")
    parser.add_argument("--sample", type=int, default=1000, metavar="N", help="how many pages (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="another seed draws other pages (%(default)s)")
    parser.add_argument("--repeat", type=int, default=3, metavar="K", help="runs of each (%(default)s)")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
