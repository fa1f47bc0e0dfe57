"""Names whose servers do not answer: the threads that wait for them are shared fairly."""

import pytest

pytest.importorskip("scrapy")

from broadsheet.base.manners import Manners
from broadsheet.crawling._lookups import MAX_LOOKUPS, MAX_LOOKUPS_PER_SOURCE, FairResolver
from broadsheet.crawling.fetch_messages import Request
from tests.crawling.crawler import live
from tests.crawling.scripted import Site, serving

VICTIMS = 20


def test_slow_names_of_one_source_do_not_hold_up_the_names_of_another() -> None:
    names = {f"host{number}.victim.example": ["127.0.0.1"] for number in range(VICTIMS)}
    with serving(Site(robots="")) as base:
        port = base.rpartition(":")[2]
        slow = [Request(f"http://slow{number}.attacker{number}.example/", source="attacker") for number in range(40)]
        quick = [Request(f"http://{name}:{port}/page", tag="victim", source="victim") for name in names]
        manners = Manners(
            delay=0.0,
            per_source=40,
            concurrency=200,
            retries=0,
            robots=False,
            timeout=5.0,
            allow_networks="127.0.0.0/8",
        )
        crawled = live([*slow, *quick], manners, names=names, slow_seconds=7.0)

    assert [outcome.request.tag for outcome in crawled.outcomes[:VICTIMS]] == ["victim"] * VICTIMS
    assert crawled.report["counted"]["answers 200"] == VICTIMS


class Receiver:
    """Hears what a resolver finds."""

    def __init__(self) -> None:
        self.complete = False

    def resolutionBegan(self, resolution: object) -> None:  # noqa: N802 - Twisted names it so
        """Begin."""

    def addressResolved(self, address: object) -> None:  # noqa: N802 - Twisted names it so
        """Find."""

    def resolutionComplete(self) -> None:  # noqa: N802 - Twisted names it so
        self.complete = True


class Resolver:
    """Begins lookups, and ends none before it is told to."""

    def __init__(self) -> None:
        self.begun: list[tuple[str, Receiver]] = []

    def resolveHostName(self, receiver: Receiver, name: str, *_: object) -> None:  # noqa: N802 - Twisted names it so
        self.begun.append((name, receiver))


def test_a_site_has_few_lookups_at_once_and_the_rest_go_in_turn() -> None:
    resolver, now = Resolver(), [0.0]
    fair = FairResolver(resolver, timeout=30.0, monotonic=lambda: now[0])
    for site in ("attacker", "other"):
        for number in range(10):
            fair.resolveHostName(Receiver(), f"host{number}.{site}.example")

    begun = [name.split(".")[1] for name, _ in resolver.begun]
    assert begun == ["attacker"] * MAX_LOOKUPS_PER_SOURCE + ["other"] * MAX_LOOKUPS_PER_SOURCE
    for _, receiver in tuple(resolver.begun):
        receiver.resolutionComplete()
    assert len(resolver.begun) == 4 * MAX_LOOKUPS_PER_SOURCE


def test_no_more_names_are_looked_up_at_once_than_there_are_threads() -> None:
    resolver = Resolver()
    fair = FairResolver(resolver, timeout=30.0, monotonic=lambda: 0.0)
    for number in range(2 * MAX_LOOKUPS):
        fair.resolveHostName(Receiver(), f"www.site{number}.example")

    assert len(resolver.begun) == MAX_LOOKUPS


def test_a_lookup_that_nobody_waits_for_any_more_is_not_begun() -> None:
    resolver, now = Resolver(), [0.0]
    fair = FairResolver(resolver, timeout=30.0, monotonic=lambda: now[0])
    late = Receiver()
    for _ in range(MAX_LOOKUPS_PER_SOURCE):
        fair.resolveHostName(Receiver(), "www.site.example")
    fair.resolveHostName(late, "late.site.example")

    now[0] = 31.0
    resolver.begun[0][1].resolutionComplete()

    assert (late.complete, len(resolver.begun)) == (True, MAX_LOOKUPS_PER_SOURCE)
