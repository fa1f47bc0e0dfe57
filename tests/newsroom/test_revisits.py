"""When articles are visited again: by policy, by signs, and within a budget."""

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from broadsheet.archive import Store
from broadsheet.base import counter_names
from broadsheet.base.errors import ConfigError
from broadsheet.base.newsroom_settings import NewsroomSettings
from broadsheet.newsroom.headline_signs import changed_headlines
from broadsheet.newsroom.page_links import PageLinks
from broadsheet.newsroom.revisit_policies import (
    HEADLINE,
    OVERDRAFT,
    POLICIES,
    AdaptiveRevisits,
    ArticleStanding,
    Revisit,
    build_policy,
)
from broadsheet.newsroom.revisit_tally import PRIOR_FINDS, RevisitTally
from broadsheet.newsweb.response import Response, failure
from tests.newsroom.site import HOUR, START, ScriptedSite, article_path, front, story

ONE = article_path(1)
KEY = "gazette.example" + ONE
TWO_HOURS = NewsroomSettings(revisit_after=7200.0)


def standing(hours: float, quiet: float | None = None, **values: object) -> ArticleStanding:
    age = timedelta(hours=hours)
    return ArticleStanding(age=age, quiet=age if quiet is None else timedelta(hours=quiet), **values)  # type: ignore[arg-type]


def tally(other: int = 1_000, visits: int = 0, occasion: str = "step 1", found: int = 0) -> RevisitTally:
    made = RevisitTally()
    made.other_requests = other
    made.visits[occasion] = visits
    made.found[occasion] = found
    return made


def links(**anchors: str) -> PageLinks:
    keys = tuple(anchors)
    return PageLinks(keys, keys, keys, tuple(anchors.values()))


@pytest.mark.parametrize(
    ("before", "after", "is_sign"),
    [
        ("Mayor says he will stay", "Mayor resigns after long night", True),
        ("Mayor says he will stay", "Mayor says he will stay", False),
        ("Mayor says he will stay 12 comments", "Mayor says he will stay 13 comments", False),
        ("Mayor says he will stay", "Mayor says he will stay: the council met last night", False),
        ("Read more", "Read on", False),
        ("市長は辞任しないと語った", "市長が辞任、議会は混乱", True),
    ],
)
def test_another_headline_is_a_sign_but_not_another_number_or_length(before: str, after: str, is_sign: bool) -> None:
    found = dict(
        changed_headlines(links(a=before, b="Always the same headline"), links(a=after, c="A new article here"))
    )

    assert found == ({"a": after} if is_sign else {})


@pytest.mark.parametrize("name", POLICIES)
def test_every_policy_can_be_named(name: str) -> None:
    policy = build_policy(NewsroomSettings(revisits=name))

    assert policy.next_visit(standing(100, is_new=False), tally()) is None


def test_an_unknown_policy_is_named_with_the_known_ones() -> None:
    with pytest.raises(ConfigError, match="no policy is called 'often'; the known ones are never, once, steady, signs"):
        build_policy(NewsroomSettings(revisits="often"))


def test_nothing_is_visited_again_without_a_time() -> None:
    policy = build_policy(NewsroomSettings(revisit_after=0))

    assert policy.next_visit(standing(0, is_new=True), tally()) is None
    assert not policy.heeds(HEADLINE, tally())


def test_the_adaptive_policy_visits_at_growing_intervals() -> None:
    policy = AdaptiveRevisits(TWO_HOURS)

    waits = [policy.next_visit(standing(hours), tally()) for hours in (0.5, 1.5, 8.5, 12.5, 30)]

    assert waits == [
        Revisit(timedelta(hours=2), "age 0.5"),
        Revisit(timedelta(hours=2), "age 1"),
        Revisit(timedelta(hours=4), "age 5"),
        Revisit(timedelta(hours=12), "age 9"),
        None,
    ]


