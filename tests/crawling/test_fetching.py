import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from broadsheet.base.manners import Manners
from broadsheet.crawling import fetching
from broadsheet.crawling.crawl_errors import CrawlError
from broadsheet.crawling.fetch_messages import Failure, FetchAnswer
from broadsheet.crawling.fetching import fetch
from broadsheet.crawling.rendering import _processes
from tests.crawling.scripted import TEXT, Site, serving

pytest.importorskip("scrapy")

MANNERS = Manners(delay=0.0, per_host=4, retries=0, allow_networks="127.0.0.0/8")
DEADLINE_SECONDS = 200


def test_pages_can_be_fetched_again_and_again_in_one_process() -> None:
    with serving(Site()) as base:
        for _ in range(2):
            first, second = sorted(
                fetch([f"{base}/moved", f"{base}/private/"], MANNERS), key=lambda outcome: outcome.request.tag
            )

            assert isinstance(first, FetchAnswer)
            assert (first.url, first.content.decode()) == (f"{base}/page?from=moved", TEXT)
            assert [each.status for each in first.exchanges] == [301, 200]
            assert isinstance(second, Failure)
            assert second.reason == "robots"


def test_nothing_to_fetch_starts_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "_CHILD", "nowhere")

    assert list(fetch([], MANNERS)) == []


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "find_spec", lambda _: None)

    with pytest.raises(CrawlError, match=r"fetching pages needs Scrapy: pip install 'broadsheet\[crawl\]'"):
        list(fetch(["http://127.0.0.1/"], MANNERS))


def test_a_process_that_ends_too_early_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "_CHILD", "tests.crawling.quitter")

    with pytest.raises(CrawlError, match=r"ended early \(exit code 3\)"):
        list(fetch(["http://127.0.0.1/"], MANNERS))


def test_who_stops_listening_ends_the_process() -> None:
    with serving(Site()) as base:
        before = set(_processes.descendants(os.getpid()))
        outcomes = fetch([f"{base}/page", f"{base}/dripping-body"], MANNERS)
        next(outcomes)
        children = set(_processes.descendants(os.getpid())) - before
        assert children

        outcomes.close()

        assert not children & set(_processes.descendants(os.getpid()))


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_the_process_ends_with_its_parent(how: signal.Signals) -> None:
    program = (
        "import sys\nfrom broadsheet.base.manners import Manners\nfrom broadsheet.crawling.fetching import fetch\n"
        "for outcome in fetch(sys.argv[1:], Manners(delay=0, per_host=2, allow_networks='127.0.0.0/8')):\n"
        "    print(outcome.request.tag, flush=True)\n"
    )
    with serving(Site()) as base:
        parent = subprocess.Popen(  # noqa: S603 - our own words
            [sys.executable, "-c", program, f"{base}/page", f"{base}/dripping-body"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        with parent:
            assert parent.stdout is not None
            assert parent.stdout.readline() == b"0\n"
            children = _processes.descendants(parent.pid)
            assert children

            parent.send_signal(how)
            parent.wait(DEADLINE_SECONDS)
            deadline = time.monotonic() + DEADLINE_SECONDS
            while any(_is_alive(child) for child in children) and time.monotonic() < deadline:
                time.sleep(0.05)

            assert not any(_is_alive(child) for child in children)


def _is_alive(pid: int) -> bool:
    try:
        return b") Z " not in Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return False
