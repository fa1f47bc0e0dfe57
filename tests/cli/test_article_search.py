"""`articles`: by words with snippets, section, author, language, tag and day."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from broadsheet.archive import Store
from broadsheet.base.source_settings import SourceSettings
from tests.archive.samples import NOON, OTHER, SOURCE, article, exchange, member, page
from tests.cli.conftest import Outcome

Run = Callable[..., Outcome]

ARTICLES: dict[str, dict[str, Any]] = {
    "news.example/bridge": {
        "title": "The bridge opens",
        "body": "At last the harbour bridge is open. The toll is low.",
        "authors": ("Ann Smith", "Bo Ek"),
        "language": "en-GB",
        "section": "World News",
    },
    "news.example/tunnel": {
        "title": "A tunnel",
        "body": "No bridge over the old harbour was ever built.",
        "authors": ("Cy Smithson",),
        "language": "en",
        "section": "Sport",
    },
    "other.example/bruecke": {"title": "Die Brücke", "body": "Die Brücke im Hafen.", "language": "de-AT"},
    "other.example/tokyo": {"title": "東京の橋", "body": "新しい橋が東京に開通した。", "language": "ja"},
}


@pytest.fixture
def news(tmp_path: Path) -> Path:
    """Two sources, one with a tag, and four articles a day apart, the first of them the newest."""
    with Store.open(tmp_path / "news", create=True) as archive, archive.writer() as writer:
        batch = writer.batch()
        batch.source(SOURCE)
        batch.source(replace(OTHER, settings=SourceSettings(tags=("foreign", "daily"))))
        for key in ("news.example", "news.example/world"):
            batch.page(page(key))
        for number, (key, values) in enumerate(ARTICLES.items()):
            source = key.partition("/")[0]
            batch.page(page(key))
            front = "news.example/world" if key == "news.example/bridge" else source
            batch.member(member(key, source=source, found_on=front))
            visit = batch.visit(key, f"https://{key}", (exchange(key.encode()),), source=source)
            batch.article(key, source, article(**values, published=NOON - timedelta(days=number)), visit=visit)
        writer.commit(batch)
    return tmp_path / "news"


@pytest.mark.parametrize(
    ("options", "found"),
    [
        (("--search", "bridge harbour"), ["bridge", "tunnel"]),
        (("--search", '"harbour bridge"'), ["bridge"]),
        (("--search", "bridge -toll"), ["tunnel"]),
        (("--search", "harb*", "--author", "smithson"), ["tunnel"]),
        (("--search", "BRUCKE"), ["bruecke"]),
        (("--search", "東京"), ["tokyo"]),
        (("--search", "京東"), []),
        (("--author", "smith"), ["bridge"]),
        (("--author", "bo ek"), ["bridge"]),
        (("--language", "en"), ["bridge", "tunnel"]),
        (("--language", "de-AT"), ["bruecke"]),
        (("--section", "world news"), ["bridge"]),
        (("--section", "https://news.example/world"), ["bridge"]),
        (("--section", "news.example"), ["tunnel"]),
        (("--tag", "daily"), ["bruecke", "tokyo"]),
        (("--tag", "daily", "--search", "hafen"), ["bruecke"]),
        (("--tag", "none"), []),
        (("--source", "news.example", "--tag", "daily"), []),
        (("--source", "other.example", "--limit", "1"), ["bruecke"]),
        (("--day", "2026-03-01"), ["tunnel"]),
        (("--search", "bridge", "--day", "2026-03-02"), ["bridge"]),
    ],
)
def test_articles_are_selected(run: Run, news: Path, options: tuple[str, ...], found: list[str]) -> None:
    rows = run("articles", news, *options).rows

    assert [row["key"].partition("/")[2] for row in rows] == found


def test_a_search_shows_where_the_words_stand(run: Run, news: Path) -> None:
    piped = run("articles", news, "--search", '"harbour bridge"')
    shown = run("articles", news, "--search", "tunnel", terminal=True)

    assert piped.rows[0]["snippet"] == "At last the [harbour bridge] is open. The toll is low."
    assert "A [tunnel]" in shown.out
    assert "snippet" not in run("articles", news).rows[0]


def test_the_best_match_comes_first_if_asked_for(run: Run, news: Path) -> None:
    newest = run("articles", news, "--search", "harbour").rows
    best = run("articles", news, "--search", "harbour", "--best").rows

    assert sorted(row["key"] for row in newest) == sorted(row["key"] for row in best)
    assert run("articles", news, "--best").code == 2


@pytest.mark.parametrize(
    "options", [("--search", "-not"), ("--author", "?"), ("--day", "today", "--since", "2d"), ("--language", "-")]
)
def test_options_that_select_nothing_sensible_are_refused(run: Run, news: Path, options: tuple[str, ...]) -> None:
    outcome = run("articles", news, *options)

    assert (outcome.code, outcome.err.count("\n")) == (2, 1)


def test_exports_take_the_same_options(run: Run, news: Path, tmp_path: Path) -> None:
    run("export", news, "-o", tmp_path / "out.jsonl", "--author", "smith", "--search", '"harbour bridge"')

    assert (tmp_path / "out.jsonl").read_text(encoding="utf-8").count("\n") == 1
