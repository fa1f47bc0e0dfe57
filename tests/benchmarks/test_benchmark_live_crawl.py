import json
from pathlib import Path

import pytest

pytest.importorskip("scrapy")
pytest.importorskip("fastwarc")

from benchmarks.live_crawl import __main__ as command
from benchmarks.live_crawl.__main__ import LEAST, OURS, PEER, CrawlRun, main, ratios
from benchmarks.live_crawl.articles import draw_articles, front_page, share

from broadsheet.base.errors import InputError
from broadsheet.document import parse

SENTENCE = "The council of the old harbour town has voted to rebuild the pier before the winter storms arrive. "


def article_page(number: int) -> bytes:
    title = f"Council number {number} votes to rebuild the old pier"
    paragraphs = "".join(f"<p>{SENTENCE * 3}</p>" for _ in range(6))
    return f"<html><head><title>{title}</title></head><body><h1>{title}</h1>{paragraphs}</body></html>".encode()


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Six articles, and two pages that must not be served: a section, and an article that is not in UTF-8."""
    html = tmp_path / "corpus" / "html"
    html.mkdir(parents=True)
    rows = []
    for number in range(6):
        (html / f"a{number}.html").write_bytes(article_page(number))
        rows.append(
            {"id": f"a{number}", "page_type": "article", "title": f"Council {number} votes to rebuild the pier"}
        )
    for name, kind in (("front", "section"), ("latin", "article")):
        (html / f"{name}.html").write_bytes("<p>caf\xe9".encode("latin-1"))
        rows.append({"id": name, "page_type": kind})
    (tmp_path / "corpus" / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path / "corpus"


def runs(*seconds: float) -> list[CrawlRun]:
    return [CrawlRun(100, 90, each, each, 2 * each, 0.1) for each in seconds]


def test_all_crawlers_fetch_every_page_and_the_archive_has_the_articles(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # Eight pages are too few to measure speed.
    monkeypatch.setattr(command, "BAR", 0.0)
    target = tmp_path / "live.json"

    code = main(["--pages", str(corpus), "--sites", "2", "--repeat", "1", "--json", str(target)])

    report = json.loads(target.read_text())
    assert code == 0
    for own in report["runs"].values():
        assert [(run["pages"], run["articles"]) for run in own] == [(8, 6)]
        assert all(0 < run["crawler_cpu"] <= run["all_cpu"] for run in own)
    assert {OURS, LEAST} <= report["runs"].keys()
    assert "server's part" in capsys.readouterr().out


@pytest.mark.parametrize(("seconds", "code"), [(1.0, 0), (1.1, 1)])
def test_a_crawl_less_than_three_times_as_fast_as_the_peer_fails(
    corpus: Path, monkeypatch: pytest.MonkeyPatch, seconds: float, code: int
) -> None:
    monkeypatch.setattr(command, "find_spec", lambda _: True)
    monkeypatch.setattr(command, "measure", lambda *_: {OURS: runs(seconds), PEER: runs(3.0), LEAST: runs(1.0)})

    assert main(["--pages", str(corpus)]) == code


def test_the_best_run_of_each_crawler_counts() -> None:
    assert ratios({OURS: runs(4, 2, 3), PEER: runs(9, 8, 6), LEAST: runs(1)}) == {PEER: (3, 3), LEAST: (0.5, 0.5)}


def test_only_articles_in_utf8_are_drawn_and_shared_among_the_sites(corpus: Path) -> None:
    articles = draw_articles(corpus, number=100, seed=1)
    shares = share(articles, 4)

    assert len(articles) == 6
    assert sorted(map(len, shares)) == [1, 1, 2, 2]
    assert {article.path for own in shares for article in own} == {article.path for article in articles}


def test_a_front_page_links_to_its_articles_by_their_headlines(corpus: Path) -> None:
    articles = draw_articles(corpus, number=3, seed=1)

    document = parse(front_page("Site", articles), "http://127.0.0.2/")

    assert list(document.links.urls) == [f"http://127.0.0.2{article.path}" for article in articles]


def test_a_corpus_without_articles_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "labels.jsonl").write_text('{"id": "a", "page_type": "section"}\n')

    with pytest.raises(InputError):
        draw_articles(tmp_path, number=1, seed=1)
    assert main(["--pages", str(tmp_path)]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1
