"""Repairing and unlocking an archive from the command line."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from broadsheet.cli import exits
from tests.cli.conftest import Outcome
from tests.newsroom.site import ScriptedSite, article_path, front, story

Run = Callable[..., Outcome]


@pytest.fixture
def news(tmp_path: Path) -> Path:
    """An archive of a small site."""
    pages = {article_path(number): story(f"Story number {number}") for number in range(3)}
    ScriptedSite({"/": front(*pages), **pages}).crawl(tmp_path / "news", 1)
    return tmp_path / "news"


def test_a_missing_catalogue_is_rebuilt(run: Run, news: Path) -> None:
    for path in news.glob("catalogue.*"):
        path.unlink()

    refused = run("check", news)
    repaired = run("repair", news)
    checked = run("check", news)

    assert refused.code == exits.FAILED
    assert "broadsheet repair" in refused.err
    assert repaired.code == exits.DONE
    assert json.loads(repaired.out)["articles"] == 3
    assert checked.code == exits.DONE


def test_what_cannot_be_recovered_is_reported(run: Run, news: Path) -> None:
    for path in (news / "warc").iterdir():
        path.unlink()

    repaired = run("repair", news)

    assert repaired.code == exits.SOME_FAILED
    assert any(article_path(1) in line for line in json.loads(repaired.out)["lost"])
    assert article_path(1) in repaired.err


def test_a_damaged_article_is_reported_and_the_others_are_listed(run: Run, news: Path) -> None:
    with closing(sqlite3.connect(news / "catalogue.sqlite")) as connection, connection:
        connection.execute("UPDATE versions SET article = 'x' WHERE key LIKE '%number-1-%'")

    listed = run("articles", news)
    exported = run("export", news, "-f", "csv", "-o", news.parent / "news.csv")

    assert listed.code == exported.code == exits.SOME_FAILED
    assert [json.loads(line)["title"] for line in listed.out.splitlines()] == ["Story number 0", "Story number 2"]
    assert "number-1-of-all, version 1: its row in the catalogue is damaged" in listed.err


def test_a_folder_that_is_not_an_archive_is_not_repaired(run: Run, tmp_path: Path) -> None:
    outcome = run("repair", tmp_path)

    assert outcome.code == exits.FAILED
    assert outcome.err == f"broadsheet: {tmp_path}: is not an archive (it has no catalogue.sqlite)\n"
    assert list(tmp_path.iterdir()) == []


def test_an_unlocked_archive_needs_no_unlocking(run: Run, news: Path) -> None:
    outcome = run("unlock", news)

    assert outcome.code == exits.DONE
    assert outcome.err == f"broadsheet: {news}: not locked\n"
