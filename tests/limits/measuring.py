"""What the worst pages take, each in a process of its own: `python -m tests.limits.measuring [NAME…]` prints rows."""

import json
import os
import resource
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass

from lxml import etree

import broadsheet
from broadsheet.base.memory import peak_memory
from broadsheet.base.pool import cores
from tests.limits.worst_pages import WORST

ADDRESS = "https://courier.example/city/a-bridge-reopens"


@dataclass(frozen=True)
class Taken:
    """What identifying and reading one page took; `lxml_seconds` is what the bare parser takes for it."""

    page: str
    seconds: float
    lxml_seconds: float
    #: The most that the process held, itself and the page included.
    megabytes: float
    refused: str | None


def measure(name: str) -> Taken:
    page = WORST[name]()
    begin, refused = _cpu(), None
    try:
        broadsheet.analyse(page, ADDRESS, force=True)
    except broadsheet.LimitError as error:
        refused = type(error).__name__
    seconds, peak = _cpu() - begin, peak_memory() / 1e6
    begin = _cpu()
    etree.fromstring(page, etree.HTMLParser(encoding="utf-8", huge_tree=True))
    return Taken(name, seconds, _cpu() - begin, peak, refused)


def measure_apart(names: Iterable[str]) -> dict[str, Taken]:
    """Measure pages in fresh processes, so that what the tests hold is not counted; time is that of each process."""
    shares = [share for first in range(cores()) if (share := list(names)[first :: cores()])]
    with ThreadPoolExecutor() as threads:
        rows = [row for printed in threads.map(_printed, shares) for row in printed.splitlines()]
    return {taken.page: taken for taken in (Taken(**json.loads(row)) for row in rows)}


def _printed(names: list[str]) -> str:
    command = [sys.executable, "-m", "tests.limits.measuring", *names]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, timeout=600).stdout  # noqa: S603


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _main(names: list[str]) -> None:
    # What is loaded once is not a page's to pay for.
    broadsheet.analyse(WORST["as deep as can be"](), ADDRESS, force=True)
    for name in names or WORST:
        child = os.fork()
        if not child:
            print(json.dumps(asdict(measure(name))), flush=True)
            os._exit(0)
        if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
            sys.exit(f"{name} took its process down")


if __name__ == "__main__":
    _main(sys.argv[1:])
