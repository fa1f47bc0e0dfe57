"""Pages that call addresses of others their own, or send on to them: nobody's article is lost by it."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

import pytest

from broadsheet.archive import PageState, Store
from broadsheet.base.records import Article
from broadsheet.base.urls import MAX_LENGTH
from broadsheet.newsroom.assignment import Assignment
from broadsheet.newsroom.progress import Progress
from broadsheet.newsroom.twins import agree
from broadsheet.newsweb.response import Response, ServedContent, answer, failure
from broadsheet.simulation.simulated_crawl import simulate
from tests.newsroom.site import HOUR, START, article_path, front, story

GOOD, EVIL = "http://good.example.com", "http://evil.example.com"


def crawl(folder: Path, pages: Mapping[str, str | Response], *homes: str) -> Progress:
    """Follow sites whose pages are given by their address."""

    def fetch(url: str, at: datetime, headers: Mapping[str, str]) -> Response:
        page = pages.get(url)
        if isinstance(page, Response):
            return page
        if page is None:
            return failure(404, b"", at)
        return answer(ServedContent("text/html; charset=utf-8", page.encode(), START - HOUR, 60), at, headers)

    return simulate(folder, fetch, START, Assignment(homes, every=3600.0, snapshots=1))


def archived(folder: Path, source: str) -> list[str]:
    with Store.open(folder) as archive:
        assert list(archive.check()) == []
        return sorted(stored.article.url or "" for stored in archive.articles(source=source))


def canonical(url: str) -> str:
    return f'<link rel="canonical" href="{url}">'


def good_pages(number: int) -> dict[str, str | Response]:
    pages: dict[str, str | Response] = {GOOD + article_path(n): story(f"good {n}") for n in range(number)}
    return {GOOD + "/": front(*map(article_path, range(number))), **pages}


@pytest.mark.parametrize("first", [GOOD, EVIL])
@pytest.mark.parametrize("copied", [False, True])
def test_a_forged_canonical_costs_another_source_no_article(tmp_path: Path, first: str, copied: bool) -> None:
    forged = {
        EVIL + article_path(n): story(f"good {n}" if copied else f"evil {n}", canonical(GOOD + article_path(n)))
        for n in range(20)
    }
    pages = {**good_pages(20), EVIL + "/": front(*map(article_path, range(20))), **forged}
    second = EVIL if first == GOOD else GOOD

    crawl(tmp_path, pages, first + "/")
    crawl(tmp_path, pages, second + "/")

    assert archived(tmp_path, "good.example.com") == sorted(GOOD + article_path(n) for n in range(20))


def test_a_forged_canonical_hides_no_article_of_the_same_source(tmp_path: Path) -> None:
    pages: dict[str, str | Response] = {
        GOOD + "/": front(article_path(1)),
        GOOD + article_path(1): story("forger", canonical(GOOD + article_path(2))),
        GOOD + article_path(2): story("victim"),
    }
    crawl(tmp_path, pages, GOOD + "/")
    pages[GOOD + "/"] = front(article_path(1), article_path(2))

    crawl(tmp_path, pages, GOOD + "/")

    assert archived(tmp_path, "good.example.com") == [GOOD + article_path(1), GOOD + article_path(2)]


def test_an_edition_that_came_first_keeps_the_article_at_its_own_address_from_being_archived_twice(
    tmp_path: Path,
) -> None:
    own = canonical(GOOD + article_path(1))
    amp, printed = article_path(1) + "-amp", article_path(1) + "-print"
    pages: dict[str, str | Response] = {
        GOOD + "/": front(amp),
        **{GOOD + path: story("one", own) for path in (amp, printed, article_path(1))},
    }
    crawl(tmp_path, pages, GOOD + "/")
    pages[GOOD + "/"] = front(amp, printed, article_path(1))

    crawl(tmp_path, pages, GOOD + "/")

    assert archived(tmp_path, "good.example.com") == [GOOD + amp]
    with Store.open(tmp_path) as archive:
        keys = ["good.example.com" + path for path in (printed, article_path(1))]
        records = archive.pages(keys).values()
    assert {(record.state, record.duplicate_of) for record in records} == {
        (PageState.DUPLICATE, "good.example.com" + amp)
    }


def test_a_false_claim_before_a_true_one_does_not_archive_an_article_twice(tmp_path: Path) -> None:
    own, amp = canonical(GOOD + article_path(2)), article_path(2) + "-amp"
    pages: dict[str, str | Response] = {
        GOOD + "/": front(article_path(1)),
        GOOD + article_path(1): story("forger", own),
        GOOD + amp: story("two", own),
        GOOD + article_path(2): story("two"),
    }
    for paths in ((article_path(1),), (amp,), (article_path(2),)):
        pages[GOOD + "/"] = front(*paths)
        crawl(tmp_path, pages, GOOD + "/")

    assert archived(tmp_path, "good.example.com") == [GOOD + article_path(1), GOOD + amp]


def test_an_address_that_is_too_long_is_nobodys_own(tmp_path: Path) -> None:
    long = canonical(GOOD + article_path(2) + "x" * MAX_LENGTH)
    pages: dict[str, str | Response] = {GOOD + "/": front(article_path(1)), GOOD + article_path(1): story("one", long)}

    crawl(tmp_path, pages, GOOD + "/")

    with Store.open(tmp_path) as archive:
        assert archive.status().sources[0].in_state("known") == 0
    assert archived(tmp_path, "good.example.com") == [GOOD + article_path(1)]


@pytest.mark.parametrize("known", [False, True])
def test_who_sends_on_to_an_article_of_another_source_does_not_take_it(tmp_path: Path, known: bool) -> None:
    def sent_on(number: int) -> Response:
        return Response(302, {"Location": GOOD + article_path(number)}, b"")

    evil: dict[str, str | Response] = {EVIL + article_path(n): sent_on(n) for n in range(5)}
    pages = {**good_pages(5), EVIL + "/": front(*map(article_path, range(5))), **evil}
    if known:
        # Their addresses are known, and their pages answer only later.
        down = {GOOD + article_path(n): Response(503, {}, b"") for n in range(5)}
        crawl(tmp_path, {**pages, **down}, GOOD + "/")
    else:
        crawl(tmp_path, {GOOD + "/": front()}, GOOD + "/")

    crawl(tmp_path, pages, EVIL + "/")
    crawl(tmp_path, pages, GOOD + "/")

    assert archived(tmp_path, "good.example.com") == sorted(GOOD + article_path(n) for n in range(5))


def test_articles_agree_by_their_text() -> None:
    words = " ".join(f"word{number}" for number in range(100))

    assert agree(Article(title="a", body=words), Article(title="b", body=words))
    assert agree(Article(title="a", body=words), Article(title="a", body=words + " and a caption"))
    assert not agree(Article(title="a", body=words), Article(title="b", body=words + " and a caption"))
    assert not agree(Article(title="a", body=words), Article(title="a", body="Another text."))
    assert not agree(Article(title="a", body=words), Article(title="a", body=words + words))
