"""The links of sources over time: counted as visits come, and the same again from the archive."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from broadsheet.archive import ArchiveError, LinkRows, PageRecord, SourceRecord, Store, VisitReason
from broadsheet.base import reasons
from broadsheet.base.exchange import Exchange
from broadsheet.crawling.simulated import VirtualClock
from broadsheet.newsroom import link_memory
from broadsheet.newsroom.agenda import Agenda
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.judges import LinkJudge
from broadsheet.newsroom.link_memory import SPAN, LinkMemory, span_start
from broadsheet.newsroom.target_judges import JudgeTools, Target, judge_targets
from broadsheet.sources import source_links
from broadsheet.sources.source_links import SourceLinks

KEY = "gazette.example"
HOME = f"https://{KEY}/"
HOUR = timedelta(hours=1)
#: Not at the beginning of a span, so that hours before and after it belong to the same one.
NOW = datetime.fromtimestamp(span_start(1_770_000_000, 3600.0), UTC) + 30 * HOUR
SOURCE = SourceRecord(key=KEY, url=HOME, name=KEY, added_at=NOW, every=3600.0)


def rows(*targets: str) -> LinkRows:
    """Return the links of a page with one list."""
    keys = tuple(f"{KEY}/{target}" for target in targets)
    return LinkRows(
        targets=keys,
        urls=tuple(f"https://{key}" for key in keys),
        collections=("00000000000000aa",) * len(keys),
        positions=np.arange(len(keys), dtype=np.int32),
        paths=("/html/body/ul/li/a",) * len(keys),
        anchors=tuple(f"To {target}" for target in targets),
    )


class FollowedSource:
    """A source whose visits are kept in an archive and counted as they come, as the newsroom does."""

    def __init__(self, folder: Path, desk: Desk) -> None:
        """Follow one source."""
        self.folder = folder
        self.desk = desk
        desk.batch.source(SOURCE)
        self.agenda = Agenda(desk, {KEY: SOURCE})
        self.memory = LinkMemory(desk, self.agenda)

    def visit(self, hours: float, links: LinkRows | None, page: str = KEY, why: VisitReason = VisitReason.HOME) -> None:
        """Keep a visit some hours from now; without links it answers that the page has not changed."""
        at = NOW + hours * HOUR
        body = b"" if links is None else f"{at} {links.targets}".encode()
        status = 304 if links is None else 200
        answer = Exchange(url=f"https://{page}", at=at, status=status, headers=(), body=body, asked=())
        self.desk.batch.visit(page, answer.url, (answer,), links=links, source=KEY, why=why)
        if links is None:
            self.memory.see_again(KEY, page, at)
        elif why is not VisitReason.FEED:
            self.memory.see(KEY, page, at, links)

    def fail(self, hours: float) -> None:
        """Keep a visit that failed."""
        answer = Exchange(url=HOME, at=NOW + hours * HOUR, status=503, headers=(), body=b"later", asked=())
        self.desk.batch.visit(KEY, HOME, (answer,), source=KEY, why=VisitReason.HOME)

    def again(self) -> SourceLinks:
        """Return what a newsroom knows that was just started."""
        return LinkMemory(self.desk, self.agenda).of(KEY)


@contextmanager
def followed(folder: Path) -> Iterator[FollowedSource]:
    clock = VirtualClock(NOW)
    with Store.open(folder, create=True) as archive, archive.writer(clock=clock) as writer:
        yield FollowedSource(folder, Desk(archive, writer, clock))


def assert_same_links(one: SourceLinks, other: SourceLinks) -> None:
    assert one.urls == other.urls
    first, second = (each.table(sorted(one.urls)) for each in (one, other))
    assert (list(first.anchors), first.anchor_kinds, first.pages) == (
        list(second.anchors),
        second.anchor_kinds,
        second.pages,
    )
    assert first.counts.total_snapshots == second.counts.total_snapshots
    for name in ("linked_snapshots", "possible_snapshots", "moves", "comparisons", "referrers", "first_seen"):
        np.testing.assert_array_equal(getattr(first.counts, name), getattr(second.counts, name), name)


def linked(links: SourceLinks, target: str) -> tuple[int, int, int]:
    """Return in how many snapshots a target was linked, of how many, and how often it has moved."""
    counts = links.table([f"{KEY}/{target}"]).counts
    return int(counts.linked_snapshots[0]), int(counts.possible_snapshots[0]), int(counts.moves[0])


def test_a_restart_knows_what_was_counted_visit_by_visit(tmp_path: Path) -> None:
    with followed(tmp_path) as source:
        source.memory.of(KEY)
        source.visit(0, rows("a", "b", "c"))
        source.visit(0.1, rows("a", "d"), f"{KEY}/sport", VisitReason.SECTION)
        source.visit(1, rows("x", "a", "b"))
        source.visit(1.1, None, f"{KEY}/sport", VisitReason.SECTION)
        source.visit(2, None)
        source.visit(3, rows("x", "b"))

        links = source.memory.of(KEY)

        assert linked(links, "a") == (3, 4, 1)
        assert_same_links(links, source.again())


def test_a_home_page_that_is_visited_several_times_in_an_interval_has_one_snapshot_of_it(tmp_path: Path) -> None:
    with followed(tmp_path) as source:
        source.memory.of(KEY)
        for hour in range(3):
            source.visit(hour, rows(f"new-{hour}", "a", "b"))
            source.visit(hour + 0.25, None)
            source.visit(hour + 0.5, rows(f"brief-{hour}", f"new-{hour}", "a", "b"))
            source.visit(hour + 0.75, rows(f"new-{hour}", "a", "b"))

        links = source.memory.of(KEY)

        assert links.table([f"{KEY}/a"]).counts.total_snapshots == 3
        assert linked(links, "a") == (3, 3, 0), "it is where it was an hour before"
        assert linked(links, "brief-1") == (1, 3, 0), "though it was there for a quarter of an hour only"
        assert_same_links(links, source.again())


def test_a_new_source_is_counted_from_its_first_visit_without_a_look_at_the_archive(tmp_path: Path) -> None:
    with followed(tmp_path) as source:
        source.memory.expect()
        source.memory.begin(KEY)
        source.visit(0, rows("a", "b"))
        source.visit(1, rows("b", "a"))

        links = source.memory.of(KEY)

        assert source.desk.batch.visits == 2
        assert linked(links, "a") == (2, 2, 1)
        assert_same_links(links, source.again())


@pytest.mark.parametrize("most", [1, 4])
def test_how_many_links_are_counted_together_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(link_memory, "MAX_WAITING", most)
    monkeypatch.setattr(source_links, "_MAX_WAITING", most)
    with followed(tmp_path) as source:
        source.memory.of(KEY)
        source.visit(0, rows("a", "b", "c"))
        source.visit(1, rows("c", "a"))
        source.visit(2, None)
        counted = len(source.memory)
        monkeypatch.undo()

        assert counted == 4
        assert linked(source.memory.of(KEY), "a") == (3, 3, 1)
        assert_same_links(source.memory.of(KEY), source.again())


def test_a_new_source_whose_links_nobody_asks_for_is_not_counted(tmp_path: Path) -> None:
    with followed(tmp_path) as source:
        source.memory.begin(KEY)
        source.visit(0, rows("a", "b"))

        assert len(source.memory) == 0


def test_a_page_that_could_not_be_fetched_is_unknown_then(tmp_path: Path) -> None:
    with followed(tmp_path) as source:
        source.visit(0, rows("a"))
        source.fail(1)
        source.visit(2, rows("a"))

        assert linked(source.memory.of(KEY), "a") == (2, 2, 0)


def test_a_gap_of_days_is_not_an_absence(tmp_path: Path) -> None:
    with followed(tmp_path) as source:
        source.memory.of(KEY)
        source.visit(-20, rows("a"))
        source.visit(0, rows("a"))

        assert linked(source.memory.of(KEY), "a") == (2, 2, 0)
        assert_same_links(source.memory.of(KEY), source.again())


@pytest.mark.parametrize("late", [0.5, 1.0])
def test_a_visit_out_of_order_or_repeated_makes_the_archive_be_read_again(tmp_path: Path, late: float) -> None:
    with followed(tmp_path) as source:
        source.memory.of(KEY)
        source.visit(0, rows("a", "b"))
        source.visit(1, rows("b", "a"))
        source.visit(late, rows("a", "b", "c"))

        links = source.memory.of(KEY)

        assert linked(links, "a")[2] == 1
        assert_same_links(links, source.again())


def test_a_page_kept_after_the_hour_in_which_it_was_fetched_is_counted(tmp_path: Path) -> None:
    with followed(tmp_path) as source:
        source.memory.of(KEY)
        source.visit(1, rows("a"))
        source.visit(0.99, rows("b"), f"{KEY}/sport", VisitReason.SECTION)

        assert linked(source.memory.of(KEY), "b") == (1, 1, 0)


def test_what_feeds_list_is_not_where_links_stand_on_pages(tmp_path: Path) -> None:
    with followed(tmp_path) as source:
        source.visit(0, rows("a"))
        source.visit(0, rows("b"), f"{KEY}/feed.xml", VisitReason.FEED)

        assert set(source.memory.of(KEY).urls) == {f"{KEY}/a"}


def test_links_count_from_fixed_moments_on(tmp_path: Path) -> None:
    with followed(tmp_path) as source:
        source.visit(-40, rows("old"))
        source.visit(0, rows("a"))
        assert set(source.memory.of(KEY).urls) == {f"{KEY}/a"}

    span = SPAN * 3600.0
    assert span_start(5 * span + 1, 3600.0) == span_start(6 * span - 1, 3600.0) == 4 * span


def test_at_the_end_of_a_span_older_links_are_forgotten(tmp_path: Path) -> None:
    with followed(tmp_path) as source:
        source.visit(-20, rows("old", "a"))
        source.visit(0, rows("a"))
        assert f"{KEY}/old" in source.memory.of(KEY).urls

        source.desk.clock = VirtualClock(NOW + 24 * HOUR)

        assert set(source.memory.of(KEY).urls) == {f"{KEY}/a"}


def test_targets_that_nothing_links_to_make_room_and_are_counted(tmp_path: Path) -> None:
    with followed(tmp_path) as source:
        source.memory = LinkMemory(source.desk, source.agenda, most_of_one=20)
        source.memory.of(KEY)
        for hour in range(8):
            source.visit(hour / 10, rows(*(f"{hour}-{number}" for number in range(5)), "menu"))

        links = source.memory.of(KEY)

        assert len(links.history) <= 20
        assert linked(links, "menu")[0] == 1
        assert source.desk.progress.skips[str(reasons.OVER_TARGETS)] >= 20


def test_a_source_that_links_to_too_much_is_not_followed_at_all(tmp_path: Path) -> None:
    with followed(tmp_path) as source:
        source.memory = LinkMemory(source.desk, source.agenda, most_of_one=20)
        source.memory.of(KEY)
        source.visit(0, rows(*(str(number) for number in range(30))))

        assert not source.memory.of(KEY).urls
        assert source.desk.progress.skips[str(reasons.OVER_TARGETS)] == 31


def test_sources_that_were_not_asked_for_lately_make_room(tmp_path: Path) -> None:
    other = "other.example"
    with followed(tmp_path) as source:
        source.visit(0, rows(*(str(number) for number in range(30))))
        agenda = Agenda(source.desk, {KEY: SOURCE, other: replace(SOURCE, key=other, url=f"https://{other}/")})
        memory = LinkMemory(source.desk, agenda, most=20)

        assert len(memory.of(KEY).urls) == 30
        memory.of(other)

        assert len(memory) == 0
        assert len(memory.of(KEY).urls) == 30


def test_a_truncated_file_is_a_clear_error(tmp_path: Path) -> None:
    with followed(tmp_path) as source:
        source.visit(0, rows("a", "b"))
        source.desk.commit()
        [file] = (tmp_path / "occurrences").glob("*.parquet")
        file.write_bytes(file.read_bytes()[:-20])

        with pytest.raises(ArchiveError, match=r"occurrences cannot be read .*broadsheet check"):
            source.memory.of(KEY)


def test_a_source_whose_rows_are_damaged_is_judged_plainly_and_counted(tmp_path: Path) -> None:
    target = Target(PageRecord(key=f"{KEY}/a", url=f"{HOME}a", first_seen=NOW), f"{HOME}a", "To a", 1)
    with followed(tmp_path) as source:
        source.visit(0, rows("a", "b"))
        source.desk.commit()
        [file] = (tmp_path / "occurrences").glob("*.parquet")
        file.write_bytes(file.read_bytes()[:-20])
        judge = LinkJudge(JudgeTools(source.desk, source.memory))

        judged = judge(SOURCE, [target])

        assert judged == judge_targets(SOURCE, [target])
        assert source.desk.progress.skips[str(reasons.LINKS_UNREADABLE)] == 1


def test_a_source_without_links_has_no_targets(tmp_path: Path) -> None:
    with followed(tmp_path) as source:
        answer = Exchange(url=HOME, at=NOW, status=200, headers=(), body=b"<p>No links", asked=())
        source.desk.batch.visit(KEY, HOME, (answer,), source=KEY, why=VisitReason.HOME)

        assert not source.memory.of(KEY).urls


def test_a_page_whose_links_were_not_kept_is_unknown_then(tmp_path: Path) -> None:
    with followed(tmp_path) as source:
        source.visit(0, rows("a"))
        answer = Exchange(url=HOME, at=NOW + HOUR, status=200, headers=(), body=b"<p>No links", asked=())
        source.desk.batch.visit(KEY, HOME, (answer,), source=KEY, why=VisitReason.HOME)
        source.visit(2, rows("a"))

        assert linked(source.memory.of(KEY), "a") == (2, 2, 0)
