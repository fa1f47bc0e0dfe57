"""URLs as PAGE arguments."""

from collections.abc import Callable, Iterator, Mapping

import pytest

from broadsheet.cli import exits
from broadsheet.crawling import fetching
from tests.cli.conftest import Outcome
from tests.crawling.scripted import Answered, Site, page, serving

Run = Callable[..., Outcome]

ALLOWED = ("--set", "crawl.allow_networks=127.0.0.0/8", "--set", "crawl.delay=0", "--set", "crawl.retries=0")


class Greek(Site):
    """A site with a page whose encoding is declared only in the HTTP header."""

    def answer(self, path: str, headers: Mapping[str, str]) -> Answered:
        if path == "/greek/":
            body = "<title>Νερό</title><p><a href=more>περισσότερα</a>".encode("iso-8859-7")
            return page(body, Content_Type="text/html; charset=iso-8859-7")
        if path == "/picture":
            return page(b"\x89PNG\r\n\x1a\n")
        return super().answer(path, headers)


@pytest.fixture
def base() -> Iterator[str]:
    pytest.importorskip("scrapy")
    with serving(Greek()) as address:
        yield address


def test_pages_are_fetched_and_returned_in_order(run: Run, base: str) -> None:
    outcome = run(
        "parse", f"{base}/moved", f"{base}/missing", "-", f"{base}/picture", f"{base}/greek/", *ALLOWED, stdin=b"<p>in"
    )

    assert outcome.code == exits.SOME_FAILED
    assert [row["page"] for row in outcome.rows] == [f"{base}/moved", "-", f"{base}/greek/"]
    assert [row["title"] for row in outcome.rows] == ["Ὕδωρ", None, "Νερό"]
    assert outcome.err.splitlines() == [
        f"broadsheet: {base}/missing: answered 404; there is no such page: check the URL",
        f"broadsheet: {base}/picture: is not a page but an image (PNG)",
    ]


def test_links_are_resolved_against_the_address_of_the_page(run: Run, base: str) -> None:
    rows = run("parse", "--links", f"{base}/greek/", *ALLOWED).rows

    assert [row["url"] for row in rows] == [f"{base}/greek/more"]


def test_loopback_addresses_are_rejected_with_a_hint_how_to_allow_them(run: Run, base: str) -> None:
    outcome = run("parse", f"{base}/page")

    assert (outcome.code, outcome.out) == (exits.FAILED, "")
    assert outcome.err == (
        f"broadsheet: {base}/page: cannot be fetched (address): 127.0.0.1 is not on the public internet; "
        "--set crawl.allow_networks=127.0.0.0/8 allows addresses of this machine, for example\n"
    )


def test_a_missing_extra_fails_only_the_urls(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "find_spec", lambda _: None)

    outcome = run("parse", "http://a.example/", "-", "http://b.example/", stdin=b"<p>in")

    assert outcome.code == exits.SOME_FAILED
    assert outcome.err.splitlines() == [
        f"broadsheet: http://{name}.example/: fetching pages needs Scrapy: pip install 'broadsheet[crawl]'"
        for name in "ab"
    ]
