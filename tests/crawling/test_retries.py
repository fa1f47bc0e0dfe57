from datetime import datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.base.manners import Manners
from broadsheet.crawling.fetch_messages import Request
from tests.crawling.scripted import Answered, page
from tests.crawling.simulation import BASE, START, Run, at

_DATE_LIKE = (
    r"([A-Z][a-z]{2}, )?[0-9]{1,12} (Jan|Dec|Foo) -?[0-9]{1,30} "
    r"[0-9]{1,12}:[0-9]{2}(:[0-9]{1,9})? ([+-][0-9]{1,12}|GMT)"
)


def test_retry_after_is_waited_for() -> None:
    def fetch(url: str, now: datetime, _: object) -> Answered:
        if url.endswith("robots.txt"):
            return Answered(404, {})
        return page() if now > at(1.4) else Answered(429, {"Retry-After": "90"})

    run = Run([Request(f"{BASE}/")], fetch)

    assert run.reasons == ["200"]
    assert timedelta(seconds=90) <= run.took < timedelta(seconds=92)


def test_retry_after_may_be_a_date_and_is_ignored_if_invalid() -> None:
    for value in ("Mon, 02 Mar 2026 06:01:00 GMT", "soon"):
        answers = iter([Answered(503, {"Retry-After": value}), page()])

        run = Run([Request(f"{BASE}/")], lambda *_, answers=answers: next(answers), manners=Manners(robots=False))

        assert run.reasons == ["200"]
        assert (run.took >= timedelta(seconds=60)) == value.endswith("GMT")


def test_a_response_with_too_long_a_retry_after_is_passed_to_decide() -> None:
    run = Run([Request(f"{BASE}/")], lambda *_: Answered(503, {"Retry-After": "86400"}), manners=Manners(robots=False))

    assert run.reasons == ["503"]
    assert run.took < timedelta(seconds=1)


@pytest.mark.parametrize(
    "value",
    [
        "9" * 400,
        "9" * 6000,
        "0" * 20 + "86400",
        "Fri, 31 Dec 9999 23:59:59 GMT",
        "Fri, 31 Dec 99999 23:59:59 GMT",
        f"Fri, 31 Dec {'9' * 30} 23:59:59 GMT",
        f"Fri, 31 Dec 2026 {'9' * 30}:59:59 GMT",
        f"Fri, 31 Dec 2026 23:59:59 +{'9' * 30}",
    ],
)
def test_a_pause_of_any_length_is_only_too_long(value: str) -> None:
    run = Run([Request(f"{BASE}/")], lambda *_: Answered(503, {"Retry-After": value}), manners=Manners(robots=False))

    assert run.reasons == ["503"]
    assert run.counters.total("requests") == 1


@given(value=st.text(st.characters(max_codepoint=255), max_size=60) | st.from_regex(_DATE_LIKE, fullmatch=True))
def test_the_response_is_reported_for_any_retry_after(value: str) -> None:
    run = Run([Request(f"{BASE}/")], lambda *_: Answered(503, {"Retry-After": value}), manners=Manners(robots=False))

    assert run.reasons == ["503"]


def test_pauses_grow_from_try_to_try() -> None:
    times: list[float] = []

    def fetch(_: str, now: datetime, __: object) -> Answered:
        times.append((now - START).total_seconds())
        raise ConnectionResetError("gone")

    run = Run([Request(f"{BASE}/")], fetch, manners=Manners(robots=False, retries=3, delay=0.0))

    pauses = [later - earlier for earlier, later in pairwise(times)]
    assert run.reasons == ["connection"]
    assert [round(pause) for pause in pauses] == [pytest.approx(wanted, rel=0.3) for wanted in (2, 4, 8)]
    assert run.counters.total("retries") == 3


def test_a_timeout_is_tried_again_and_then_is_the_reason() -> None:
    def fetch(*_: object) -> Answered:
        raise TimeoutError("too slow")

    run = Run([Request(f"{BASE}/")], fetch, manners=Manners(robots=False, retries=1))

    assert (run.reasons, run.counters.total("requests")) == (["timeout"], 2)
