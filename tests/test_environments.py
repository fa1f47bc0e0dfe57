"""Where a program may call the library: threads, processes, asyncio, and notebooks, whose cells run inside a loop."""

import asyncio
import multiprocessing
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import pytest

import broadsheet
from tests.newsroom.program import SlowSite, serving
from tests.newsroom.site import article_path, front, story

pytestmark = pytest.mark.long

PAGES = [
    f"<html><title>Bridge {number} reopens</title><h1>Bridge {number} reopens after repairs</h1>"
    + f"<p>Bridge number {number} was opened to all traffic on Monday, three months later than planned.</p>" * 8
    for number in range(12)
]
SITE = {"/": front(article_path(1), article_path(2)), article_path(1): story("one"), article_path(2): story("two")}
LOOPBACK = broadsheet.Manners(delay=0.0, allow_networks="127.0.0.0/8")


@pytest.fixture(scope="module")
def expected() -> list[broadsheet.Article | None]:
    """What comes of the pages, one after the other."""
    articles = [broadsheet.extract(page) for page in PAGES]
    assert None not in articles
    return articles


@pytest.fixture(scope="module")
def site() -> Iterator[SlowSite]:
    """A news site with a front page and two articles."""
    pytest.importorskip("scrapy")
    with serving(SITE) as server:
        yield server


@pytest.fixture(scope="module")
def folder(site: SlowSite, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of that site, crawled inside a running loop, as a notebook's cell would."""
    place = tmp_path_factory.mktemp("crawled") / "news"

    async def cell() -> list[str | None]:
        with broadsheet.Archive(place, create=True) as archive:
            return [article.title for article in archive.crawl(site.url, snapshots=1, manners=LOOPBACK)]

    assert sorted(map(str, asyncio.run(cell()))) == ["one", "two"]
    return place


def titles(folder: Path) -> list[str]:
    with broadsheet.Archive(folder) as archive:
        return sorted(str(article.title) for article in archive.articles())


def test_threads_read_pages_side_by_side(expected: list[broadsheet.Article | None]) -> None:
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(broadsheet.extract, PAGES)) == expected


def test_threads_share_a_document() -> None:
    document = broadsheet.parse(PAGES[0])

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(broadsheet.extract, [document] * 12))

    assert found == [broadsheet.extract(PAGES[0])] * 12


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_processes_read_pages_side_by_side(method: str, expected: list[broadsheet.Article | None]) -> None:
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(method)) as pool:
        assert list(pool.map(broadsheet.extract, PAGES, chunksize=3)) == expected
        refused = pool.submit(broadsheet.extract, "<div>" * 2_500 + "Too deep")
        analysed = pool.submit(broadsheet.analyse, PAGES[0])

        # One page that is refused costs the pool neither its process nor the other pages.
        with pytest.raises(broadsheet.LimitError, match="nesting depth") as raised:
            refused.result()
        assert raised.value.allowed == broadsheet.Limits().max_depth
        with pytest.raises(broadsheet.InputError, match="a Document cannot be pickled or copied"):
            analysed.result()
        assert pool.submit(broadsheet.identify, PAGES[0]).result().kind in {"article", "section", "other"}


def test_a_coroutine_reads_pages_itself_and_in_threads(expected: list[broadsheet.Article | None]) -> None:
    async def work() -> list[broadsheet.Article | None]:
        assert broadsheet.extract(PAGES[0]) == expected[0]
        return await asyncio.gather(*(asyncio.to_thread(broadsheet.extract, page) for page in PAGES))

    assert asyncio.run(work()) == expected


def test_a_coroutine_fetches_itself_and_in_threads(site: SlowSite) -> None:
    urls = [site.url.rstrip("/") + article_path(number) for number in (1, 2)]

    async def work() -> list[broadsheet.FetchedPage]:
        here = broadsheet.fetch(urls[0], manners=LOOPBACK)
        there = await asyncio.gather(*(asyncio.to_thread(broadsheet.fetch, url, manners=LOOPBACK) for url in urls))
        return [here, *there]

    found = asyncio.run(work())

    assert [page.url for page in found] == [urls[0], *urls]
    assert [str(article.title) for page in found if (article := broadsheet.extract(page))] == ["one", "one", "two"]


def test_an_archive_that_one_thread_opened_is_read_in_others_at_once(folder: Path) -> None:
    with broadsheet.Archive(folder) as archive, ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: {article.title for article in archive.articles()}, range(16)))

    assert found == [{"one", "two"}] * 16


def test_processes_open_one_archive_at_once(folder: Path) -> None:
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        assert list(pool.map(titles, [folder] * 4)) == [["one", "two"]] * 4


def test_a_crawl_may_go_on_in_another_thread_than_it_began_in(site: SlowSite, tmp_path: Path) -> None:
    async def work() -> list[str]:
        found = []
        with broadsheet.Archive(tmp_path / "news", create=True) as archive:
            articles = archive.crawl(site.url, snapshots=1, manners=LOOPBACK)
            for _ in range(3):
                with ThreadPoolExecutor(1) as fresh:
                    article = await asyncio.get_running_loop().run_in_executor(fresh, next, articles, None)
                found += [str(article.title)] if article else []
        return found

    assert sorted(asyncio.run(work())) == ["one", "two"]