def test_an_article_that_changed_is_visited_until_a_visit_finds_it_unchanged() -> None:
    policy = AdaptiveRevisits(TWO_HOURS)

    assert policy.next_visit(standing(9, quiet=0, versions=2), tally()) == Revisit(2 * HOUR, "revised")
    assert policy.next_visit(standing(9, quiet=0, versions=3), tally()) == Revisit(2 * HOUR, "live")
    assert policy.next_visit(standing(9, quiet=0, subtype="live"), tally()) == Revisit(HOUR, "live")
    assert policy.next_visit(standing(9, quiet=2, versions=3), tally()) == Revisit(4 * HOUR, "age 5")


def test_an_article_that_changed_before_it_was_first_fetched_comes_before_others_of_its_age() -> None:
    policy, spent = AdaptiveRevisits(TWO_HOURS), tally()
    spent.other_requests, spent.planned = 100, 30
    changed = standing(1, modified=timedelta(minutes=20))

    assert policy.next_visit(changed, spent) == Revisit(2 * HOUR, "changed before")
    assert policy.next_visit(standing(1), spent) is None
    # Many pages state that they were modified when they were published; and what changed long ago is settled.
    assert policy.next_visit(standing(1, modified=timedelta(minutes=59)), spent) is None
    assert policy.next_visit(standing(9, modified=timedelta(hours=3)), spent) is None
    assert policy.next_visit(standing(1, modified=timedelta(minutes=20), is_told=True), spent) is None


def test_a_page_says_whether_it_changed_before_it_was_fetched(tmp_path: Path) -> None:
    modified = START - timedelta(minutes=20)
    stated = f'<meta property="article:modified_time" content="{modified.isoformat()}">'
    site = ScriptedSite({"/": front(ONE), ONE: story("one", stated)})

    site.crawl(tmp_path, snapshots=4, settings=NewsroomSettings(revisit_after=3600.0, revisit_budget=9.0))

    with Store.open(tmp_path) as archive:
        occasions = {what.reason for what, _ in archive.counters if what.name == counter_names.REVISITS}
    assert "changed before" in occasions


def test_where_changes_are_told_only_the_age_of_an_article_counts() -> None:
    policy = AdaptiveRevisits(TWO_HOURS)

    found = [policy.next_visit(standing(hours, quiet=0, versions=3, is_told=True), tally()) for hours in (0.2, 9, 30)]

    assert found == [Revisit(2 * HOUR, "told, age 0.15"), Revisit(4 * HOUR, "told, age 5"), None]


def test_where_changes_are_told_the_articles_that_were_fetched_soonest_come_first() -> None:
    policy = AdaptiveRevisits(NewsroomSettings(revisit_after=7200.0, revisit_budget=0.25))
    nearly_spent = tally(1_000, 240, "something else")

    wanted = [policy.next_visit(standing(hours, is_told=True), nearly_spent) is not None for hours in (0.1, 0.5, 1.5)]

    assert wanted == [True, True, False]


def test_the_more_of_the_budget_is_spent_the_more_a_visit_has_to_find() -> None:
    policy = AdaptiveRevisits(NewsroomSettings(revisit_after=7200.0, revisit_budget=0.25))

    def wanted(spent: int) -> list[bool]:
        so_far = tally(1_000, spent, "something else")
        first, late = (policy.next_visit(standing(hours), so_far) is not None for hours in (0.5, 6.5))
        return [late, first, policy.heeds(HEADLINE, so_far)]

    assert wanted(10) == [True, True, True]
    assert wanted(200) == [False, True, True]
    assert wanted(250) == [False, False, True]
    assert wanted(374) == [False, False, True]
    assert wanted(375) == [False, False, False]


def test_signs_that_are_never_right_lose_their_priority() -> None:
    policy = AdaptiveRevisits(NewsroomSettings(revisit_budget=0.25))

    assert policy.heeds(HEADLINE, tally(1_000, 100, HEADLINE, found=50))
    assert not policy.heeds(HEADLINE, tally(5_000, 1_000, HEADLINE, found=0))


