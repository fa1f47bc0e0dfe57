"""Articles that are visited once more, and what the archive keeps of each visit."""

from datetime import datetime
from pathlib import Path
from typing import Any

from broadsheet.archive import Store, VisitReason
from broadsheet.base.newsroom_settings import NewsroomSettings
from broadsheet.newsroom.assignment import Assignment
from broadsheet.simulation.simulated_crawl import simulate
from tests.newsroom.site import HOME, HOUR, START, ScriptedSite, article_path, front, story

KEY = "gazette.example" + article_path(1)
AFTER_THREE_HOURS = NewsroomSettings(revisits="once", revisit_after=3 * 3600.0, pace="fixed")


def visits(folder: Path, key: str) -> list[dict[str, Any]]:
    """Return the visits of a page, in their order."""
    with Store.open(folder) as archive:
        rows = archive.visits().to_table().to_pylist()
    return sorted((row for row in rows if row["page"] == key), key=lambda row: row["visit"])


def revised(at: datetime) -> str:
    """Return an article that has one more paragraph after an hour."""
    text = story("one")
    return text.replace("</article>", "<p>The mayor has resigned since.</p></article>") if at > START + HOUR else text


def test_an_article_whose_text_changed_is_kept_in_two_versions(tmp_path: Path) -> None:
    site = ScriptedSite({"/": front(article_path(1)), article_path(1): revised})

    progress = site.crawl(tmp_path, snapshots=6, settings=AFTER_THREE_HOURS)

    with Store.open(tmp_path) as archive:
        versions = archive.versions(KEY)
        [newest] = archive.articles()
        assert list(archive.check()) == []
    assert [stored.version for stored in versions] == [1, 2]
    assert ["resigned" in stored.article.body for stored in versions] == [False, True]
    assert newest.version == 2
    assert progress.articles == 1
    assert [round(hour, 1) for hour in site.hours(article_path(1))] == [0.0, 3.0]
    assert [row["why"] for row in visits(tmp_path, KEY)] == [VisitReason.CANDIDATE, VisitReason.REVISION]


def test_an_article_that_did_not_change_is_asked_for_once_more_and_has_one_version(tmp_path: Path) -> None:
    site = ScriptedSite({"/": front(article_path(1)), article_path(1): story("one")})

    site.crawl(tmp_path, snapshots=8, settings=AFTER_THREE_HOURS)

    assert [status for path, status in site.asked if path == article_path(1)] == [200, 304]
    with Store.open(tmp_path) as archive:
        assert [stored.version for stored in archive.versions(KEY)] == [1]
        assert [each.page.url for each in archive.agenda("gazette.example") if each.entry.every is None] == []


def test_a_page_that_sends_no_validators_has_one_version_while_its_text_is_the_same(tmp_path: Path) -> None:
    site = ScriptedSite(
        {"/": front(article_path(1)), article_path(1): lambda at: story("one") + f"<!-- rendered at {at} -->"}
    )

    site.crawl(tmp_path, snapshots=8, settings=AFTER_THREE_HOURS)

    assert [status for path, status in site.asked if path == article_path(1)] == [200, 200]
    with Store.open(tmp_path) as archive:
        assert [stored.version for stored in archive.versions(KEY)] == [1]


def test_an_article_is_visited_once_more_in_time_however_seldom_its_home_page_is(tmp_path: Path) -> None:
    site = ScriptedSite({"/": front(article_path(1)), article_path(1): revised})
    daily = Assignment((HOME,), every=86_400.0, snapshots=2)

    simulate(tmp_path, site.fetch, START, daily, settings=AFTER_THREE_HOURS)

    assert site.hours("/") == [0.0, 24.0]
    assert [round(hour, 1) for hour in site.hours(article_path(1))] == [0.0, 3.0]


def test_a_revision_that_comes_after_the_crawl_is_left_to_the_next_one(tmp_path: Path) -> None:
    site = ScriptedSite({"/": front(article_path(1)), article_path(1): revised})
    site.crawl(tmp_path, snapshots=1, settings=AFTER_THREE_HOURS)
    with Store.open(tmp_path) as archive:
        planned = [each.entry for each in archive.agenda("gazette.example") if each.entry.every is None]

    site.crawl(tmp_path, snapshots=1, start=START + 12 * HOUR, settings=AFTER_THREE_HOURS)

    assert [entry.reason for entry in planned] == [VisitReason.REVISION]
    assert [round((entry.due - START) / HOUR, 2) for entry in planned] == [3.0]
    with Store.open(tmp_path) as archive:
        assert [stored.version for stored in archive.versions(KEY)] == [1, 2]


def test_an_article_that_is_gone_when_it_is_visited_once_more_stays_archived(tmp_path: Path) -> None:
    site = ScriptedSite({"/": front(article_path(1)), article_path(1): story("one")})
    site.crawl(tmp_path, snapshots=1, settings=AFTER_THREE_HOURS)
    del site.pages[article_path(1)]

    site.crawl(tmp_path, snapshots=2, start=START + 4 * HOUR, settings=AFTER_THREE_HOURS)

    assert site.asked.count((article_path(1), 404)) == 1
    with Store.open(tmp_path) as archive:
        assert [stored.article.title for stored in archive.articles()] == ["one"]
        assert list(archive.check()) == []


def test_visits_say_why_and_links_say_with_which_words(tmp_path: Path) -> None:
    site = ScriptedSite(
        {
            "/": front(article_path(1), also='<a href="/sport/">Sport</a>'),
            "/sport/": front(*map(article_path, range(1, 11))),
            **{article_path(number): story(str(number)) for number in range(1, 11)},
        }
    )

    site.crawl(tmp_path, snapshots=2)

    assert [row["why"] for row in visits(tmp_path, "gazette.example")] == [VisitReason.HOME] * 2
    sport = [row["why"] for row in visits(tmp_path, "gazette.example/sport")]
    assert sport == [VisitReason.CANDIDATE, VisitReason.SECTION]
    with Store.open(tmp_path) as archive:
        rows = archive.occurrences().to_table().to_pylist()
    anchors = {(row["page"], row["target"]): row["anchor"] for row in rows}
    assert anchors["gazette.example", "gazette.example/sport"] == "Sport"
    assert anchors["gazette.example/sport", KEY] == f"The long headline of {article_path(1)} in full"
