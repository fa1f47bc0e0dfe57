"""A crawl applies keep rules while it runs, so that an archive stays bounded."""

import logging
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from benchmarks.keeping import START, Paper, month

from broadsheet.archive import ArchiveError, ArchiveTakenOver, SourceRecord, Store, TidyPlan, Writer
from broadsheet.archive.catalogued_files import FileRow
from broadsheet.archive.file_shares import FileShare
from broadsheet.archive.parquet_files import REMOVED
from broadsheet.archive.pruning import NO_VISITS
from broadsheet.base.clock import ManualClock
from broadsheet.base.keep_rules import KeepRule
from broadsheet.base.newsroom_settings import NewsroomSettings
from broadsheet.base.source_settings import SourceSettings
from broadsheet.newsroom.archive_tidying import MIN_WAIT, Tidying
from broadsheet.newsroom.archiving import Archive
from broadsheet.newsroom.assignment import Assignment
from broadsheet.simulation.simulated_crawl import simulate
from tests.newsroom import site
from tests.newsroom.steered import Papers

pytestmark = pytest.mark.long

HOUR = timedelta(hours=1)
#: Without articles, all of the growth is what a rule can remove.
DAYS, SCALE, HOURS = 30, 100, 6


def warc_bytes(folder: Path, rule: str) -> list[int]:
    return [found["warc"] for found in month(folder, [Paper(1, SCALE, publishes=False)], rule, DAYS, SCALE, HOURS)]


def test_a_month_stays_bounded_with_a_rule_and_grows_without(tmp_path: Path) -> None:
    bounded, growing = warc_bytes(tmp_path / "bounded", "fronts 3d"), warc_bytes(tmp_path / "growing", "everything")

    third = DAYS // 3
    assert max(bounded[third:]) < 1.5 * max(bounded[:third])
    assert growing[-1] > 2.5 * growing[third - 1]
    assert bounded[-1] < growing[-1] / 3
    with Store.open(tmp_path / "bounded") as archive:
        [status] = archive.status().sources
        assert status.removed["fronts"].number > 500
        assert status.visits == archive.visits().count_rows()
        assert list(archive.check()) == []


def test_a_crawl_removes_what_is_old_and_keeps_every_article(tmp_path: Path) -> None:
    settings = NewsroomSettings(revisits="never", feeds=False, keep="fronts 4h", pace="fixed")
    assignment = Assignment(("https://paper0.example/",), every=3600.0, snapshots=24)
    simulate(tmp_path / "news", Papers().fetch, site.START, assignment, settings=settings)

    with Store.open(tmp_path / "news") as archive:
        rows = archive.visits().to_table().to_pylist()
        homes = [row for row in rows if row["page"] == "paper0.example"]
        left = [row for row in homes if row["warc"] != REMOVED]
        assert len(homes) == 24
        assert 4 <= len(left) < 20
        assert left[-1]["visit"] == homes[-1]["visit"]
        articles = list(archive.articles())
        assert len(articles) > 15
        assert all(archive.exchange(stored).body for stored in articles)
        assert [problem for problem in archive.check() if not problem.harmless] == []


def test_a_crawl_keeps_to_a_size_without_losing_an_article(tmp_path: Path) -> None:
    def crawled(name: str, max_size: int) -> int:
        settings = NewsroomSettings(revisits="never", feeds=False, max_size=max_size)
        assignment = Assignment(("https://paper0.example/",), every=3600.0, snapshots=30)
        simulate(tmp_path / name, Papers().fetch, site.START, assignment, settings=settings)
        with Store.open(tmp_path / name) as archive:
            assert [problem for problem in archive.check() if not problem.harmless] == []
            return len(list(archive.articles()))

    assert crawled("bounded", 1_000) == crawled("unbounded", 0)
    with Store.open(tmp_path / "bounded") as archive:
        [status] = archive.status().sources
        assert status.removed["fronts"].number > 10


