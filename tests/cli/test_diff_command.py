"""Versions of articles: what changed, which articles were revised, and which are gone."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from broadsheet.archive import ArchiveEvent, EventKind, Store
from tests.archive.samples import FETCHED, NOON, SOURCE, article, exchange, member, page
from tests.cli.conftest import Outcome

Run = Callable[..., Outcome]

URL = "https://news.example/a"
TEXTS = (
    ("Draft", "The bridge is closed today.\n\nNobody was hurt."),
    ("Draft", "The bridge is closed today.\n\nNobody was hurt.\n\nMore soon."),
    ("Final", "The bridge is open again today.\n\nNobody was hurt."),
)


@pytest.fixture
def news(tmp_path: Path) -> Path:
    """An archive with an article in three versions, and two that are gone, one of which came back."""
    with Store.open(tmp_path / "news", create=True) as archive, archive.writer() as writer:
        batch = writer.batch()
        batch.source(SOURCE)
        for number, (title, body) in enumerate(TEXTS):
            answer = replace(exchange(str(number).encode(), URL), at=NOON + timedelta(hours=number))
            batch.page(page("news.example/a", fetch=FETCHED))
            visit = batch.visit("news.example/a", URL, (answer,), source=SOURCE.key)
            batch.article("news.example/a", SOURCE.key, article(title, body), visit=visit)
        batch.member(member("news.example/a"))
        for name in ("gone", "back"):
            key = f"news.example/{name}"
            batch.page(page(key, fetch=FETCHED))
            visit = batch.visit(key, f"https://{key}", (exchange(name.encode()),), source=SOURCE.key)
            batch.article(key, SOURCE.key, article(name), visit=visit)
            batch.event(event(EventKind.DELETION, key, how="404"))
        batch.event(event(EventKind.RETURN, "news.example/back"))
        batch.event(event(EventKind.NEW_ARTICLE, "news.example/a", title="Draft"))
        changed = {"changed": ["title", "text"], "words_added": 3, "words_removed": 2, "version": 3}
        batch.event(event(EventKind.REVISION, "news.example/a", **changed))
        writer.commit(batch)
    return tmp_path / "news"


def event(kind: EventKind, key: str, **detail: object) -> ArchiveEvent:
    return ArchiveEvent(kind=kind, at=NOON, source=SOURCE.key, page=key, detail=detail)


def test_the_last_two_versions_are_compared_word_by_word(run: Run, news: Path) -> None:
    outcome = run("diff", news, URL)

    assert outcome.code == 0
    assert outcome.out == (
        "--- version 2, fetched 2026-03-02 13:00 UTC\n"
        "+++ version 3, fetched 2026-03-02 14:00 UTC\n"
        "changed: title, text; words added: 3, removed: 4\n"
        "\ntitle\n"
        "- [-Draft-]\n"
        "+ {+Final+}\n"
        "\ntext\n"
        "~ The bridge is [-closed-] {+open again+} today.\n"
        "  (1 unchanged paragraph)\n"
        "- [-More soon.-]\n"
    )


def test_any_two_versions_can_be_compared(run: Run, news: Path) -> None:
    assert "+ {+More soon.+}" in run("diff", news, URL, "--from", "1", "--to", "2").out
    assert "--- version 1," in run("diff", news, URL, "--from", "1").out
    assert "--- version 1," in run("diff", news, URL, "--to", "2").out


def test_a_terminal_shows_changes_in_colour_unless_it_has_none(run: Run, news: Path) -> None:
    coloured = run("diff", news, URL, terminal=True, environment={"TERM": "xterm"}).out
    plain = run("diff", news, URL, terminal=True, environment={"TERM": "xterm", "NO_COLOR": "1"}).out

    assert "is \x1b[9;31mclosed\x1b[0m \x1b[4;32mopen again\x1b[0m today." in coloured
    assert "[-" not in coloured
    assert "[-closed-] {+open again+}" in plain


def test_two_columns_show_the_older_text_on_the_left(run: Run, news: Path) -> None:
    out = run("diff", news, URL, "--side-by-side", terminal=True).out

    [line] = [line for line in out.splitlines() if "closed" in line]
    assert line == "The bridge is [-closed-] today." + " " * 17 + " | The bridge is {+open again+} today."
    assert "[-More soon.-]" + " " * 34 + " |\n" in out


def test_two_columns_wrap_and_never_run_over(run: Run, tmp_path: Path) -> None:
    with Store.open(tmp_path / "news", create=True) as archive, archive.writer() as writer:
        batch = writer.batch()
        batch.source(SOURCE)
        batch.page(page("news.example/a", fetch=FETCHED))
        for number, word in enumerate(("東京", "大阪")):
            visit = batch.visit("news.example/a", URL, (exchange(str(number).encode(), URL),), source=SOURCE.key)
            body = f"{word} " * 40 + "same words " * 40
            batch.article("news.example/a", SOURCE.key, article("Title", body), visit=visit)
        writer.commit(batch)

    lines = run("diff", tmp_path / "news", URL, "--side-by-side", terminal=True).out.splitlines()

    sides = [line.partition(" | ") for line in lines if " | " in line]
    assert len(sides) > 5
    assert all(len(left) + sum(map(left.count, "東京大阪")) == 48 for left, _, _ in sides)


def test_differences_can_be_json_lines(run: Run, news: Path) -> None:
    rows = run("diff", news, URL, "-f", "jsonl", terminal=True).rows

    assert [(row["part"], row["before"], row["after"]) for row in rows] == [
        ("title", "Draft", None),
        ("title", None, "Final"),
        ("text", "The bridge is closed today.", "The bridge is open again today."),
        ("text", "More soon.", None),
    ]
    assert {(row["key"], row["from"], row["to"]) for row in rows} == {("news.example/a", 2, 3)}
    assert (rows[2]["words_removed"], rows[2]["words_added"]) == (1, 2)


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (("https://news.example/missing",), 1, "contains no article at https://news.example/missing"),
        (("https://news.example/gone",), 1, "has only one version, so there is nothing to compare it with"),
        ((URL, "--to", "1"), 1, "has no version before 1, so there is nothing to compare it with"),
        ((URL, "--from", "7"), 1, "has no version 7, only 1 to 3"),
        ((URL, "--from", "3", "--to", "2"), 2, "--from 3 is not older than --to 2"),
        ((URL, "--unified", "--side-by-side"), 2, "not allowed with argument"),
    ],
)
def test_what_cannot_be_compared_gets_one_line(
    run: Run, news: Path, options: tuple[str, ...], code: int, message: str
) -> None:
    outcome = run("diff", news, *options)

    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (code, "", 1)
    assert message in outcome.err


def test_text_of_a_page_cannot_control_the_terminal(run: Run, tmp_path: Path) -> None:
    with Store.open(tmp_path / "news", create=True) as archive, archive.writer() as writer:
        batch = writer.batch()
        batch.source(SOURCE)
        batch.page(page("news.example/a", fetch=FETCHED))
        for number, body in enumerate(("calm", "\x1b]0;evil\x07 \x1b[2J")):
            visit = batch.visit("news.example/a", URL, (exchange(str(number).encode(), URL),), source=SOURCE.key)
            batch.article("news.example/a", SOURCE.key, article("Title", body), visit=visit)
        writer.commit(batch)

    for layout in ("--unified", "--side-by-side"):
        out = run("diff", tmp_path / "news", URL, layout, terminal=True, environment={"TERM": "xterm"}).out
        assert "evil" in out
        assert "\x1b]0" not in out
        assert "\x1b[2J" not in out


def test_revised_articles_are_listed_by_their_last_change(run: Run, news: Path) -> None:
    [row] = run("articles", news, "--revised").rows
    shown = run("articles", news, "--revised", terminal=True).out

    assert (row["key"], row["versions"], row["last_change"]) == ("news.example/a", 3, "2026-03-02T14:00:00+00:00")
    assert "Final" in shown
    assert run("articles", news, "--revised", "--search", "nothing").rows == []


def test_articles_that_are_gone_are_listed_with_how_they_went(run: Run, news: Path) -> None:
    [row] = run("articles", news, "--gone").rows

    assert (row["key"], row["event"], row["what"]) == ("news.example/gone", "deletion", "404")
    assert "404" in run("articles", news, "--gone", terminal=True).out


def test_one_article_is_shown_with_its_history(run: Run, news: Path) -> None:
    [row] = run("article", news, URL).rows
    shown = run("article", news, URL, terminal=True).out

    assert [each["event"] for each in row["history"]] == ["new article", "revision"]
    assert row["history"][1]["what"] == "title, text; words added: 3, removed: 2"
    assert "words added: 3, removed: 2" in shown
