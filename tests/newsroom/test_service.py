"""A crawl that runs is steered by other processes, and reads its files again on SIGHUP."""

import json
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from broadsheet.archive import Store
from broadsheet.cli import exits
from tests.newsroom.program import LOOPBACK, articles, run, serving, start, wait_until
from tests.newsroom.site import article_path, front, story

pytestmark = pytest.mark.long

PAGES = {"/": front(article_path(1)), article_path(1): story("one")}
OTHERS = {"/": front(article_path(2)), article_path(2): story("two")}


@pytest.fixture
def heard_hangups() -> Iterator[None]:
    """Let programs hear SIGHUP: a run of tests that was started with nohup would pass on that it is ignored."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


def test_other_processes_add_pause_and_stop(tmp_path: Path) -> None:
    news = tmp_path / "news"
    with serving(PAGES) as site, serving(OTHERS) as other:
        process = start("crawl", news, site.url, *LOOPBACK)
        wait_until(lambda: articles(news) == ["one"])
        added = run("sources", "add", news, other.url, "every=2s")
        wait_until(lambda: articles(news) == ["one", "two"])
        paused = run("sources", "pause", news, other.url)
        asked = len(other.asked)
        stopped = run("crawl", news, "--stop")
        process.communicate(timeout=600)

    with Store.open(news) as archive:
        key = archive.sources()[-1].key
        states = [source.state for source in archive.sources()]
    assert added == (0, "", f"broadsheet: added {key}; the running crawl carried it out\n")
    assert paused == (0, "", f"broadsheet: paused {key}; the running crawl carried it out\n")
    assert stopped == (0, "", f"broadsheet: the crawl of {news} has stopped; run it again to resume\n")
    assert (process.returncode, states) == (exits.DONE, ["active", "paused"])
    # One visit may have been in flight.
    assert len(other.asked) <= asked + 1


@pytest.mark.usefixtures("heard_hangups")
def test_sighup_reads_the_sources_again_and_a_mistake_in_them_changes_nothing(tmp_path: Path) -> None:
    news, file = tmp_path / "news", tmp_path / "sources.toml"
    with serving(PAGES) as site, serving(OTHERS) as other:
        file.write_text(f'[[source]]\nhome = "{site.url}"\n', encoding="utf-8")
        process = start("crawl", news, "--sources", file, *LOOPBACK)
        wait_until(lambda: articles(news) == ["one"])
        file.write_text("[[source]]\nhom = 1", encoding="utf-8")
        process.send_signal(signal.SIGHUP)
        wait_until(lambda: "the crawl continues as before" in process.stderr.readline())  # type: ignore[union-attr]
        file.write_text(f'[[source]]\nhome = "{site.url}"\n[[source]]\nhome = "{other.url}"\n', encoding="utf-8")
        process.send_signal(signal.SIGHUP)
        wait_until(lambda: articles(news) == ["one", "two"])
        process.send_signal(signal.SIGTERM)
        out, _ = process.communicate(timeout=600)

    assert process.returncode == exits.INTERRUPTED
    assert json.loads(out)["articles"] == 1
