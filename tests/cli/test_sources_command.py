"""`broadsheet sources` on an archive that no crawl runs on."""

from collections.abc import Callable
from pathlib import Path

import pytest

from broadsheet.archive import Store
from broadsheet.cli import exits
from tests.cli.conftest import Outcome

Run = Callable[..., Outcome]


def test_sources_are_added_changed_listed_and_exported(run: Run, tmp_path: Path) -> None:
    news = tmp_path / "news"

    added = run("sources", "add", news, "news.example", "http://other.example/?a=b", "every=30m", "tags=a,b")
    assert (added.code, added.err) == (
        exits.DONE,
        "broadsheet: added news.example\nbroadsheet: added other.example?a=b\n",
    )
    assert run("sources", "set", news, "news.example", "tags=", "language=de", "verify_tls=no").err == (
        "broadsheet: changed news.example: language: default -> de; tags: a, b -> none; verify_tls: yes -> no\n"
    )
    assert run("sources", "pause", news, "news.example").err == "broadsheet: paused news.example\n"

    rows = {row["source"]: row for row in run("sources", "list", news).rows}
    assert rows["news.example"]["state"] == "paused"
    assert (rows["news.example"]["every"], rows["news.example"]["language"]) == (1800.0, "de")
    assert [row["source"] for row in run("sources", "list", news, "--tag", "a").rows] == ["other.example?a=b"]
    exported = run("sources", "export", news, "--state", "paused")
    assert exported.out == (
        '[[source]]\nhome = "https://news.example/"\nevery = 1800\nlanguage = "de"\nverify_tls = false\n'
    )
    (tmp_path / "sources.toml").write_text(exported.out, encoding="utf-8")
    applied = run("sources", "apply", news, tmp_path / "sources.toml", "--prune")
    assert applied.err == "broadsheet: paused other.example?a=b\nbroadsheet: left alone: news.example\n"


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("pause", "nowhere.example"), exits.FAILED, "the archive does not follow nowhere.example; its sources are"),
        (("pause",), exits.USAGE, "sources pause needs a SITE after the archive"),
        (("set", "news.example"), exits.USAGE, "sources set needs a SITE and a setting such as every=30m"),
        (("set", "news.example", "evry=1h"), exits.FAILED, "unknown setting 'evry' of a source; did you mean 'every'?"),
        (("set", "news.example", "every=soon"), exits.FAILED, "every must be a duration such as 90s, 30m, 1h or 2d"),
        (
            ("pause", "news.example", "every=1h"),
            exits.USAGE,
            "sources pause takes sites, not settings such as every=1h",
        ),
        (("pause", "news.example", "nowhere.example"), exits.SOME_FAILED, "the archive does not follow nowhere"),
    ],
)
def test_a_mistake_gets_one_clear_line(
    run: Run, tmp_path: Path, words: tuple[str, ...], code: int, message: str
) -> None:
    run("sources", "add", tmp_path / "news", "news.example")
    action, *rest = words

    outcome = run("sources", action, tmp_path / "news", *rest)

    assert outcome.code == code
    assert message in outcome.err.splitlines()[-1]


def test_a_crawl_that_does_not_run_cannot_be_stopped(run: Run, tmp_path: Path) -> None:
    Store.open(tmp_path / "news", create=True).close()

    stopped = run("crawl", tmp_path / "news", "--stop")

    assert (stopped.code, stopped.err) == (exits.DONE, f"broadsheet: no crawl runs on {tmp_path / 'news'}\n")
