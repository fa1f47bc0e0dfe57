"""A crawl that runs takes orders: add, pause, resume, remove and change sources, and stop."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from broadsheet.archive import Order, OrderKind, Store, VisitReason, repair
from broadsheet.base.clock import SystemClock
from broadsheet.newsroom.assignment import Assignment
from broadsheet.newsroom.source_orders import give
from broadsheet.simulation.simulated_crawl import simulate
from tests.archive.rereaders import NothingRead
from tests.newsroom.site import HOME, HOUR, ONCE, START, ScriptedSite, article_path, front, story

OTHER = "http://courier.example/"
SPORT = '<a href="/sport/">Sport</a>'
STORIES = {article_path(number): story(str(number)) for number in range(1, 13)}
HOURS = 8
SPAN = Assignment((HOME,), every=3600.0, span=HOURS * 3600.0)
#: An order by the hour at which it is given.
Script = Mapping[float, tuple[OrderKind, str, dict[str, Any]]]


def make_site() -> ScriptedSite:
    """Return a site with a section, and the home page of another site."""
    others = {OTHER: front(OTHER + "2026/03/02/a-story-of-another-site"), **STORIES}
    return ScriptedSite({"/": front(also=SPORT), "/sport/": front(*STORIES), **others})


def steered(folder: Path, site: ScriptedSite, script: Script, assignment: Assignment = SPAN) -> list[Order]:
    """Crawl while orders are given at their times, and return what became of them."""
    waiting, given = dict(sorted(script.items())), list[int]()

    def on_wake(now: datetime) -> None:
        while waiting and now >= START + next(iter(waiting)) * HOUR:
            what, source, values = waiting.pop(next(iter(waiting)))
            with Store.open(folder) as archive:
                placed = archive.place(Order(what=what, source=source, values=values, at=now))
            assert placed is not None
            given.append(placed[0].id)

    simulate(folder, site.fetch, START, assignment, settings=ONCE, on_wake=on_wake)
    with Store.open(folder) as archive:
        return [archive.order(number) for number in given]


def told(folder: Path, what: OrderKind, source: str = HOME, **values: object) -> str:
    """Give an order to an archive that nobody writes to, and return what happened."""
    with Store.open(folder) as archive:
        [outcome] = give(archive, [Order(what=what, source=source, values=values, at=START)])
    return str(outcome)


def test_a_paused_source_is_not_visited_until_it_is_resumed(tmp_path: Path) -> None:
    site = make_site()

    paused, resumed = steered(
        tmp_path, site, {2.5: (OrderKind.PAUSE, "gazette.example", {}), 6.25: (OrderKind.RESUME, HOME, {})}
    )

    assert site.hours("/")[:4] == site.hours("/sport/")[:4] == [0.0, 1.0, 2.0, pytest.approx(6.26, abs=0.03)]
    # Then it goes on in step with its first visit, once an hour.
    assert site.hours("/")[4:] == [float(hour) for hour in range(7, HOURS)]
    assert (paused.result, resumed.result) == ("paused gazette.example", "resumed gazette.example")
    assert paused.taken_at is not None
    assert paused.taken_at - paused.at <= timedelta(seconds=61)


def test_a_source_that_is_paused_and_resumed_at_once_is_not_visited_twice(tmp_path: Path) -> None:
    site = make_site()

    steered(tmp_path, site, {2.5: (OrderKind.PAUSE, HOME, {}), 2.55: (OrderKind.RESUME, HOME, {})})

    assert site.hours("/") == site.hours("/sport/") == [float(hour) for hour in range(HOURS)]


def test_what_is_added_is_visited_at_once_and_has_the_goal_of_the_crawl(tmp_path: Path) -> None:
    site = make_site()

    [added] = steered(tmp_path, site, {2.5: (OrderKind.ADD, OTHER, {"every": 7200.0, "tags": ["new"]})})

    hours = [round((at - START) / HOUR, 1) for url, at in site.asked_at if url == OTHER]
    assert hours == [2.5 + 2 * number for number in range(3)]
    assert added.result == "added courier.example"
    with Store.open(tmp_path) as archive:
        other = archive.find_source(OTHER)
    assert (other.settings.tags, other.every, other.state) == (("new",), 7200.0, "active")
    assert other.until == START + HOURS * HOUR


def test_a_removed_source_keeps_its_articles_and_goes_on_when_it_is_added_again(tmp_path: Path) -> None:
    site = make_site()

    steered(tmp_path, site, {2.5: (OrderKind.REMOVE, HOME, {})})
    with Store.open(tmp_path) as archive:
        source = archive.find_source(HOME)
        assert (source.state, len(list(archive.articles()))) == ("removed", len(STORIES))
    assert site.hours("/") == [0.0, 1.0, 2.0]

    assert told(tmp_path, OrderKind.RESUME) == "gazette.example was removed: add it again to follow it"
    assert told(tmp_path, OrderKind.ADD) == "added gazette.example again; it was removed"
    site.crawl(tmp_path, 2, start=START + HOURS * HOUR)

    assert [hour for hour in site.hours("/") if hour > 3] == [8.0, 9.0]
    assert len([path for path, _ in site.asked if path in STORIES]) == len(STORIES)
    with Store.open(tmp_path) as archive:
        assert archive.find_source(HOME).snapshots == 5
        assert list(archive.check()) == []


def test_another_pace_takes_effect_at_once(tmp_path: Path) -> None:
    site = make_site()

    [order] = steered(tmp_path, site, {2.1: (OrderKind.SET, HOME, {"every": 900.0})})

    assert order.result == "changed gazette.example: every: 3600 -> 900"
    hours = site.hours("/")
    assert hours[:3] == [0.0, 1.0, 2.0]
    assert [round(later - earlier, 2) for earlier, later in pairwise(hours[3:])] == [0.25] * 22
    assert hours[3] == pytest.approx(2.35, abs=0.03)


def test_a_budget_of_its_own_holds_from_then_on(tmp_path: Path) -> None:
    site = make_site()
    site.pages["/"] = lambda at: front(*(article_path(n) for n in range(1, 13) if at >= START + HOUR), also=SPORT)
    site.pages["/sport/"] = front()

    steered(tmp_path, site, {0.5: (OrderKind.SET, HOME, {"requests_per_hour": 4})})

    asked = [at for path, at in site.asked_at if path in STORIES]
    assert len(asked) == len(STORIES)
    assert max(asked) - min(asked) > 2 * HOUR


def test_editions_are_followed_like_home_pages(tmp_path: Path) -> None:
    site = make_site()
    site.pages |= {"/": front(), "/en/": front(also='<a href="/en/sport/">Sport</a>'), "/en/sport/": front(*STORIES)}

    [order] = steered(tmp_path, site, {2.5: (OrderKind.SET, HOME, {"editions": [HOME + "en/"]})})

    assert order.result == "changed gazette.example: editions: none -> http://gazette.example/en/"
    assert [round(hour, 1) for hour in site.hours("/en/")][:3] == [2.5, 3.5, 4.5]
    with Store.open(tmp_path) as archive:
        fronts = {page.url: page.entry.reason for page in archive.sections()}
        assert len(list(archive.articles())) == len(STORIES)
        assert archive.find_source(HOME).snapshots == HOURS
    home, section = VisitReason.HOME, VisitReason.SECTION
    assert fronts == {HOME: home, HOME + "en/": home, HOME + "en/sport/": section}
    assert told(tmp_path, OrderKind.SET, editions=None).startswith("changed gazette.example: editions: ")
    with Store.open(tmp_path) as archive:
        assert HOME + "en/" not in {page.url for page in archive.sections()}


def test_an_order_to_stop_ends_the_crawl_and_keeps_its_goal(tmp_path: Path) -> None:
    site = make_site()

    [order] = steered(tmp_path, site, {2.5: (OrderKind.STOP, "", {})})

    assert order.result == "stopping"
    assert site.hours("/") == [0.0, 1.0, 2.0]
    with Store.open(tmp_path) as archive:
        assert archive.find_source(HOME).until == START + HOURS * HOUR
        assert archive.holder() is None


def test_an_order_to_stop_is_for_the_crawl_that_ran_then(tmp_path: Path) -> None:
    site = make_site()
    site.crawl(tmp_path, 1)
    with Store.open(tmp_path) as archive, archive.writer():
        placed = archive.place(Order(what=OrderKind.STOP, at=START))

    site.crawl(tmp_path, 2, start=START + HOUR)

    assert site.hours("/") == [0.0, 1.0, 2.0]
    assert placed is not None
    with Store.open(tmp_path) as archive:
        assert archive.order(placed[0].id).error == "the crawl that was to stop has ended"
        assert archive.place(Order(what=OrderKind.STOP, at=START)) is None


def test_a_crawl_without_an_end_waits_while_every_source_is_paused(tmp_path: Path) -> None:
    site = make_site()

    steered(
        tmp_path,
        site,
        {
            1.5: (OrderKind.PAUSE, HOME, {}),
            10.25: (OrderKind.RESUME, HOME, {}),
            12.5: (OrderKind.STOP, "", {}),
        },
        Assignment((HOME,), every=3600.0),
    )

    assert [round(hour) for hour in site.hours("/")] == [0, 1, 10, 11, 12]


REFUSED: dict[str, tuple[OrderKind, str, dict[str, Any], str]] = {
    "an unknown source": (OrderKind.PAUSE, "nowhere.example", {}, "the archive does not follow nowhere.example; its"),
    "an unknown setting": (
        OrderKind.SET,
        HOME,
        {"tag": ["a"]},
        "unknown setting 'tag' of a source; did you mean 'tags'",
    ),
    "a bad value": (OrderKind.SET, HOME, {"every": 0}, "every must be more than 0 seconds"),
    "another kind": (OrderKind.SET, HOME, {"render": "perhaps"}, "render must be one of never, auto, always"),
    "an edition elsewhere": (
        OrderKind.SET,
        HOME,
        {"editions": [OTHER]},
        f"the edition {OTHER} is not on gazette.example",
    ),
    "no address": (OrderKind.ADD, "nonsense", {}, "'nonsense' is not the http or https URL of a home page"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_an_order_that_makes_no_sense_is_refused_with_a_reason(tmp_path: Path, case: str) -> None:
    site = make_site()
    what, source, values, message = REFUSED[case]

    [order] = steered(tmp_path, site, {0.5: (what, source, values)}, Assignment((HOME,), 3600.0, snapshots=2))

    assert order.result is None
    assert (order.error or "").startswith(message)
    assert site.hours("/") == [0.0, 1.0]
    assert told(tmp_path, what, source, **values).startswith(message)


def test_orders_survive_a_repair_and_wait_for_the_next_writer(tmp_path: Path) -> None:
    make_site().crawl(tmp_path, 1)
    with Store.open(tmp_path) as archive, archive.writer():
        placed = archive.place(Order(what=OrderKind.PAUSE, source=HOME, at=START))
    assert placed is not None

    repair(tmp_path, NothingRead(), SystemClock(), lambda _: None)
    result = told(tmp_path, OrderKind.SET, name="The Gazette")

    assert result == "changed gazette.example: name: gazette.example -> The Gazette"
    with Store.open(tmp_path) as archive:
        assert archive.order(placed[0].id).result == "paused gazette.example"
        assert archive.find_source(HOME).state == "paused"
        assert list(archive.check()) == []


def test_without_a_crawl_an_order_is_carried_out_at_once(tmp_path: Path) -> None:
    make_site().crawl(tmp_path, 1)

    assert told(tmp_path, OrderKind.PAUSE) == "paused gazette.example"
    assert told(tmp_path, OrderKind.PAUSE) == "gazette.example is paused already"
