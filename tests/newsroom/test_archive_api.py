"""The archive as a Python program uses it."""

import json
from pathlib import Path

import broadsheet
from broadsheet.base.manners import Manners
from tests.newsroom.program import serving
from tests.newsroom.site import article_path, front, story

PAGES = {
    "/": front(article_path(1), article_path(2)),
    article_path(1): story("one"),
    article_path(2): story("two"),
}
LOOPBACK = Manners(delay=0.0, allow_networks="127.0.0.0/8")


def test_a_program_crawls_twice_and_gets_every_article_once(tmp_path: Path) -> None:
    with serving(PAGES) as site, broadsheet.Archive(tmp_path / "news") as archive:
        archive.add(site.url, every=1.0)
        first = [article.title for article in archive.crawl(snapshots=1, manners=LOOPBACK)]
        site.pages["/"] = front(article_path(3))
        site.pages[article_path(3)] = story("three")
        second = [article.title for article in archive.crawl(snapshots=1, manners=LOOPBACK)]

        assert sorted(map(str, first)) == ["one", "two"]
        assert second == ["three"]
        assert {article.title for article in archive.articles()} == {"one", "two", "three"}
        assert [section.url for section in archive.sections()] == [site.url]
        verdict = archive.verdict(site.url + article_path(1)[1:])
        assert verdict is not None
        assert verdict.kind == "article"
        assert archive.export("jsonl", tmp_path / "all.jsonl") == 3
    rows = [json.loads(line) for line in (tmp_path / "all.jsonl").read_text().splitlines()]
    assert {row["title"] for row in rows} == {"one", "two", "three"}


def test_leaving_the_loop_ends_the_crawl(tmp_path: Path) -> None:
    with serving(PAGES) as site, broadsheet.Archive(tmp_path / "news") as archive:
        for article in archive.crawl([site.url], manners=LOOPBACK):
            assert article.body
            break

        with archive.kept.writer() as writer:
            assert [source.url for source in writer.sources()] == [site.url]
