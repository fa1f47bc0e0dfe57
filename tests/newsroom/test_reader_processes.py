"""What the processes that read pages load: neither a database nor Arrow, because they never open an archive."""

import pickle
import subprocess
import sys
from datetime import UTC, datetime

from broadsheet.archive import VisitReason
from broadsheet.newsroom.line import FilterSettings
from broadsheet.newsroom.page_visit import FetchedVisit
from broadsheet.newsroom.supervision import LineWork

PAGE = b"<html><title>A storm</title><h1>A storm</h1><p>It came from the west, they say, and stayed.</p></html>"
#: Does what a process of the pool does, and prints what it found and what it loaded for that.
READER = (
    "import pickle, sys\n"
    "work, visit = pickle.load(sys.stdin.buffer), pickle.load(sys.stdin.buffer)\n"
    "[found] = work()(visit)\n"
    "print(type(found).__name__, found.links is not None)\n"
    "print(sorted({'sqlalchemy', 'pyarrow', 'scrapy', 'twisted'} & sys.modules.keys()))\n"
)


def test_a_page_is_read_without_loading_a_database_arrow_or_the_crawler() -> None:
    visit = FetchedVisit(PAGE, "https://news.example/", "text/html", datetime(2026, 3, 2, tzinfo=UTC), VisitReason.HOME)
    task = pickle.dumps(LineWork(FilterSettings())) + pickle.dumps(visit)

    told = subprocess.run(  # noqa: S603 - our own words
        [sys.executable, "-c", READER], input=task, capture_output=True, check=True
    )

    assert told.stdout.decode().splitlines() == ["Findings True", "[]"]
