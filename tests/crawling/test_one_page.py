"""One page, fetched from Python and passed on."""

import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest

import broadsheet
from broadsheet.base.manners import Manners
from broadsheet.crawling import fetching
from broadsheet.crawling.crawl_errors import CrawlError
from tests.crawling.scripted import TEXT, Site, serving

pytest.importorskip("scrapy")

LOOPBACK = Manners(delay=0.0, retries=0, allow_networks="127.0.0.0/8")
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
STORY = (
    "<html><title>Bridge reopens</title><h1>Bridge reopens after repairs</h1><time>2 hours ago</time>"
    + "<p>The harbour bridge was opened to all traffic on Monday, three months later than planned.</p>" * 8
)


def test_a_page_comes_with_its_address_content_type_and_time() -> None:
    with serving(Site()) as base:
        before = datetime.now(UTC)
        page = broadsheet.fetch(f"{base}/moved", manners=LOOPBACK)

    assert isinstance(page, broadsheet.FetchedPage)
    assert page.url == f"{base}/page?from=moved"
    assert page.content.decode() == TEXT
    assert page.content_type == 'text/html; charset="UTF-8"'
    assert before <= page.fetched_at <= datetime.now(UTC)
    assert repr(page).startswith(f"FetchedPage('{base}/page?from=moved', {len(page.content):,} bytes, ")
    document = broadsheet.parse(page)
    assert (document.url, document.title, document.encoding_source) == (page.url, "Ὕδωρ", "transport")


def test_what_was_fetched_is_read_with_its_address_and_time() -> None:
    page = broadsheet.FetchedPage("https://courier.example/city/bridge", STORY.encode(), "text/html", NOON)

    article = broadsheet.extract(page)
    analysed = broadsheet.analyse(page)

    assert article is not None
    assert article.url == "https://courier.example/city/bridge"
    assert article.published == NOON - timedelta(hours=2)
    assert analysed.article == article == broadsheet.extract(broadsheet.parse(page))
    assert broadsheet.identify(page) == broadsheet.identify(STORY, page.url) == analysed.verdict


def test_arguments_of_the_caller_override_what_was_fetched() -> None:
    page = broadsheet.FetchedPage("https://courier.example/1", STORY.encode(), "text/html", NOON)

    article = broadsheet.extract(page, "https://courier.example/2", fetched_at=NOON + timedelta(days=1))

    assert article is not None
    assert article.url == "https://courier.example/2"
    assert article.published == NOON + timedelta(hours=22)


@pytest.mark.parametrize(
    ("path", "reason", "told"),
    [
        ("/private/", "robots", r"/private/: cannot be fetched \(robots\): "),
        ("/missing", "answered 404", "answered 404"),
    ],
)
def test_a_failure_names_the_address_and_the_reason(path: str, reason: str, told: str) -> None:
    with serving(Site()) as base, pytest.raises(broadsheet.FetchError, match=f"{base}.*{told}") as raised:
        broadsheet.fetch(base + path, manners=LOOPBACK)

    assert (raised.value.url, raised.value.reason) == (base + path, reason)


def test_addresses_of_this_machine_are_refused_with_the_way_to_allow_them() -> None:
    with pytest.raises(broadsheet.FetchError, match=r"\(address\): .*broadsheet\.Manners\(allow_networks="):
        broadsheet.fetch("http://127.0.0.1:9/")


@pytest.mark.parametrize("url", ["page.html", "ftp://news.example/", "", None])
def test_only_web_addresses_are_fetched_and_no_process_is_started(
    url: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "_CHILD", "nowhere")

    with pytest.raises(broadsheet.FetchError, match="not an http or https URL"):
        broadsheet.fetch(url)  # type: ignore[arg-type]


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "find_spec", lambda _: None)

    with pytest.raises(CrawlError, match=r"fetching pages needs Scrapy: pip install 'broadsheet\[crawl\]'"):
        broadsheet.fetch("https://news.example/")


def test_a_process_that_dies_is_reported_with_the_url(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "_CHILD", "tests.crawling.quitter")

    with pytest.raises(CrawlError, match=r"https://news\.example/: the fetching process ended early \(exit code 3\)"):
        broadsheet.fetch("https://news.example/")


def test_a_time_of_fetching_needs_an_offset() -> None:
    with pytest.raises(broadsheet.InputError, match="fetched_at needs a UTC offset"):
        broadsheet.FetchedPage("https://courier.example/", b"", None, NOON.replace(tzinfo=None))


def test_the_library_stays_light_until_something_is_asked_of_it() -> None:
    program = (
        "import sys, broadsheet\n"
        "heavy = {'lxml', 'numpy', 'scrapy', 'twisted', 'sqlalchemy', 'pyarrow'}\n"
        "print(sorted(heavy & sys.modules.keys()))\n"
        "broadsheet.fetch, broadsheet.FetchedPage, broadsheet.FetchError, broadsheet.Manners\n"
        "print(sorted({'scrapy', 'twisted', 'sqlalchemy', 'pyarrow'} & sys.modules.keys()))\n"
    )

    told = subprocess.run(  # noqa: S603 - our own words
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert told.stdout.splitlines() == ["[]", "[]"]
