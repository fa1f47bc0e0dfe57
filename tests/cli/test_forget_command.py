"""Forgetting pages and sources from the command line."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from broadsheet.archive import Store
from broadsheet.cli import exits
from broadsheet.cli.main import main
from broadsheet.newsweb.response import Response
from tests.cli.conftest import Outcome, Terminal
from tests.newsroom.site import HOME, ScriptedSite, article_path, front, story

Run = Callable[..., Outcome]
GONE = HOME.rstrip("/") + article_path(1)


class Keyboard(io.BytesIO):
    """Standard input of somebody who sits at a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def site() -> ScriptedSite:
    pages = {article_path(number): story(f"Story number {number}") for number in range(3)}
    return ScriptedSite({"/": front(*pages), **pages})


@pytest.fixture
def news(tmp_path: Path, site: ScriptedSite) -> Path:
    """An archive of a small site."""
    site.crawl(tmp_path / "news", 1)
    return tmp_path / "news"


def titles(run: Run, news: Path) -> list[str]:
    return sorted(row["title"] for row in run("articles", news).rows)


def test_a_page_is_forgotten_and_listed(run: Run, news: Path) -> None:
    outcome = run("forget", news, GONE, "--because", "asked to", "--yes")

    assert outcome.code == exits.DONE
    assert "1 page, 1 article in 1 version, 1 visit with" in outcome.err
    assert titles(run, news) == ["Story number 0", "Story number 2"]
    [listed] = run("forget", news, "--list").rows
    assert (listed["url"], listed["scope"], listed["because"]) == (GONE, "page", "asked to")
    assert "asked to" in run("forget", news, "--list", terminal=True).out
    assert run("check", news).code == exits.DONE


def test_it_is_asked_for_on_a_terminal_and_refused_elsewhere(run: Run, news: Path) -> None:
    def answered(answer: bytes) -> int:
        return main(["forget", str(news), GONE], Keyboard(answer), Terminal(), Terminal(), {})

    piped = run("forget", news, GONE)

    assert (piped.code, "give --yes" in piped.err) == (exits.USAGE, True)
    assert answered(b"\n") == answered(b"no\n") == answered(b"") == exits.FAILED
    assert len(titles(run, news)) == 3
    assert answered(b"y\n") == exits.DONE
    assert len(titles(run, news)) == 2


def test_its_bytes_are_removed_when_asked_for(run: Run, news: Path, tmp_path: Path) -> None:
    run("forget", news, GONE, "--yes")
    run("export", news, "-o", tmp_path / "before.warc")

    purged = run("forget", news, "--now")

    assert purged.code == exits.DONE
    assert "rewrote " in purged.err
    assert b"Story number 1" not in (tmp_path / "before.warc").read_bytes()
    run("export", news, "-o", tmp_path / "after.warc")
    assert (tmp_path / "after.warc").read_bytes() == (tmp_path / "before.warc").read_bytes()
    assert run("check", news).code == exits.DONE


def test_a_crawl_does_not_fetch_it_again(run: Run, news: Path, site: ScriptedSite) -> None:
    site.pages["/"] = front(*(article_path(number) for number in range(4)))
    site.pages[article_path(3)] = story("Story number 3")
    run("forget", news, GONE, "--yes")
    site.asked.clear()

    progress = site.crawl(news, 2)

    assert article_path(1) not in dict(site.asked)
    assert titles(run, news) == ["Story number 0", "Story number 2", "Story number 3"]
    assert progress.skips["forgotten"] == 1
    assert run("status", news).rows[0]["skips"]["forgotten"] == 1


def test_a_redirect_to_it_is_not_kept(run: Run, news: Path, site: ScriptedSite) -> None:
    run("forget", news, GONE, "--now", "--yes")
    site.pages["/"] = front(article_path(7))
    site.pages[article_path(7)] = lambda _: Response(301, {"Location": GONE}, b"")

    site.crawl(news, 1)

    assert titles(run, news) == ["Story number 0", "Story number 2"]
    with Store.open(news) as archive:
        assert article_path(7) not in {row["page"] for row in archive.visits().to_table().to_pylist()}


def test_a_forgotten_source_cannot_be_added_again(run: Run, news: Path, site: ScriptedSite) -> None:
    outcome = run("forget", news, "gazette.example", "--yes", "--now")

    assert outcome.code == exits.DONE
    assert "the source gazette.example, 4 pages, 3 articles" in outcome.err
    assert titles(run, news) == []
    with pytest.raises(Exception, match="was forgotten on"):
        site.crawl(news, 1)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "name a page or a source"),
        (("--list", "--now"), "--list only lists"),
        (("https://gazette.example/nothing", "--yes"), "contains no page or source"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(run: Run, news: Path, words: tuple[str, ...], said: str) -> None:
    outcome = run("forget", news, *words)

    assert outcome.code != exits.DONE
    assert said in outcome.err
    assert outcome.err.count("\n") == 1
