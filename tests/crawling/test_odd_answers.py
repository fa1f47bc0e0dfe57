"""Answers that no server should give: each ends its own request, with a reason, and never the crawl."""

from dataclasses import replace

import pytest

pytest.importorskip("scrapy")

import scrapy
from hypothesis import given
from hypothesis import strategies as st
from scrapy.http import Response

from broadsheet.base.manners import Manners
from broadsheet.crawling import _spider
from broadsheet.crawling._scrapy_settings import MIDDLEWARES
from broadsheet.crawling.fetch_messages import Failure, FetchAnswer, Outcome, Request
from tests.crawling.crawler import live
from tests.crawling.odd import ODD_HEADERS, odd_site
from tests.crawling.scripted import Answered, Site, page
from tests.crawling.simulation import BASE, Run
from tests.crawling.test_live_crawl import MANNERS

ALONE = Manners(robots=False, retries=0, delay=0.0)
NO_STATUSES = [99_999, 40_000, 1000, 99, 0, -5]


def reason(outcome: Outcome) -> str:
    return outcome.reason if isinstance(outcome, Failure) else str(outcome.status)


@pytest.fixture(scope="module")
def told() -> dict[str, Outcome]:
    """What a live crawl tells of every odd answer, and of a plain one."""
    kinds = [*ODD_HEADERS, *(f"status{number}" for number in NO_STATUSES), "plain"]
    with odd_site() as site:
        requests = [Request(f"{site.base}/{kind}", tag=kind) for kind in kinds]
        crawled = live(requests, replace(MANNERS, robots=False, retries=0))
    assert (crawled.report["error"], crawled.err) == (None, "")
    assert sorted(outcome.request.tag for outcome in crawled.outcomes) == sorted(kinds)
    return {outcome.request.tag: outcome for outcome in crawled.outcomes}


@pytest.mark.parametrize("kind", [*ODD_HEADERS, "plain"])
def test_every_odd_response_is_reported_once_in_one_line(told: dict[str, Outcome], kind: str) -> None:
    outcome = told[kind]

    assert isinstance(outcome, FetchAnswer) or (outcome.reason and "\n" not in outcome.detail)
    assert reason(told["plain"]) == "200"


@pytest.mark.parametrize("kind", ["encoding-unknown", "encoding-odd", "encoding-long", "encoding-many"])
def test_an_unknown_encoding_fails(told: dict[str, Outcome], kind: str) -> None:
    assert reason(told[kind]) == "encoding"


def test_a_redirect_to_an_invalid_host_fails_at_once(told: dict[str, Outcome]) -> None:
    for kind in ("location-dots", "location-label"):
        assert reason(told[kind]) == "url"


@pytest.mark.parametrize("number", NO_STATUSES)
def test_an_impossible_status_fails_live_and_simulated(told: dict[str, Outcome], number: int) -> None:
    simulated = Run([Request(f"{BASE}/")], lambda *_: Answered(number, {}, b"no"), manners=ALONE)

    assert reason(told[f"status{number}"]) == "status"
    assert simulated.reasons == ["status"]
    assert simulated.outcomes[0].exchanges == ()
    assert simulated.counters.total("answers") == 0


@pytest.mark.parametrize("number", [100, 299, 600, 999])
def test_any_status_of_three_digits_is_an_answer(number: int) -> None:
    run = Run([Request(f"{BASE}/")], lambda *_: Answered(number, {}, b"yes"), manners=ALONE)

    assert run.reasons == [str(number)]


def test_a_robots_txt_whose_status_is_none_could_not_be_had() -> None:
    site = Site(robots_status=-5)

    run = Run([Request(f"{BASE}/page")], site.fetch)

    assert run.reasons == ["robots unreachable"]
    assert site.hits["/page"] == 0


def _characters(most: int) -> st.SearchStrategy[str]:
    return st.text(st.characters(max_codepoint=255), max_size=most)


_VALUES = _characters(30) | st.sampled_from(
    [header.partition(b": ")[2].decode("latin-1") for header in ODD_HEADERS.values()]
)
_NAMES = st.sampled_from(
    ["Location", "Content-Type", "Content-Encoding", "Retry-After", "ETag", "Content-Disposition", "Content-Length"]
)
_ODD = st.builds(
    Answered,
    st.sampled_from([200, 204, 206, 301, 302, 304, 308, 404, 429, 503, 99_999, -1]) | st.integers(),
    st.dictionaries(_NAMES | _characters(10), _VALUES, max_size=4),
    st.binary(max_size=60),
)


@given(answers=st.lists(_ODD, min_size=1, max_size=6))
def test_every_request_has_one_outcome_for_any_response(answers: list[Answered]) -> None:
    def fetch(url: str, *_: object) -> Answered:
        number = url.removeprefix(f"{BASE}/")
        return answers[int(number)] if number.isdecimal() and number.isascii() and number < "7" else page()

    tags = [str(number) for number in range(len(answers))]
    run = Run([Request(f"{BASE}/{tag}", tag=tag) for tag in tags], fetch, manners=ALONE)

    assert sorted(run.tags) == tags
    assert run.counters.total("failed") == sum(isinstance(outcome, Failure) for outcome in run.outcomes)


def test_what_raises_while_an_answer_is_read_ends_that_request_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def decode_body(body: bytes, *_: object) -> bytes:
        if body == b"odd":
            raise LookupError("nobody\nthought of this")
        return body

    monkeypatch.setattr(_spider, "decode_body", decode_body)

    def fetch(url: str, *_: object) -> Answered:
        return page(b"odd" if url.endswith("odd") else b"well")

    run = Run([Request(f"{BASE}/odd"), Request(f"{BASE}/well")], fetch, manners=ALONE)

    assert run.reasons == ["unexpected", "200"]
    assert isinstance(run.outcomes[0], Failure)
    assert run.outcomes[0].detail == "LookupError: nobody thought of this"
    assert len(run.outcomes[0].exchanges) == 1


@pytest.mark.parametrize("middleware", list(MIDDLEWARES))
@pytest.mark.parametrize("method", ["process_request", "process_response"])
def test_what_raises_in_a_middleware_ends_that_request_alone(
    monkeypatch: pytest.MonkeyPatch, middleware: type, method: str
) -> None:
    async def raising(_: object, request: scrapy.Request, response: Response | None = None) -> Response | None:
        if request.url.endswith("odd"):
            raise RecursionError("too deep")
        return response

    monkeypatch.setattr(middleware, method, raising, raising=False)

    run = Run([Request(f"{BASE}/odd"), Request(f"{BASE}/well")], lambda *_: page(), manners=ALONE)

    assert sorted(run.reasons) == ["200", "unexpected"]


def test_a_charset_of_nothing_but_blanks_takes_no_time() -> None:
    blank = page(Content_Type="text/html; charset=" + " " * 200_000 + ";")

    (outcome,) = Run([Request(f"{BASE}/")], lambda *_: blank, manners=ALONE).outcomes

    assert isinstance(outcome, FetchAnswer)