class Looks:
    """A writer that counts how often it is asked for a plan."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self.number = 0
        self.error: Exception | None = None

    def sources(self) -> object:
        return self._writer.sources()

    def plan_tidying(self, default: KeepRule, max_bytes: int) -> object:
        self.number += 1
        if self.error:
            raise self.error
        return self._writer.plan_tidying(default, max_bytes)

    def tidy_events(self, plan: TidyPlan) -> None:
        self._writer.tidy_events(plan)


@pytest.fixture
def looks(tmp_path: Path) -> Iterator[Looks]:
    with Store.open(tmp_path / "news", create=True) as archive, archive.writer() as writer:
        yield Looks(writer)


def test_the_archive_is_looked_through_now_and_then_only(looks: Looks) -> None:
    clock = ManualClock(START)
    tidying = Tidying(looks, clock, KeepRule.parse("fronts 2d"))  # type: ignore[arg-type]

    for _ in range(60 * 10):
        tidying.step()
        clock.advance(timedelta(minutes=1))

    assert looks.number == 2


def test_a_large_archive_is_looked_through_more_rarely(looks: Looks, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, seconds = ManualClock(START), iter(range(0, 10_000, 60))
    monkeypatch.setattr("broadsheet.newsroom.archive_tidying.time.process_time", lambda: float(next(seconds)))
    tidying = Tidying(looks, clock, KeepRule.parse("fronts 1h"))  # type: ignore[arg-type]

    for _ in range(3 * 60):
        tidying.step()
        clock.advance(timedelta(minutes=1))

    # Each look takes a minute, so there is one in 50 minutes.
    assert looks.number == 4


class ManyOldFiles:
    """A writer that always plans to remove all of some files, and notes which of them it is told to rewrite."""

    def __init__(self) -> None:
        self.rewritten: list[str] = []

    def sources(self) -> list[SourceRecord]:
        return []

    def plan_tidying(self, default: KeepRule, max_bytes: int) -> TidyPlan:
        del default, max_bytes
        files = [
            FileShare(FileRow(number, kind, f"{kind} {number}", 100, 1, number, number, None), 1.0, 1.0, {})
            for number, kind in enumerate(["warc"] * 5 + ["occurrences"] * 5)
        ]
        return TidyPlan([share for share in files if share.file.name not in self.rewritten], NO_VISITS, NO_VISITS)

    def tidy_events(self, plan: TidyPlan) -> None:
        del plan

    def tidy_file(self, plan: TidyPlan, share: FileShare) -> bool:
        del plan
        self.rewritten.append(share.file.name)
        return True


def test_at_most_one_file_of_each_kind_is_rewritten_after_a_commit() -> None:
    writer, clock = ManyOldFiles(), ManualClock(START)
    tidying = Tidying(writer, clock, KeepRule.parse("fronts 2d"))  # type: ignore[arg-type]

    numbers = []
    for _ in range(6):
        tidying.step()
        clock.advance(timedelta(minutes=1))
        numbers.append(len(writer.rewritten))

    assert numbers == [2, 4, 6, 8, 10, 10]


def test_nothing_is_looked_through_without_a_rule_until_there_is_one(looks: Looks) -> None:
    clock = ManualClock(START)
    tidying = Tidying(looks, clock, KeepRule())  # type: ignore[arg-type]
    tidying.step()
    clock.advance(MIN_WAIT)
    paper = Paper(1, SCALE).source()
    batch = looks._writer.batch()
    batch.source(replace(paper, settings=SourceSettings(keep="fronts 1h")))
    looks._writer.commit(batch)
    before = looks.number

    tidying.step()

    assert (before, looks.number) == (0, 1)


def test_a_failure_does_not_end_the_crawl_but_a_takeover_does(looks: Looks, caplog: pytest.LogCaptureFixture) -> None:
    tidying = Tidying(looks, ManualClock(START), KeepRule.parse("fronts 2d"))  # type: ignore[arg-type]
    looks.error = ArchiveError("the disk is full")
    with caplog.at_level(logging.WARNING):
        tidying.step()
    assert "could not be removed: the disk is full" in caplog.text

    tidying = Tidying(looks, ManualClock(START), KeepRule.parse("fronts 2d"))  # type: ignore[arg-type]
    looks.error = ArchiveTakenOver("somebody else writes")
    with pytest.raises(ArchiveTakenOver):
        tidying.step()


def test_python_offers_the_same(tmp_path: Path) -> None:
    list(month(tmp_path / "news", [Paper(1, SCALE)], "everything", 2, SCALE, HOURS))
    with Archive(tmp_path / "news") as archive:
        archive.set("paper1.example", keep="other 1h")
        planned = archive.tidy("fronts 1d", dry_run=True)
        own = archive.tidy("fronts 1d")
        archive.set("paper1.example", keep=None)
        rest = archive.tidy("fronts 1d, links 1d")

        assert {kind for _, kind in planned.removed} == {kind for _, kind in own.removed} <= {"other"}
        assert {kind for _, kind in rest.removed} == {"fronts", "links"}
        assert rest.bytes > 0
        assert list(archive.store.check()) == []
