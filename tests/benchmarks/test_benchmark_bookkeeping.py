import asyncio
import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

pytest.importorskip("scrapy")
pytest.importorskip("pyarrow")

from benchmarks.bookkeeping import Meter, Spending, main
from benchmarks.made_up_web import MadeUpSite, MadeUpWeb, article_path

from benchmarks import bookkeeping
from broadsheet.newsroom.feed_discovery import WELL_KNOWN

START = datetime(2026, 11, 16, 6, tzinfo=UTC)
SMALL = ["--sites", "2", "--hours", "2", "--published", "5", "--hourly", "2", "--fronts", "2", "--repeat", "1"]


def spending(bookkeeping_ms: float) -> Spending:
    return Spending(
        pages=1000,
        size=1,
        total=10.0 + bookkeeping_ms,
        web=1.0,
        page_work=6.0,
        judging_links=0.5,
        bookkeeping=bookkeeping_ms,
        opening=0.5,
        compression=0.2,
    )


def test_the_parts_add_up_to_the_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "bookkeeping.json"

    main([*SMALL, "--json", str(target)])

    [run] = json.loads(target.read_text())["runs"]
    # Each site: two home pages, the sections in the second hour or both, seven articles, and the places without a feed.
    assert 2 * (2 + 2 + 7) <= run["pages"] - 2 * len(WELL_KNOWN) <= 2 * (2 + 4 + 7)
    parts = ("web", "page_work", "judging_links", "bookkeeping", "opening")
    assert all(run[part] > 0 for part in (*parts, "compression"))
    # What is left is what the crawler took.
    assert sum(run[part] for part in parts) < run["total"]
    assert run["compression"] < run["bookkeeping"]
    assert "of which compression" in capsys.readouterr().out


@pytest.mark.parametrize(("milliseconds", "code"), [(0.99, 0), (1.01, 1)])
def test_more_than_a_millisecond_fails(monkeypatch: pytest.MonkeyPatch, milliseconds: float, code: int) -> None:
    monkeypatch.setattr(bookkeeping, "measure", lambda *_: spending(milliseconds))

    assert main(["--repeat", "1"]) == code


def test_a_meter_counts_calls_that_fail_and_passes_the_error_on() -> None:
    meter = Meter()

    with pytest.raises(ZeroDivisionError):
        meter.wrap(lambda: 1 // 0)()
    assert meter.wrap(lambda number: number + 1)(1) == 2
    assert asyncio.run(_awaited(meter.wrap_async(_doubled), 4)) == 8

    assert meter.calls == 3


async def _doubled(number: int) -> int:
    return 2 * number


async def _awaited(call: Callable[[int], Awaitable[int]], number: int) -> int:
    return await call(number)


def test_a_made_up_site_publishes_and_lists_its_newest_articles() -> None:
    site = MadeUpSite("a.example", START, fronts=2, published=3, published_hourly=2, listed=2)
    later = START + timedelta(hours=1)

    first, second = (site.page("/", at) for at in (START, later))

    assert first is not None
    assert second is not None
    assert article_path(2).encode() in first.body
    assert article_path(4).encode() in second.body
    assert article_path(2).encode() not in second.body
    assert site.page(article_path(4), START) is None
    assert site.page(article_path(4), later) is not None
    assert site.page("/section/2", later) is None


def test_a_made_up_web_notes_what_was_asked_and_answers_404_elsewhere() -> None:
    web = MadeUpWeb((MadeUpSite("a.example", START, crawl_delay=10),))

    robots, nowhere = web.fetch("http://a.example/robots.txt", START), web.fetch("http://b.example/", START)

    assert b"Crawl-delay: 10" in robots.body
    assert nowhere.status == 404
    assert web.times_of("http://b.example/") == [START]
