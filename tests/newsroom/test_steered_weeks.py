"""Crawls that are steered at random for days: the archive holds what the orders let it, no less and no more."""

import shutil
from pathlib import Path

import pytest

from broadsheet.archive import SourceRecord, Store
from broadsheet.newsroom.archiving import Archive
from broadsheet.newsroom.assignment import Assignment
from broadsheet.newsroom.source_changes import with_values
from broadsheet.simulation.simulated_crawl import simulate
from tests.archive.old_layouts import make_old
from tests.archive.samples import harm
from tests.newsroom.site import HOUR, ONCE, START
from tests.newsroom.steered import Papers, SteeredCrawl

WEEK = 7 * 24


def state_of(sources: list[SourceRecord]) -> dict[str, tuple[str, str, float, tuple[str, ...]]]:
    return {source.key: (source.state, source.name, source.every, source.settings.tags) for source in sources}


def predicted(steered: SteeredCrawl) -> dict[str, tuple[str, str, float, tuple[str, ...]]]:
    """Return the sources as the model has them."""
    known = {key: source for key, source in steered.model.sources.items() if source.state != "absent"}
    made = {
        key: with_values(SourceRecord(key=key, url=f"https://{key}/", name=key, added_at=START), source.values)
        for key, source in known.items()
    }
    return {key: (known[key].state, one.name, one.every, one.settings.tags) for key, one in made.items()}


def play(folder: Path, seed: int, hours: float) -> None:
    steered = SteeredCrawl(folder, seed, hours)

    steered.play()

    with Store.open(folder) as archive:
        titles = [stored.article.title or "" for stored in archive.articles()]
        versions = [len(archive.versions(stored.key)) for stored in archive.articles()]
        orders = [archive.order(number) for number, _ in steered.placed]
        assert harm(archive) == []
        assert state_of(archive.sources()) == predicted(steered)
    assert [order.error is None for order in orders] == [makes_sense for _, makes_sense in steered.placed]
    assert all(order.taken_at is not None for order in orders)
    assert [(key, at) for key, at in steered.papers.asked if not steered.model.may_visit(key, at)] == []
    required, possible = set(steered.model.required()), set(steered.model.possible())
    assert (len(titles), set(versions)) == (len(set(titles)), {1})
    assert required - set(titles) == set()
    assert set(titles) - possible == set()
    assert len(required) > hours / 8
    assert len(orders) > hours / 8


@pytest.mark.parametrize("seed", [1, 2])
def test_a_day_that_is_steered_at_random(tmp_path: Path, seed: int) -> None:
    play(tmp_path / "news", seed, 24)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10, 18))
def test_a_week_that_is_steered_at_random(tmp_path: Path, seed: int) -> None:
    play(tmp_path / "news", seed, WEEK)


def crawl(folder: Path, papers: Papers, hour: float, snapshots: int, *sites: str) -> None:
    simulate(folder, papers.fetch, START + hour * HOUR, Assignment(sites, 3600.0, snapshots), settings=ONCE)


def test_an_archive_that_is_copied_to_another_folder_resumes_there(tmp_path: Path) -> None:
    papers = Papers()
    crawl(tmp_path / "news", papers, 0, 2, "paper0.example")
    shutil.copytree(tmp_path / "news", tmp_path / "copy")

    crawl(tmp_path / "copy", papers, WEEK, 2)

    with Store.open(tmp_path / "copy") as archive, Store.open(tmp_path / "news") as original:
        [source] = archive.sources()
        assert (source.snapshots, original.sources()[0].snapshots) == (4, 2)
        titles = {stored.article.title for stored in archive.articles()}
        assert {f"paper0.example {number}" for number in (0, 1, WEEK, WEEK + 1)} <= titles
        assert {stored.article.title for stored in original.articles()} < titles
        assert harm(archive) == []


def test_an_archive_of_layout_1_takes_orders_and_resumes(tmp_path: Path) -> None:
    make_old(tmp_path / "news", 1)
    papers = Papers()
    with Archive(tmp_path / "news") as archive:
        archive.pause("news.example")
        archive.add("paper0.example")
        archive.resume("news.example")
        archive.set("news.example", tags=["old"])

    crawl(tmp_path / "news", papers, 48, 2)

    with Store.open(tmp_path / "news") as store:
        assert {store.find_source(key).state for key in ("news.example", "paper0.example")} == {"active"}
        assert store.find_source("news.example").settings.tags == ("old",)
        titles = {stored.article.title for stored in store.articles()}
    assert {"news.example 48", "paper0.example 48", "news.example 49", "paper0.example 49"} <= titles
