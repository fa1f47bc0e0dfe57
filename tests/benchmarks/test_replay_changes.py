"""Pages that stand in for others change as often as was measured, but not what they say."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

pytest.importorskip("scrapy")

from benchmarks.replay.changing import ARTICLES, ChangeRule, StandInChanges
from benchmarks.replay.golden import Golden
from benchmarks.replay.measuring import Conditions, Replay, prepare
from benchmarks.replay.saved_changes import Sameness
from benchmarks.replay.snapshots import Folder
from benchmarks.replay.standins import unpack

from broadsheet.archive import Store
from broadsheet.base.errors import InputError
from broadsheet.base.newsroom_settings import NewsroomSettings
from broadsheet.newsroom.assignment import Assignment
from broadsheet.newsweb.response import Response
from broadsheet.simulation.simulated_crawl import simulate
from tests.benchmarks.replay_folder import ABOUT, CULTURE, HOME, OLD, SITE, START, write_data
from tests.benchmarks.test_page_changes import saved, write_lines

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


def golden(url: str, label: str = "SECTION") -> Golden:
    return Golden(url, url, label, "", is_certain=True, anchor="")


OFTEN = Sameness(pairs=10, same=5, apart=30 * MINUTE)
NEVER = Sameness(pairs=10, same=10, apart=30 * MINUTE)
TIMES = [START + step * 30 * MINUTE for step in range(200)]


def share_kept(changes: StandInChanges, page: Golden) -> float:
    """Return the share of half hours in which a page kept its bytes."""
    tokens = [changes.token(page, at) for at in TIMES]
    return sum(one == other for one, other in pairwise(tokens)) / (len(TIMES) - 1)


def test_stand_ins_change_as_often_as_was_measured() -> None:
    changes = StandInChanges(START, [OFTEN], NEVER)
    shares = [share_kept(changes, golden(f"gazette.example/{number}")) for number in range(20)]

    assert sum(shares) / len(shares) == pytest.approx(0.5, abs=0.03)
    assert share_kept(changes, golden("gazette.example/story", "ARTICLE")) == 1


def test_some_sections_change_and_others_do_not_where_the_saved_ones_do_so() -> None:
    changes = StandInChanges(START, [OFTEN, NEVER])
    shares = [share_kept(changes, golden(f"gazette.example/{number}")) for number in range(40)]

    assert 10 < shares.count(1.0) < 30
    assert all(share == 1 or share < 0.7 for share in shares)


def test_what_changes_always_differs_at_every_visit_but_not_within_one_moment() -> None:
    changes = StandInChanges(START, [replace(OFTEN, same=0)])
    page = golden("gazette.example/1")

    assert share_kept(changes, page) == 0
    assert changes.token(page, START + HOUR) == changes.token(page, START + HOUR + MINUTE)


def test_what_is_not_known_to_change_never_does() -> None:
    changes = StandInChanges(START)

    assert share_kept(changes, golden("gazette.example/1")) == 1
    assert changes.last(golden("gazette.example/1"), START + DAY) == START


def test_the_last_change_does_not_depend_on_who_asked_before() -> None:
    one, other = StandInChanges(START, [OFTEN]), StandInChanges(START, [OFTEN])
    page = golden("gazette.example/1")

    asked_often = [one.last(page, at) for at in TIMES]

    assert other.last(page, TIMES[-1]) == asked_often[-1]
    assert asked_often == sorted(asked_often)
    assert all(last <= at for last, at in zip(asked_often, TIMES, strict=True))


def test_articles_that_are_fetched_again_are_hardly_ever_the_same_after_an_hour() -> None:
    assert ARTICLES.chance(HOUR) < 0.01
    assert ARTICLES.chance(5 * MINUTE) > 0.5


def prepared(folder: Path, into: Path, rule: ChangeRule) -> Replay:
    into.mkdir(parents=True)
    conditions = Conditions(Folder.find(folder), unpack(folder, None, into), changes=rule)
    return prepare(SITE, conditions, into)


def changing_data(folder: Path) -> Path:
    """Return a data folder whose home page changes its bytes every half hour, but not its links."""
    write_data(folder)
    rows = [saved("index", 30 * step, "ab") for step in range(12)]
    write_lines(folder / "temporal" / "links" / f"{SITE}.jsonl.xz", rows)
    return folder


@pytest.mark.parametrize(
    ("rule", "changed"), [("never", set()), ("fronts", {CULTURE, ABOUT, OLD}), ("measured", {CULTURE, ABOUT, OLD})]
)
def test_only_pages_that_were_not_saved_change(tmp_path: Path, rule: ChangeRule, changed: set[str]) -> None:
    replay = prepared(changing_data(tmp_path / "data"), tmp_path / "html", rule)

    for url in (HOME, CULTURE, ABOUT, OLD):
        first = replay.served.fetch(url, START, {})
        again = {"If-None-Match": first.headers["ETag"], "If-Modified-Since": first.headers["Last-Modified"]}
        later = replay.served.fetch(url, START + 150 * MINUTE, again)
        assert (later.status == 200) == (url in changed), url
        assert not later.body or later.body.startswith(first.body), "only a comment is added"


def test_all_crawlers_see_the_same_bytes_at_the_same_time(tmp_path: Path) -> None:
    data = changing_data(tmp_path / "data")
    one, other = (prepared(data, tmp_path / name, "measured") for name in ("one", "other"))

    for hour in range(5):
        one.served.fetch(CULTURE, START + hour * HOUR, {})

    assert (
        one.served.fetch(CULTURE, START + 5 * HOUR, {}).body == other.served.fetch(CULTURE, START + 5 * HOUR, {}).body
    )


def test_sites_without_saved_links_say_that_changes_need_them(tmp_path: Path) -> None:
    data = write_data(tmp_path / "data")
    (data / "temporal" / "links" / f"{SITE}.jsonl.xz").unlink()

    with pytest.raises(InputError, match="only `never` is possible"):
        prepared(data, tmp_path / "html", "measured")
    assert prepared(data, tmp_path / "more", "never").home.url == HOME


def test_an_article_that_only_changes_its_bytes_keeps_one_version(tmp_path: Path) -> None:
    replay = prepared(changing_data(tmp_path / "data"), tmp_path / "html", "measured")
    settings = NewsroomSettings(render="never", revisits="steady", revisit_after=HOUR.total_seconds())
    assignment = Assignment((HOME,), every=HOUR.total_seconds(), snapshots=6)
    sent: list[str] = []

    def fetch(url: str, at: datetime, headers: Mapping[str, str]) -> Response:
        response = replay.served.fetch(url, at, headers)
        sent.extend([url] * (response.status == 200))
        return response

    simulate(tmp_path / "archive", fetch, START, assignment, settings=settings)

    with Store.open(tmp_path / "archive") as archive:
        articles = [stored for stored in archive.articles() if sent.count(stored.article.url or "") > 1]
        assert articles, "some were fetched again with other bytes"
        assert all(len(archive.versions(stored.key)) == 1 for stored in articles)
