"""The same attacks over sockets, at full size: a site keeps its rate, and the crawler its memory."""

import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

pytest.importorskip("scrapy")

from broadsheet.base.manners import Manners
from broadsheet.crawling.fetch_messages import Request
from tests.crawling.crawler import Crawled, live
from tests.crawling.scripted import Answered, Site, redirect, serving

BAR, MAX_BYTES = 0.8, 500_000_000
VICTIMS = 150
MANNERS = Manners(delay=0.2, retries=0, timeout=30.0, allow_networks="127.0.0.0/8")


@dataclass
class Leading(Site):
    """Redirects all that it is asked, robots.txt as well if a test wants."""

    target: str = ""
    leads_robots: bool = False

    def answer(self, path: str, headers: Mapping[str, str]) -> Answered:
        if path == "/robots.txt" and not self.leads_robots:
            return super().answer(path, headers)
        return redirect(f"{self.target}/page{path}")


@contextmanager
def hanging() -> Iterator[int]:
    """Accept connections without ever answering, and give the port."""
    with socket.create_server(("127.0.0.1", 0), backlog=512) as server:
        yield int(server.getsockname()[1])


def crawled(attack: list[Request], victim: str, names: dict[str, list[str]]) -> Crawled:
    """Crawl until the victim's last page has come."""
    own = [Request(f"{victim}/page{number}", tag="victim", source="victim") for number in range(VICTIMS)]
    found = live([*attack, *own], MANNERS, names=names, decide=VICTIMS)
    assert sum(outcome.request.tag == "victim" for outcome in found.outcomes) == VICTIMS
    return found


def within_bars(attack: list[Request], victim: str, names: dict[str, list[str]], what: str) -> bool:
    """Return whether the victim's rate and the crawler's memory stay within their bars under an attack."""
    usual, attacked = crawled([], victim, names), crawled(attack, victim, names)
    share = usual.report["seconds"] / attacked.report["seconds"]
    print(f"{what}: {share:.2f} of the usual rate, {attacked.report['peak']:,} bytes of memory at most")
    return bool(share >= BAR and attacked.report["peak"] <= MAX_BYTES)


@pytest.mark.soak
def test_two_thousand_hanging_hosts() -> None:
    hosts = [f"host{number}.attacker.example" for number in range(2000)]
    with serving(Site(robots="")) as victim, hanging() as port:
        attack = [Request(f"http://{host}:{port}/", source="attacker") for host in hosts]
        assert within_bars(attack, victim, {host: ["127.0.0.1"] for host in hosts}, "2,000 hanging hosts")


@pytest.mark.soak
@pytest.mark.parametrize("leads_robots", [False, True])
def test_three_hundred_redirects(*, leads_robots: bool) -> None:
    hosts = [f"host{number}.attacker.example" for number in range(300)]
    leading = Leading(robots="", leads_robots=leads_robots)
    with serving(Site(robots="")) as leading.target, serving(leading, "127.0.0.2") as base:
        port = base.rpartition(":")[2]
        attack = [Request(f"http://{host}:{port}/{host}", source="attacker") for host in hosts]
        what = "300 redirects of " + ("robots.txt" if leads_robots else "pages")
        assert within_bars(attack, leading.target, {host: ["127.0.0.2"] for host in hosts}, what)


@pytest.mark.soak
def test_three_hundred_slow_names() -> None:
    names = {f"host{number}.victim.example": ["127.0.0.1"] for number in range(VICTIMS)}
    attack = [Request(f"http://slow{number}.site{number}.example/", source="attacker") for number in range(300)]
    with serving(Site(robots="")) as base:
        port = base.rpartition(":")[2]
        own = [Request(f"http://{name}:{port}/page", tag="victim", source="victim") for name in names]
        usual = live(own, MANNERS, names=names, decide=VICTIMS)
        attacked = live([*attack, *own], MANNERS, names=names, decide=VICTIMS, slow_seconds=20.0)

    share = usual.report["seconds"] / attacked.report["seconds"]
    print(f"300 slow names: {share:.2f} of the usual rate")
    assert share >= BAR
