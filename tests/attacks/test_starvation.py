"""A source whose hosts hang, or that redirects to another site, costs only itself."""

from datetime import timedelta
from itertools import pairwise

import pytest

from broadsheet.base.manners import Manners
from broadsheet.crawling.fetch_messages import Request
from tests.attacks.slow import ATTACKER, VICTIM, share_of_victim, slowly, victims
from tests.crawling.scripted import Answered, page, redirect
from tests.crawling.simulation import BASE, START, Run, at

#: The share of its usual rate that a site has to keep.
BAR = 0.8


@pytest.fixture(autouse=True)
def _slow(monkeypatch: pytest.MonkeyPatch) -> None:
    slowly(monkeypatch)


def attack(*urls: str) -> list[Request]:
    return [Request(url, source=ATTACKER) for url in urls]


@pytest.mark.parametrize("hosts", [500, pytest.param(2000, marks=pytest.mark.soak)])
def test_many_hanging_hosts_of_one_site_do_not_hold_up_another(hosts: int) -> None:
    hanging = attack(*(f"http://hang{number}.attacker.example/" for number in range(hosts)))

    assert share_of_victim(hanging, lambda _: page(), Manners(timeout=30.0, retries=0)) >= BAR


def test_a_source_that_is_led_to_hanging_hosts_of_many_sites_holds_up_only_itself() -> None:
    leading = attack(*(f"http://www.attacker.example/{number}" for number in range(300)))

    def answer(url: str) -> Answered:
        if url.endswith("robots.txt"):
            return Answered(404, {})
        return redirect(f"http://hang.site{url.rpartition('/')[2]}.example/")

    assert share_of_victim(leading, answer, Manners(delay=0.1, retries=0, concurrency=16)) >= BAR


def test_several_hostile_sources_leave_room_for_another() -> None:
    hanging = [
        Request(f"http://hang{host}.attacker{number}.example/", source=f"attacker{number}")
        for host in range(20)
        for number in range(30)
    ]

    assert share_of_victim(hanging, lambda _: page(), Manners(retries=0)) >= BAR


@pytest.mark.parametrize("host", ["www.victim.example", "old.victim.example"])
def test_pages_that_redirect_to_another_site_wait_behind_its_own(host: str) -> None:
    leading = attack(*(f"http://www.attacker.example/{number}" for number in range(300)))

    def answer(url: str) -> Answered:
        if url.endswith("robots.txt"):
            return Answered(404, {})
        return redirect(f"http://{host}/from/{url.rpartition('/')[2]}")

    assert share_of_victim(leading, answer, Manners(delay=0.5)) >= BAR


def test_a_robots_txt_that_redirects_to_another_site_waits_there_too() -> None:
    leading = attack(*(f"http://host{number}.attacker.example/" for number in range(300)))

    def answer(url: str) -> Answered:
        return redirect("http://www.victim.example/rules") if url.endswith("robots.txt") else page()

    assert share_of_victim(leading, answer, Manners(delay=0.5)) >= BAR


def test_guests_get_their_turn_when_a_site_has_nothing_of_its_own_to_do() -> None:
    def fetch(url: str, *_: object) -> Answered:
        if url.endswith("robots.txt"):
            return Answered(404, {})
        return redirect(url.replace("attacker", "victim")) if "attacker" in url else page()

    requests = [*attack(*(f"http://www.attacker.example/{number}" for number in range(5))), *victims(20)]
    run = Run(requests, fetch)

    assert [outcome.request.source for outcome in run.outcomes] == [VICTIM] * 20 + [ATTACKER] * 5
    assert set(run.reasons) == {"200"}


def test_hosts_of_one_site_share_its_pause() -> None:
    requests = [Request(f"http://host{number}.news.example/") for number in range(6)]

    run = Run(requests, manners=Manners(delay=7.0, robots=False))

    times = [(outcome.exchanges[-1].at - START).total_seconds() for outcome in run.outcomes]
    assert [later - earlier for earlier, later in pairwise(times)] == pytest.approx([7.0] * 5)


def test_a_source_has_no_more_under_way_than_it_may() -> None:
    requests = [Request(f"http://www.site{number}.example/", source=ATTACKER) for number in range(20)]

    run = Run(requests, manners=Manners(robots=False, per_source=5))

    # Each answer takes 0.2 seconds, so twenty requests, five at a time, take 0.8.
    assert run.took == timedelta(seconds=0.8)


def test_a_request_that_has_not_begun_in_time_is_dropped_and_what_has_begun_is_finished() -> None:
    requests = [Request(f"{BASE}/{number}", not_after=at(0.1)) for number in range(20)]

    run = Run(requests, manners=Manners(delay=1.0, robots=False))

    dropped = run.counters.total("skipped")
    assert len(run.outcomes) + dropped == 20
    assert len(run.outcomes) in {7, 8}
    assert run.took < timedelta(seconds=8.5)


def test_a_redirect_to_an_address_that_is_too_long_is_refused() -> None:
    run = Run([Request(f"{BASE}/")], lambda *_: redirect("/" + "x" * 2_000), manners=Manners(robots=False))

    assert run.reasons == ["url"]


def test_the_same_attack_gives_the_same_twice() -> None:
    def fetch(url: str, *_: object) -> Answered:
        return redirect(url.replace("attacker", "victim")) if "attacker" in url else page()

    requests = [*attack(*(f"http://h{number}.attacker.example/{number}" for number in range(30))), *victims(20)]

    first, second = (Run(requests, fetch) for _ in range(2))

    assert first.outcomes == second.outcomes
