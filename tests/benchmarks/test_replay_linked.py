"""Which articles are fresh."""

from datetime import timedelta
from pathlib import Path

import pytest

pytest.importorskip("scrapy")

from benchmarks.replay.golden import GoldenLabels
from benchmarks.replay.linked import Freshness, Linked, Period, at_start, fresh, read_links
from benchmarks.replay.snapshots import Folder, SavedPage, Snapshot, home_page

from broadsheet.base import urls
from tests.benchmarks.replay_folder import (
    HOME,
    HOME_TIMES,
    IMPRINT,
    LATE,
    NEW,
    OLD,
    POLITICS,
    SECTION_ONLY,
    SITE,
    START,
    write_snapshots,
)

HOUR = timedelta(hours=1)
RUN = Period(START, HOME_TIMES[-1], HOUR)


def read(folder: Path) -> tuple[list[SavedPage], GoldenLabels, Linked]:
    snapshots, unpacked = Folder.find(folder), folder / "unpacked"
    unpacked.mkdir()
    pages, labels = snapshots.saved(SITE, unpacked), GoldenLabels.read(snapshots.gold(SITE))
    return pages, labels, read_links(snapshots.links(SITE), pages, labels, SITE)


@pytest.mark.parametrize("with_links", [True, False])
def test_links_come_from_their_file_or_else_from_the_pages(tmp_path: Path, *, with_links: bool) -> None:
    write_snapshots(tmp_path, with_links=with_links)

    pages, _, linked = read(tmp_path)

    section = next(page for page in pages if page.name == "politics")
    assert [len(linked["politics", snapshot.at]) for snapshot in section.snapshots] == [1, 2, 2]
    assert linked["index", START] >= {urls.key(POLITICS), urls.key(OLD)}


def test_fresh_is_what_a_front_begins_to_link_to_for_long_enough(tmp_path: Path) -> None:
    write_snapshots(tmp_path)
    pages, labels, linked = read(tmp_path)
    old = at_start(pages, linked, START)

    found = fresh(pages, linked, old, labels, RUN)

    assert urls.key(OLD) in old
    # The last one appears at the very end, when nobody comes any more.
    assert found == Freshness(frozenset(map(urls.key, (NEW, SECTION_ONLY))), frozenset({urls.key(LATE)}))


def test_what_only_other_pages_link_to_is_not_fresh(tmp_path: Path) -> None:
    write_snapshots(tmp_path)
    pages, labels, linked = read(tmp_path)

    found = fresh([home_page(SITE, pages)], linked, at_start(pages, linked, START), labels, RUN)

    assert found.lasting == {urls.key(NEW)}


def test_a_link_with_a_gap_counts_for_its_longest_stretch(tmp_path: Path) -> None:
    write_snapshots(tmp_path)
    _, labels, _ = read(tmp_path)
    minutes = (0, 30, 80, 90, 140, 200)
    shown: tuple[set[str], ...] = (set(), {NEW}, set(), {NEW, LATE}, {LATE}, set())
    front = page("index", HOME, *minutes)
    linked = {
        ("index", START + timedelta(minutes=at)): frozenset(map(urls.key, targets))
        for at, targets in zip(minutes, shown, strict=True)
    }

    found = fresh([front], linked, frozenset(), labels, RUN)

    # 50 and 50 minutes, and 110 minutes without a break.
    assert found == Freshness(frozenset({urls.key(LATE)}), frozenset({urls.key(NEW)}))


def test_a_page_that_is_not_there_shows_no_links(tmp_path: Path) -> None:
    write_snapshots(tmp_path)
    _, labels, _ = read(tmp_path)
    front = page("index", HOME, 0, 30, status=404)
    linked = {("index", snapshot.at): frozenset({urls.key(NEW)}) for snapshot in front.snapshots}

    assert fresh([front], linked, frozenset(), labels, RUN) == Freshness(frozenset(), frozenset())


@pytest.mark.parametrize(
    ("addresses", "home"),
    [
        ({"front": HOME, "a": POLITICS}, "front"),
        ({"tv": f"https://tv.{SITE}/", "start": f"http://{SITE}"}, "start"),
        ({"index": f"{HOME}news/home/", "x": f"{HOME}x/"}, "index"),
        ({"long": IMPRINT, "short": f"{HOME}x/"}, "short"),
    ],
)
def test_the_home_page_is_found_by_its_address_or_its_name(addresses: dict[str, str], home: str) -> None:
    assert home_page(SITE, [page(name, url, 0) for name, url in addresses.items()]).name == home


def page(name: str, url: str, *minutes: int, status: int = 200) -> SavedPage:
    times = [START + timedelta(minutes=minute) for minute in minutes]
    return SavedPage(name, url, tuple(Snapshot(at, at, status, Path()) for at in times))
