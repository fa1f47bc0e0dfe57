"""The agenda: fronts at their pace, other pages in their turn, within budgets, until the goal is reached."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from broadsheet.archive import Store, VisitReason
from broadsheet.base.quotas import Quotas
from broadsheet.newsroom.agenda import next_due
from broadsheet.newsroom.assignment import Assignment
from broadsheet.newsroom.progress import Progress
from broadsheet.newsweb.response import Response, failure
from broadsheet.simulation.simulated_crawl import simulate
from tests.newsroom.site import HOME, HOUR, ONCE, START, ScriptedSite, article_path, front, story

SPORT = '<a href="/sport/">Sport</a>'
NUMBERS = range(1, 13)
STORIES = {article_path(number): story(str(number)) for number in NUMBERS}


class Killed(BaseException):
    """What ends a crawl at once."""


def make_site() -> ScriptedSite:
    """Return a site with a section that lists all its articles."""
    return ScriptedSite({"/": front(also=SPORT), "/sport/": front(*STORIES), **STORIES})


def titles(folder: Path) -> set[str]:
    with Store.open(folder) as archive:
        return {stored.article.title or "" for stored in archive.articles()}


def waiting(folder: Path) -> list[str]:
    """Return why pages wait that are wanted once."""
    with Store.open(folder) as archive:
        return [each.entry.reason for each in archive.agenda(HOME) if each.entry.every is None]


def crawl(folder: Path, site: ScriptedSite, quotas: Quotas, **goal: float) -> Progress:
    """Follow a site every hour under quotas until a goal."""
    assignment = Assignment((HOME,), every=3600.0, **goal)  # type: ignore[arg-type]
    return simulate(folder, site.fetch, START, assignment, quotas=quotas, settings=ONCE)


def test_fronts_are_visited_at_their_pace_and_articles_once(tmp_path: Path) -> None:
    site = make_site()

    site.crawl(tmp_path, snapshots=4)

    assert site.hours("/") == site.hours("/sport/") == [0.0, 1.0, 2.0, 3.0]
    assert {path: len(site.hours(path)) for path in STORIES} == dict.fromkeys(STORIES, 1)
    with Store.open(tmp_path) as archive:
        fronts = {page.url: page.entry for page in archive.sections()}
    assert {entry.every for entry in fronts.values()} == {3600.0}
    assert fronts[HOME].reason is VisitReason.HOME
    assert fronts[HOME + "sport/"].reason is VisitReason.SECTION


def test_a_slow_article_delays_no_front(tmp_path: Path) -> None:
    def refusing(at: datetime) -> Response:
        return failure(429, b"", at, extra={"Retry-After": "1800"})

    site = make_site()
    site.pages[article_path(1)] = refusing

    site.crawl(tmp_path, snapshots=4)

    assert len(site.hours("/")) == len(site.hours("/sport/")) == 4


def test_a_page_that_fails_is_tried_again_in_step_with_the_home_page(tmp_path: Path) -> None:
    site = make_site()
    site.pages[article_path(1)] = lambda at: failure(403, b"", at)

    site.crawl(tmp_path, snapshots=4)

    assert site.hours(article_path(1)) == [0.0, 1.0, 2.0]
    with Store.open(tmp_path) as archive:
        rows = archive.visits().to_table().to_pylist()
    whys = [row["why"] for row in rows if row["url"].endswith(article_path(1))]
    assert whys == ["candidate", "retry", "retry"]


def test_what_may_be_a_section_goes_before_articles(tmp_path: Path) -> None:
    site = make_site()
    site.pages["/"] = front(*STORIES, also=SPORT)

    site.crawl(tmp_path, snapshots=1)

    assert [path for path, _ in site.asked][:2] == ["/", "/sport/"]


#: Each is less than the site's pages cost, which are 14 requests and about 9 KB; articles cost more bytes than the
#: fronts that come first, by which their cost is estimated.
SMALL = {"requests": Quotas(max_requests=10), "bytes": Quotas(max_bytes=3_000)}
MOST = {"requests": 10 - 2, "bytes": 9}


@pytest.mark.parametrize("cap", SMALL)
def test_pages_wait_for_the_budget_and_fronts_do_not(tmp_path: Path, cap: str) -> None:
    site = make_site()

    progress = crawl(tmp_path, site, SMALL[cap], snapshots=6)

    assert site.hours("/") == site.hours("/sport/") == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    asked = [at for path, at in site.asked_at if path in STORIES]
    assert sum(at < START + timedelta(minutes=1) for at in asked) <= MOST[cap]
    assert max(asked) > START + timedelta(minutes=15)
    assert titles(tmp_path) == set(map(str, NUMBERS))
    assert progress.skips == {}


@pytest.mark.parametrize("pace", ["fixed", "arrivals"])
def test_a_budget_that_is_too_small_for_the_fronts_puts_them_all_off_whatever_their_pace(
    tmp_path: Path, pace: str
) -> None:
    most, names = 8, ("sport", "world", "local")
    menu = "".join(f'<a href="/{name}">{name}</a>' for name in names)

    def listing(first: int) -> Callable[[datetime], str]:
        def page(now: datetime) -> str:
            halves = first + (now - START) // (HOUR / 2)
            return front(*map(article_path, range(halves, halves + 6)), also=menu)

        return page

    stories = {article_path(number): story(str(number)) for number in range(200)}
    lists = {f"/{name}": listing(50 * place) for place, name in enumerate(names, 1)}
    site = ScriptedSite({"/": listing(0), **lists, **stories})

    site.crawl(tmp_path, snapshots=10, quotas=Quotas(max_requests=most), settings=replace(ONCE, pace=pace))

    hours = (max(at for _, at in site.asked_at) - START) / HOUR
    gaps = [after - before for name in names for before, after in pairwise(site.hours(f"/{name}"))]
    # What was saved up when the crawl began comes on top, and so does what was handed out before it was spent.
    assert len(site.asked) <= most * (hours + 1) + len(names)
    assert max(gaps) > 1.2


@pytest.mark.parametrize("cap", SMALL)
def test_what_the_budget_leaves_over_comes_with_the_next_crawl(tmp_path: Path, cap: str) -> None:
    site = make_site()

    first = crawl(tmp_path, site, SMALL[cap], snapshots=1)
    left = waiting(tmp_path)
    second = simulate(tmp_path, site.fetch, START + HOUR, Assignment(snapshots=1), quotas=SMALL[cap], settings=ONCE)

    assert 1 <= first.articles <= MOST[cap]
    assert left == [VisitReason.CANDIDATE] * (len(NUMBERS) - first.articles)
    assert second.articles == len(NUMBERS) - first.articles
    assert titles(tmp_path) == set(map(str, NUMBERS))


def test_no_more_pages_that_may_be_sections_are_fetched_in_a_day_than_the_cap(tmp_path: Path) -> None:
    bar = "".join(f'<a href="/s{number}/">S{number}</a>' for number in range(6))
    site = ScriptedSite({"/": front(also=bar), **{f"/s{number}/": front(*STORIES) for number in range(6)}, **STORIES})

    progress = crawl(tmp_path, site, Quotas(max_section_candidates=2), snapshots=3)

    # Whoever is left out is counted again at each review.
    assert (progress.sections, set(progress.skips)) == (2, {"too many section candidates"})


def test_a_goal_of_snapshots_visits_all_fronts_so_often_and_leaves_nothing_waiting(tmp_path: Path) -> None:
    site = make_site()

    progress = crawl(tmp_path, site, Quotas(), snapshots=3)

    assert progress.snapshots == 3
    assert len(site.hours("/")) == len(site.hours("/sport/")) == 3
    assert waiting(tmp_path) == []
    with Store.open(tmp_path) as archive:
        [source] = archive.sources()
    assert (source.goal, source.until_snapshot, source.snapshots) == (None, None, 3)


def test_a_goal_of_a_time_fetches_nothing_after_it(tmp_path: Path) -> None:
    site = make_site()
    end = START + timedelta(hours=2, minutes=30)

    # The budget is too small for all articles in that time.
    crawl(tmp_path, site, Quotas(max_requests=4), span=2.5 * 3600)

    assert site.hours("/") == [0.0, 1.0, 2.0]
    assert max(at for _, at in site.asked_at) < end
    assert waiting(tmp_path)
    assert titles(tmp_path) < set(map(str, NUMBERS))


@pytest.mark.parametrize("goal", [{"snapshots": 3}, {"span": 2.5 * 3600}], ids=["snapshots", "time"])
def test_the_same_command_after_a_kill_goes_on_towards_the_same_goal(tmp_path: Path, goal: dict[str, float]) -> None:
    site = make_site()
    assignment = Assignment((HOME,), every=3600.0, **goal)  # type: ignore[arg-type]

    def kill(progress: Progress) -> None:
        if progress.snapshots == 2:
            raise Killed

    with pytest.raises(Killed):
        simulate(tmp_path, site.fetch, START, assignment, report=kill, settings=ONCE)
    simulate(tmp_path, site.fetch, START + 1.2 * HOUR, assignment, settings=ONCE)

    assert site.hours("/") == [0.0, 1.0, 2.0]
    assert titles(tmp_path) == set(map(str, NUMBERS))
    assert {path: len(site.hours(path)) for path in STORIES} == dict.fromkeys(STORIES, 1)


@pytest.mark.parametrize(
    ("late", "pause"),
    [(0.1, 0.9), (0.5, 0.5), (0.6, 1.4), (1.9, 1.1), (30.2, 0.8)],
    ids=["in step", "just in step", "late", "missed one", "missed many"],
)
def test_a_front_that_was_visited_late_is_due_in_step_but_not_at_once(late: float, pause: float) -> None:
    at = START + late * HOUR

    assert (next_due(START, HOUR, at) - at) / HOUR == pytest.approx(pause)


def test_a_crawl_that_is_resumed_late_makes_no_two_snapshots_in_short_succession(tmp_path: Path) -> None:
    site = make_site()
    simulate(tmp_path, site.fetch, START, Assignment((HOME,), every=3600.0, snapshots=2), settings=ONCE)

    simulate(tmp_path, site.fetch, START + 5.9 * HOUR, Assignment(snapshots=2), settings=ONCE)

    assert site.hours("/")[-2:] == pytest.approx([5.9, 7.0])
