"""Reading archived pages again with other models, from the command line."""

import os
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from broadsheet.archive import RereadRecord, RereadSelection, Store, repair
from broadsheet.base.clock import SystemClock
from broadsheet.cli import exits
from broadsheet.newsroom import archive_reread
from broadsheet.newsroom.line import FilterSettings
from broadsheet.newsroom.supervision import filter_pool
from tests.archive.processes import context
from tests.archive.rereaders import NothingRead
from tests.archive.samples import harm
from tests.cli.conftest import Outcome
from tests.newsroom.site import HOME, ScriptedSite, article_path, front, story

Run = Callable[..., Outcome]
KEYS = [f"gazette.example{article_path(number)}" for number in range(6)]


@pytest.fixture
def news(tmp_path: Path) -> Path:
    """An archive of a small site."""
    pages = {article_path(number): story(f"Story number {number}") for number in range(6)}
    ScriptedSite({"/": front(*pages), **pages}).crawl(tmp_path / "news", 1)
    return tmp_path / "news"


def reread(run: Run, news: Path, *options: str) -> Outcome:
    """Read an archive again in one process beside this one."""
    return run("reread", news, *options, "--set", "newsroom.workers=1")


def pretend_older_models(news: Path) -> None:
    """Let the archive say that another model read and judged everything, and one text otherwise."""
    with Store.open(news) as archive, archive.writer() as writer:
        batch = writer.batch()
        [old] = archive.versions(KEYS[1])
        batch.article(KEYS[1], old.source, replace(old.article, title="What an older model read"), visit=old.visit)
        writer.commit(batch)
    with closing(sqlite3.connect(news / "catalogue.sqlite")) as connection, connection:
        connection.execute("UPDATE verdicts SET model = 'older', kind = 'other' WHERE page = ?", (KEYS[2],))


def test_nothing_changes_where_the_models_are_the_same(run: Run, news: Path) -> None:
    outcome = reread(run, news)

    [row] = outcome.rows
    assert outcome.code == exits.DONE
    assert (row["pages"], row["texts_changed"], row["new_articles"], row["kinds_changed"]) == (6, 0, 0, 0)
    with Store.open(news) as archive:
        assert {stored.version for stored in archive.articles()} == {1}
        assert harm(archive) == []


def test_a_text_that_differs_is_a_version_marked_as_reread(run: Run, news: Path) -> None:
    pretend_older_models(news)

    [row] = reread(run, news).rows

    with Store.open(news) as archive:
        first, older, again = archive.versions(KEYS[1])
        assert [first.reread_at, older.reread_at] == [None, None]
        assert again.reread_at is not None
        assert (again.article.title, again.visit, again.model) == (first.article.title, first.visit, first.model)
        assert archive.events() == [event for event in archive.events() if event.kind != "revision"]
        assert archive.arrivals(again.visit) == archive.arrivals(first.visit)
        assert harm(archive) == []
    assert (row["texts_changed"], row["kinds_changed"]) == (1, 1)
    assert {"url": HOME.rstrip("/") + article_path(1), "change": "title changed"} in row["examples"]
    [shown] = run("article", news, KEYS[1]).rows
    assert [bool(version["reread_at"]) for version in shown["versions"]] == [False, False, True]


def test_the_old_verdict_is_kept(run: Run, news: Path) -> None:
    pretend_older_models(news)

    reread(run, news)

    with Store.open(news) as archive:
        [earlier] = archive.earlier_verdicts(KEYS[2])
        now = archive.verdict(KEYS[2])
        assert (earlier.verdict.kind, earlier.verdict.model) == ("other", "older")
        assert now is not None
        assert now.kind == "article"


def test_pages_can_be_selected(run: Run, news: Path) -> None:
    pretend_older_models(news)

    assert reread(run, news, "--only-model", "older").rows[0]["pages"] == 1
    assert reread(run, news, "--since", "2026-03-03").rows[0]["pages"] == 0
    assert reread(run, news, "--source", "gazette.example").rows[0]["pages"] == 6
    assert reread(run, news, "--source", "other.example").code == exits.FAILED
    assert "there is no reader 'nothing'" in reread(run, news, "--reader", "nothing").err


def test_another_reader_is_named_as_the_model(run: Run, news: Path) -> None:
    pretend_older_models(news)

    reread(run, news, "--reader", "coreex")

    with Store.open(news) as archive:
        assert archive.versions(KEYS[1])[-1].model == "coreex"


def test_the_same_run_is_not_done_twice_unless_asked_for(run: Run, news: Path) -> None:
    reread(run, news)

    again, anew = reread(run, news), reread(run, news, "--again")

    assert "already done on" in again.err
    assert again.rows[0]["pages"] == 6
    assert "already done" not in anew.err


def test_what_a_repair_finds_says_what_was_reread(run: Run, news: Path) -> None:
    pretend_older_models(news)
    reread(run, news)
    with Store.open(news) as archive:
        before = archive.versions(KEYS[1])

    repair(news, NothingRead(), SystemClock(), lambda _: None)

    with Store.open(news) as archive:
        assert archive.versions(KEYS[1]) == before
        assert len(archive.earlier_verdicts(KEYS[2])) == 1
        assert harm(archive) == []
    assert "already done on" in reread(run, news).err


def reread_and_die(news: str, after: int) -> None:
    """Read an archive again, with a commit after every two pages, and be killed after some pages."""
    archive_reread.COMMIT_PAGES = 2
    settings = FilterSettings()
    selection, name = RereadSelection(), archive_reread.run_name("default", "None", "", "")
    record = RereadRecord(name=name, began_at=SystemClock().now())

    def report(summary: archive_reread.RereadSummary) -> None:
        if summary.pages >= after:
            os.kill(os.getpid(), signal.SIGKILL)

    with Store.open(news) as archive, archive.writer() as writer:
        archive_reread.ArchiveReread(
            archive,
            writer,
            filter_pool(settings, workers=1),
            record=record,
            selection=selection,
            max_decompressed_bytes=10_000_000,
            clock=SystemClock(),
        ).run(report)


def test_a_run_that_was_killed_goes_on_where_it_stopped(run: Run, news: Path) -> None:
    pretend_older_models(news)
    child = context.Process(target=reread_and_die, args=(str(news), 5))
    child.start()
    child.join(600)
    assert child.exitcode == -signal.SIGKILL

    outcome = reread(run, news)

    [row] = outcome.rows
    assert "resuming the run of" in outcome.err
    assert (row["pages"], row["texts_changed"], row["kinds_changed"]) == (6, 1, 1)
    with Store.open(news) as archive:
        assert [stored.version for stored in archive.versions(KEYS[1])] == [1, 2, 3]
        assert harm(archive) == []
