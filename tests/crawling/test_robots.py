from datetime import datetime, timedelta
from itertools import pairwise
from socket import gaierror

import pytest

from broadsheet.base.manners import Manners
from broadsheet.crawling.fetch_messages import Failure, FetchAnswer, Request
from tests.crawling.scripted import Answered, page, redirect
from tests.crawling.simulation import BASE, START, Fetch, Run, at


def robots(text: str = "", status: int = 200, headers: dict[str, str] | None = None) -> tuple[Fetch, list[datetime]]:
    asked: list[datetime] = []

    def fetch(url: str, now: datetime, _: object) -> Answered:
        if not url.endswith("/robots.txt"):
            return page()
        asked.append(now)
        return Answered(status, headers or {}, text.encode())

    return fetch, asked


def test_what_robots_txt_denies_is_not_fetched() -> None:
    fetch, _ = robots("User-agent: *\nDisallow: /\n\nUser-agent: broadsheet\nDisallow: /a\nAllow: /a/b\n")

    run = Run([Request(f"{BASE}{path}") for path in ("/", "/a", "/a/b")], fetch)

    assert run.reasons == ["200", "robots", "200"]
    assert run.counters.total("requests") == 3


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410])
def test_a_site_without_rules_allows_all(status: int) -> None:
    fetch, _ = robots("User-agent: *\nDisallow: /", status)

    assert Run([Request(f"{BASE}/")], fetch).reasons == ["200"]


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_site_whose_rules_cannot_be_had_is_left_alone_for_a_while(status: int) -> None:
    fetch, asked = robots("", status)
    requests = [Request(f"{BASE}/{minutes}", not_before=at(minutes)) for minutes in (0, 5, 11)]

    run = Run(requests, fetch)

    assert run.reasons == ["robots unreachable"] * 3
    assert [(moment - START) // timedelta(minutes=1) for moment in asked] == [0, 11]


def test_a_network_that_fails_denies_as_well() -> None:
    def fetch(url: str, *_: object) -> Answered:
        if url.endswith("robots.txt"):
            raise TimeoutError("too slow")
        return page()

    assert Run([Request(f"{BASE}/")], fetch).reasons == ["robots unreachable"]


def test_a_host_without_an_address_is_named_as_such_and_not_asked_again_at_once() -> None:
    asked: list[str] = []

    def fetch(url: str, *_: object) -> Answered:
        asked.append(url)
        raise gaierror("Name or service not known")

    run = Run([Request(f"{BASE}/a"), Request(f"{BASE}/b")], fetch, manners=Manners(retries=2))

    assert run.reasons == ["name", "name"]
    assert {outcome.detail for outcome in run.outcomes if isinstance(outcome, Failure)} == {
        "no address was found for news.example"
    }
    assert asked == [f"{BASE}/robots.txt"]
    assert run.counters.total("retries") == 0


def test_a_redirect_of_robots_txt_to_a_host_without_an_address_names_that_host() -> None:
    def fetch(url: str, *_: object) -> Answered:
        if "moved" in url:
            raise gaierror("Name or service not known")
        return redirect("http://moved.example/robots.txt")

    [outcome] = Run([Request(f"{BASE}/a")], fetch).outcomes

    assert isinstance(outcome, Failure)
    assert outcome.detail == "no address was found for moved.example"


def test_rules_are_read_again_when_they_are_old() -> None:
    fetch, asked = robots()
    requests = [Request(f"{BASE}/{hours}", not_before=START + timedelta(hours=hours)) for hours in (0, 1, 2, 3)]

    Run(requests, fetch, manners=Manners(robots_hours=1.5))

    assert [(moment - START) // timedelta(hours=1) for moment in asked] == [0, 2]


@pytest.mark.parametrize(("asked_for", "pause"), [("30", 30), ("0.1", 2), ("86400", 60), ("soon", 2)])
def test_a_crawl_delay_is_kept_within_bounds(asked_for: str, pause: float) -> None:
    fetch, _ = robots(f"User-agent: *\nCrawl-delay: {asked_for}\n")
    manners = Manners(delay=2.0, max_crawl_delay=60.0)

    run = Run([Request(f"{BASE}/{number}") for number in range(4)], fetch, manners=manners)

    times = [(outcome.exchanges[-1].at - START).total_seconds() for outcome in run.outcomes]
    assert [later - earlier for earlier, later in pairwise(times)] == pytest.approx([pause] * 3)


def test_a_crawl_delay_is_kept_also_after_a_long_silence() -> None:
    fetch, _ = robots("User-agent: *\nCrawl-delay: 30\n")
    requests = [Request(f"{BASE}/{number}", not_before=at(minutes)) for number, minutes in enumerate((0, 90, 90))]

    run = Run(requests, fetch)

    assert run.outcomes[2].exchanges[-1].at - run.outcomes[1].exchanges[-1].at == timedelta(seconds=30)


def test_redirects_of_robots_txt_are_followed() -> None:
    def fetch(url: str, *_: object) -> Answered:
        if url.endswith("/robots.txt"):
            return redirect("/rules")
        return Answered(200, {}, b"User-agent: *\nDisallow: /a") if url.endswith("/rules") else page()

    assert Run([Request(f"{BASE}/a"), Request(f"{BASE}/b")], fetch).reasons == ["robots", "200"]


def test_rules_that_are_too_far_away_are_none_to_be_had() -> None:
    def fetch(url: str, *_: object) -> Answered:
        return redirect(url + "x") if "robots" in url else page()

    assert Run([Request(f"{BASE}/a")], fetch).reasons == ["robots unreachable"]


def test_the_rules_of_a_redirects_target_hold_for_it() -> None:
    def fetch(url: str, *_: object) -> Answered:
        if url.endswith("/robots.txt"):
            return Answered(200, {}, b"User-agent: *\nDisallow: /" if "other" in url else b"")
        return redirect("http://other.example/") if "other" not in url else page()

    run = Run([Request(f"{BASE}/")], fetch)

    assert run.reasons == ["robots"]
    assert [each.status for each in run.outcomes[0].exchanges] == [302]


def test_only_the_beginning_of_a_vast_robots_txt_is_read() -> None:
    fetch, _ = robots("User-agent: *\nDisallow: /a\n" + "# filler\n" * 60_000 + "Disallow: /b\n")

    assert Run([Request(f"{BASE}/a"), Request(f"{BASE}/b")], fetch).reasons == ["robots", "200"]


def test_robots_can_be_turned_off() -> None:
    fetch, asked = robots("User-agent: *\nDisallow: /")

    assert Run([Request(f"{BASE}/")], fetch, manners=Manners(robots=False)).reasons == ["200"]
    assert not asked


def test_the_sitemaps_that_it_names_come_with_the_answers() -> None:
    named = "".join(f"Sitemap: {BASE}/{number}.xml\n" for number in range(30))
    fetch, _ = robots(f"User-agent: *\nDisallow: /a\n{named}Sitemap: {BASE}/{'x' * 3_000}\n")

    (answer,) = Run([Request(f"{BASE}/")], fetch).outcomes

    assert isinstance(answer, FetchAnswer)
    assert answer.sitemaps == tuple(f"{BASE}/{number}.xml" for number in range(20))
