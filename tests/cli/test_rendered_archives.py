"""Commands on an archive whose articles only scripts write."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from broadsheet.archive import Store
from broadsheet.cli import exits
from tests.archive.samples import harm
from tests.cli.conftest import Outcome
from tests.newsroom.site import ScriptedSite, article_path, front, story
from tests.newsroom.test_scripted_pages import FakeBrowser

Run = Callable[..., Outcome]
PATHS = [article_path(number) for number in range(6)]
SHELL = '<html><head><title>One</title></head><body><div id="app"></div><script>1</script></body></html>'


@pytest.fixture
def news(tmp_path: Path) -> Path:
    """An archive of a site that sends the same empty page for every article."""
    site = ScriptedSite({"/": front(*PATHS)} | dict.fromkeys(PATHS, SHELL))
    site.crawl(tmp_path / "news", 1, renderer=FakeBrowser({path: story(f"Story {path}") for path in PATHS}))
    return tmp_path / "news"


def titles(news: Path) -> set[str | None]:
    with Store.open(news) as archive:
        assert harm(archive) == []
        return {stored.article.title for stored in archive.articles()}


def test_reading_again_reads_what_the_scripts_wrote(run: Run, news: Path) -> None:
    outcome = run("reread", news, "--set", "newsroom.workers=1")

    [row] = outcome.rows
    assert outcome.code == exits.DONE
    assert (row["pages"], row["texts_changed"], row["kinds_changed"]) == (6, 0, 0)


def test_a_repair_without_a_catalogue_reads_what_the_scripts_wrote(run: Run, news: Path) -> None:
    before = titles(news)
    (news / "catalogue.sqlite").unlink()

    run("repair", news)

    assert titles(news) == before
    assert len(before) == 6


def test_raw_pages_come_as_received_and_as_their_scripts_left_them(run: Run, news: Path, tmp_path: Path) -> None:
    run("export", news, "--raw", "--kind", "article", "-o", tmp_path / "raw")

    lines = [json.loads(line) for line in (tmp_path / "raw" / "index.jsonl").read_text().splitlines()]
    assert len(lines) == 6
    for line in lines:
        assert (tmp_path / "raw" / line["file"]).read_text() == SHELL
        assert "Story" in (tmp_path / "raw" / line["rendered"]).read_text()
