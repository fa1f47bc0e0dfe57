import json
import math
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

pytest.importorskip("scrapy")
pytest.importorskip("pyarrow")

from benchmarks.lateness import Lateness, main, percentile, shares_late, shares_overdue
from benchmarks.made_up_web import MadeUpSite, MadeUpWeb

from benchmarks import lateness
from broadsheet.base.manners import Manners
from broadsheet.crawling import simulated
from broadsheet.crawling.fetch_messages import Request

START = datetime(2026, 11, 16, 6, tzinfo=UTC)
HOUR = timedelta(hours=1)


def at(*hours: float) -> list[datetime]:
    return [START + each * HOUR for each in hours]


def lateness_of(worst_p95: float) -> Lateness:
    return Lateness("slow", 1, asked=2, due=2, requests=9, p50=0.0, p95=0.0, longest=0.2, worst_p95=worst_p95)


def test_sites_that_are_not_difficult_are_on_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "lateness.json"
    easy = ["--articles", "20", "--crawl-delay", "1", "--seconds", "0.1"]

    code = main(["--hours", "2", "--ordinary", "1", *easy, "--json", str(target)])

    groups = json.loads(target.read_text())["groups"]
    assert code == 0
    assert [(each["group"], each["asked"], each["due"]) for each in groups] == [
        ("slow", 2, 2),
        ("crowded", 2, 2),
        ("ordinary", 2, 2),
    ]
    assert all(each["requests"] > 20 for each in groups)
    assert "worst site's p95" in capsys.readouterr().out


@pytest.mark.parametrize(("worst", "code"), [(0.1, 0), (0.101, 1)])
def test_a_site_that_is_late_by_more_than_a_tenth_of_its_interval_fails(
    monkeypatch: pytest.MonkeyPatch, worst: float, code: int
) -> None:
    monkeypatch.setattr(lateness, "simulate", lambda *_, **__: None)
    monkeypatch.setattr(lateness, "summarise", lambda *_: lateness_of(worst))

    assert main(["--hours", "1"]) == code


def test_a_slow_server_lets_time_pass_before_its_answer() -> None:
    site = MadeUpSite("slow.example", START, seconds=25)
    web = MadeUpWeb((site,))
    requests = [Request(f"{site.home}section/{number}") for number in range(3)]
    manners = Manners(delay=0.0, per_host=1, robots=False)

    simulated.crawl(requests, lambda _: (), manners=manners, clock=simulated.VirtualClock(START), fetch=web.fetch)

    assert [(when - START).total_seconds() for _, when in web.asked] == pytest.approx([0, 25, 50], abs=0.1)


@pytest.mark.parametrize(
    ("asked", "late"),
    [
        (at(0, 1, 2), [0, 0, 0]),
        # Always late by the same time, and late once.
        (at(0, 1.2, 2.2), [0, 0.2, 0.2]),
        (at(0, 1.2, 2), [0, 0.2, 0]),
        (at(0.5, 1.5, 2.5), [0, 0, 0]),
        # A little early is on time, and does not serve the time after.
        (at(0, 0.9, 2), [0, 0, 0]),
        # A time that was missed, and one that was never served.
        (at(0, 2.25), [0, 1.25, 0.25]),
        (at(0), [0, 2, 1]),
    ],
)
def test_lateness_is_counted_at_every_time_that_a_page_was_due(asked: list[datetime], late: list[float]) -> None:
    assert shares_late(asked, HOUR, START + 3 * HOUR) == pytest.approx(late)


def test_a_home_page_that_was_never_asked_for_is_as_late_as_can_be() -> None:
    assert shares_late([], HOUR, START + HOUR) == [math.inf]


def test_a_page_that_was_asked_for_sooner_is_due_an_interval_after_that() -> None:
    asked = at(0.0, 0.4, 1.4, 2.9)

    assert shares_overdue(asked, HOUR, START + 3 * HOUR) == pytest.approx([0.0, 0.0, 0.5, 0.0])
    assert shares_overdue([], HOUR, START + HOUR) == [math.inf]


def test_a_percentile_is_one_of_the_values() -> None:
    values = [float(number) for number in range(1, 101)]

    assert (percentile(values, 50), percentile(values, 95), percentile([7.0], 95)) == (50, 95, 7)
