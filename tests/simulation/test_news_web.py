"""The newsroom on the invented news web, without sockets, compared with the truth."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from broadsheet.archive import Store
from broadsheet.base.newsroom_settings import NewsroomSettings
from broadsheet.newsroom.assignment import Assignment
from broadsheet.newsweb.response import Response, failure
from broadsheet.newsweb.web import NewsWeb
from broadsheet.simulation.archive_score import ArchiveScore, score
from broadsheet.simulation.simulated_crawl import simulate

START = datetime(2026, 3, 2, 6, tzinfo=UTC)
HOUR = timedelta(hours=1)


def followed(folder: Path, web: NewsWeb, rounds: int) -> None:
    """Follow all sites of a web for some hourly rounds."""
    sites = tuple(map(web.home, web.sites))
    simulate(folder, web.fetch, START, Assignment(sites, every=HOUR.total_seconds(), snapshots=rounds))


def scores(folder: Path, web: NewsWeb, later: timedelta = timedelta()) -> list[ArchiveScore]:
    """Compare an archive with what was published up to its last round, or later."""
    with Store.open(folder) as archive:
        sources = {source.url: source for source in archive.sources()}
        assert list(archive.check()) == []
        return [score(archive, source, web, site, later) for site in web.sites for source in [sources[web.home(site)]]]


def test_every_article_of_three_kinds_of_sites_is_archived_and_nothing_else(tmp_path: Path) -> None:
    web = NewsWeb(seed=3, sites=3)

    followed(tmp_path, web, rounds=12)

    for found in scores(tmp_path, web):
        assert found.published > 0
        assert found.recall >= 0.9
        assert (found.wrong, found.twice) == (0, 0)
        assert found.sections_found == found.sections
        assert found.titles >= 0.9 * (found.archived + found.older)
        assert found.text > 0.9


def test_what_has_left_a_front_within_a_day_is_found_on_its_further_pages(tmp_path: Path) -> None:
    web = NewsWeb(seed=3, sites=3)
    site = web.sites[2]

    def without_feeds(url: str, at: datetime, headers: Mapping[str, str]) -> Response:
        return failure(404, b"", at) if url.endswith(".xml") else web.fetch(url, at, headers)

    daily = Assignment((web.home(site),), every=24 * HOUR.total_seconds(), snapshots=3)
    simulate(tmp_path, without_feeds, START, daily, settings=NewsroomSettings(pace="fixed"))

    with Store.open(tmp_path) as archive:
        [source] = archive.sources()
        further = {row["page"] for row in archive.visits().to_table().to_pylist() if row["why"] == "further page"}
        found_on = {each.found_on for each in archive.discoveries(source.key, START)}
        assert score(archive, source, web, site).recall == 1.0
    assert found_on & further


def test_what_was_published_after_the_last_round_counts_as_missed(tmp_path: Path) -> None:
    web = NewsWeb(seed=3, sites=1)
    followed(tmp_path, web, rounds=2)

    [found] = scores(tmp_path, web, later=timedelta(days=1))

    assert found.published > found.archived
    assert found.recall < 0.9
    assert found.to_dict()["recall"] == round(found.recall, 4)


@pytest.mark.soak
def test_a_month_of_hourly_rounds_misses_nothing(tmp_path: Path) -> None:
    web = NewsWeb(seed=1, sites=1)

    sites = tuple(map(web.home, web.sites))
    month = Assignment(sites, every=HOUR.total_seconds(), snapshots=720)
    simulate(tmp_path, web.fetch, START, month, commit_often=False)

    [found] = scores(tmp_path, web)
    assert found.published > 1000
    assert found.recall >= 0.99
    assert (found.wrong, found.twice) == (0, 0)
