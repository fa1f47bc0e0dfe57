"""Time memory-based learning against TiMBL on one job, leaving out one page at a time: `python -m benchmarks.timbl`.

Both classify every element of some pages by the elements of all other pages. All times are processor time, so that
other work on the machine does not change the ratio. TiMBL's time for testing is that of the whole run less that of a
run which tests a single element; ours has everything: counting, storing, and searching. With --pages the pages are real
ones.
"""

import argparse
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from broadsheet.base.clock import SystemClock
from broadsheet.base.counters import Counters
from broadsheet.experiments.experiment import Context
from broadsheet.experiments.memory_study._memory_pages import CLASS_COUNT, TaggedPages, generated_pages, real_pages
from broadsheet.learning.memory_based import WEIGHTINGS, GroupHoldout, Weighting

#: What one element costs is learning; what the others cost is testing.
_ONE = 1


def timbl_seconds(
    pages: TaggedPages, page: int, weighting: Weighting, k: int, folder: Path
) -> tuple[float, float, list[str]]:
    """Return the seconds that TiMBL takes to test one page, and for everything, and the classes that it gives."""
    inside = pages.page_of == page
    rows = {"train": np.flatnonzero(~inside), "test": np.flatnonzero(inside), "one": np.flatnonzero(inside)[:_ONE]}
    for name, numbers in rows.items():
        lines = zip(pages.features[numbers].tolist(), pages.tags[numbers].tolist(), strict=True)
        (folder / name).write_text("".join(f"{' '.join(map(str, line))} {tag}\n" for line, tag in lines))
    options = ["-w", str(WEIGHTINGS.index(weighting)), "-k", str(k), "-o", str(folder / "out")]
    seconds = []
    for tested in ("one", "test"):
        before = children_seconds()
        command = ["timbl", "-f", str(folder / "train"), "-t", str(folder / tested), *options]
        subprocess.run(command, check=True, capture_output=True)  # noqa: S603
        seconds.append(children_seconds() - before)
    classes = [line.split()[-1] for line in (folder / "out").read_text().splitlines()]
    return seconds[1] - seconds[0], seconds[1], classes


def children_seconds() -> float:
    """Return the processor time of all programs that were run so far."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the job with both, and print times, their ratio, and how often the classes agree."""
    parser = argparse.ArgumentParser("python -m benchmarks.timbl", description=__doc__)
    parser.add_argument("--pages", type=Path, help="a folder of labelled pages (default: generated pages)")
    parser.add_argument("--left-out", type=int, default=3, help="how many pages are left out in turn (%(default)s)")
    parser.add_argument("--weighting", choices=WEIGHTINGS, default="gain_ratio")
    parser.add_argument("-k", type=int, default=1, help="the number of nearest distances (%(default)s)")
    options = parser.parse_args(arguments)
    if shutil.which("timbl") is None:
        parser.error("timbl is not installed: apt-get install timbl")
    context = Context(folder=Path(), clock=SystemClock(), counters=Counters())
    pages = real_pages(context, options.pages) if options.pages else generated_pages(context)
    chosen = np.random.default_rng(0).permutation(len(pages.pages))[: options.left_out].tolist()
    start = time.process_time()
    holdout = GroupHoldout(pages.features, pages.tags, pages.page_of, class_count=CLASS_COUNT)
    ours = {fold.group: codes for fold, codes in holdout.classified(options.weighting, options.k, "ib1", chosen)}
    own_seconds = time.process_time() - start
    peer_testing, peer_whole, same, total = 0.0, 0.0, 0, 0
    with tempfile.TemporaryDirectory() as name:
        for page in chosen:
            testing, whole, classes = timbl_seconds(pages, page, options.weighting, options.k, Path(name))
            peer_testing += testing
            peer_whole += whole
            same += sum(a == str(b) for a, b in zip(classes, ours[page].tolist(), strict=True))
            total += len(classes)
    largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{len(pages.tags):,} elements of {len(pages.pages)} pages; {len(chosen)} pages left out, {total:,} elements")
    print(f"TiMBL: testing {peer_testing:.2f} s, everything {peer_whole:.2f} s")
    print(f"Broadsheet: everything {own_seconds:.2f} s, {largest} MiB")
    print(f"ratio {peer_testing / own_seconds:.1f}, of everything {peer_whole / own_seconds:.1f}")
    print(f"the same class for {100 * same / total:.2f} % of the elements")
    return 0


if __name__ == "__main__":
    sys.exit(main())