def test_a_new_source_is_expected_to_be_like_the_others_until_it_shows_what_it_is() -> None:
    pool = RevisitTally()
    known, new = RevisitTally(pool), RevisitTally(pool)
    for _ in range(1_000):
        known.visit("step 1", 1)

    assert new.yield_of("step 1", 0.5) < 0.05
    for _ in range(30 * PRIOR_FINDS):
        new.visit("step 1", 1)
        new.find("step 1")
    assert new.yield_of("step 1", 0.5) > 0.45


def test_an_article_whose_headline_changed_on_the_home_page_is_visited_at_once(tmp_path: Path) -> None:
    changed = front(ONE).replace("The long headline of", "Something entirely different on")
    site = ScriptedSite({"/": lambda at: changed if at > START + 1.5 * HOUR else front(ONE), ONE: story("one")})

    site.crawl(tmp_path, snapshots=4, settings=NewsroomSettings(revisits="signs"))

    assert [round(hour) for hour in site.hours(ONE)] == [0, 2]
    with Store.open(tmp_path) as archive:
        counted = archive.counters
        assert (counted.total(counter_names.REVISITS), counted.total(counter_names.REVISIONS)) == (1, 0)


def test_what_was_spent_and_found_is_remembered_by_the_next_crawl(tmp_path: Path) -> None:
    def revised(at: datetime) -> str:
        return story("one").replace("</article>", f"<p>It is {at:%H} o'clock now in the city.</p></article>")

    site = ScriptedSite({"/": front(ONE), ONE: revised})
    site.crawl(tmp_path, snapshots=5, settings=NewsroomSettings(revisit_after=3600.0, revisit_budget=9.0))
    with Store.open(tmp_path) as archive:
        remembered = RevisitTally()
        remembered.add(archive.source_counters("gazette.example"))

    assert remembered.visits.total() == len(site.hours(ONE)) - 1
    assert remembered.found.total() == remembered.visits.total() > 2
    assert remembered.other_requests == len(site.asked) - remembered.visits.total()


def test_visits_stay_within_the_budget(tmp_path: Path) -> None:
    numbers = range(1, 41)
    pages = {article_path(number): story(str(number)) for number in numbers}
    site = ScriptedSite({"/": front(*map(article_path, numbers)), **pages})

    site.crawl(tmp_path, snapshots=12, settings=NewsroomSettings(revisit_after=3600.0, revisit_budget=0.2))

    again = sum(len(site.hours(path)) - 1 for path in pages)
    assert 1 <= again <= 0.2 * (len(site.asked) - again)


def test_a_front_that_changes_all_its_headlines_at_every_visit_takes_no_more_than_the_budget(tmp_path: Path) -> None:
    words = ("harbour bridge", "winter market", "school orchestra", "river festival", "night train", "city library")
    paths = [article_path(number) for number in range(1, 31)]

    def home(at: datetime) -> str:
        headline = f"All about the {words[at.hour % len(words)]} of"
        return front(*paths).replace("The long headline of", headline)

    site = ScriptedSite({"/": home, **{path: story(path) for path in paths}})

    site.crawl(tmp_path, snapshots=12, settings=NewsroomSettings(revisit_budget=0.2))

    again = sum(len(site.hours(path)) - 1 for path in paths)
    assert 1 <= again <= 0.2 * OVERDRAFT * (len(site.asked) - again) + 1


def test_an_article_that_is_gone_is_asked_for_once_more_a_day_later(tmp_path: Path) -> None:
    def gone(at: datetime) -> str | Response:
        return failure(404, b"", at) if at > START + HOUR else story("one")

    pages: dict[str, str | Callable[[datetime], str | Response]] = {"/": front(ONE), ONE: gone}
    site = ScriptedSite(pages)

    site.crawl(tmp_path, snapshots=60, settings=NewsroomSettings(revisits="once", revisit_after=7200.0))

    assert [round(hour) for hour in site.hours(ONE)] == [0, 2, 26]
