"""Exports of a part of an archive: feeds, raw pages by kind, and WARC files for other tools."""

import io
import json
import warnings
import zipfile
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from warcio.archiveiterator import ArchiveIterator

from broadsheet.archive import Store
from broadsheet.cli import exits
from broadsheet.newsweb.response import Response
from broadsheet.outputs.syndication import ATOM
from tests.cli.conftest import Outcome
from tests.newsroom.site import HOME, HOUR, START, ScriptedSite, article_path, front, story

feedparser = pytest.importorskip("feedparser")

Run = Callable[..., Outcome]
ROOT = HOME.rstrip("/")


@pytest.fixture
def news(tmp_path: Path) -> Path:
    """An archive of a site with a section, four articles, one of them behind a redirect, and two snapshots."""
    stories = {article_path(number): story(f"Story <{number}> & more") for number in range(3)}
    pages: dict[str, str | Callable[[datetime], str | Response]] = {
        "/": front(*stories, also='<a href="/sport/">Sport</a>'),
        "/sport/": front(article_path(7)),
        **stories,
        article_path(7): lambda _: Response(301, {"Location": ROOT + article_path(8)}, b""),
        article_path(8): story("Story 8"),
    }
    site = ScriptedSite(pages)
    site.crawl(tmp_path / "news", 1)
    site.crawl(tmp_path / "news", 1, start=START + HOUR)
    return tmp_path / "news"


def records(path: Path) -> list[dict[str, str]]:
    with path.open("rb") as file:
        return [dict(record.rec_headers.headers) for record in ArchiveIterator(file, check_digests="raise")]


def targets(path: Path, kind: str = "response") -> set[str]:
    return {record["WARC-Target-URI"].removeprefix(ROOT) for record in records(path) if record["WARC-Type"] == kind}


@pytest.mark.parametrize("form", ["rss", "atom"])
def test_a_feed_has_the_newest_articles(run: Run, news: Path, tmp_path: Path, form: str) -> None:
    outcome = run("export", news, "-f", form, "-o", tmp_path / "feed.xml", "--limit", "3")

    feed = feedparser.parse(tmp_path / "feed.xml")
    assert outcome.code == exits.DONE
    assert not feed.bozo
    assert feed.version == {"rss": "rss20", "atom": "atom10"}[form]
    listed = run("articles", news, "--limit", "3").rows
    assert [entry.title for entry in feed.entries] == [row["title"] for row in listed]
    assert [entry.link for entry in feed.entries] == [row["url"] for row in listed]
    assert {entry.author for entry in feed.entries} == {"Jane Doe"}
    assert all("council met" in entry.content[0].value for entry in feed.entries)
    assert feed.entries[0].published_parsed[:5] == (2026, 3, 2, 5, 0)
    assert len({entry.id for entry in feed.entries}) == 3
    etree.parse(tmp_path / "feed.xml")


def test_the_same_articles_make_the_same_feed(run: Run, news: Path, tmp_path: Path) -> None:
    for name in ("one.atom", "two.atom"):
        run("export", news, "-o", tmp_path / name)

    assert (tmp_path / "one.atom").read_bytes() == (tmp_path / "two.atom").read_bytes()
    root = etree.parse(tmp_path / "one.atom").getroot()
    for entry in root.iter(f"{{{ATOM}}}entry"):
        assert all(entry.find(f"{{{ATOM}}}{name}") is not None for name in ("id", "title", "updated", "author"))


@pytest.mark.parametrize(("kind", "number"), [("article", 4), ("section", 2), ("other", 0)])
def test_raw_pages_by_kind_come_with_an_index(run: Run, news: Path, tmp_path: Path, kind: str, number: int) -> None:
    outcome = run("export", news, "--kind", kind, "--raw", "-o", tmp_path / "out")

    index = [json.loads(line) for line in (tmp_path / "out" / "index.jsonl").read_text("utf-8").splitlines()]
    assert outcome.code == exits.DONE
    assert len(index) == number
    assert {row["kind"] for row in index} <= {kind}
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"index.jsonl", *(row["file"] for row in index)}
    for row in index:
        page = (tmp_path / "out" / row["file"]).read_bytes()
        assert page.startswith(b"<html")
        assert row["file"].removesuffix(".html").isdecimal()
        assert (row["content_type"], row["charset"]) == ("text/html; charset=utf-8", "utf-8")
        assert row["url"].startswith(HOME)
        assert row["fetched_at"].startswith("2026-03-02T0")


def test_raw_pages_can_be_zipped_and_replace_nothing(run: Run, news: Path, tmp_path: Path) -> None:
    first = run("export", news, "--kind", "article", "--raw", "-o", tmp_path / "out.zip")
    again = run("export", news, "--kind", "article", "--raw", "-o", tmp_path / "out.zip")

    with zipfile.ZipFile(io.BytesIO((tmp_path / "out.zip").read_bytes())) as packed:
        assert len(packed.namelist()) == 5
        assert packed.testzip() is None
    assert (first.code, again.code) == (exits.DONE, exits.FAILED)
    assert "already exists" in again.err
    assert [path for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_a_forgotten_page_is_in_no_export(run: Run, news: Path, tmp_path: Path) -> None:
    run("forget", news, ROOT + article_path(1), "--yes")
    for name in ("out.warc", "part.warc", "out.rss", "out.jsonl"):
        run("export", news, "-o", tmp_path / name, *(["--kind", "article"] if name == "part.warc" else []))
    run("export", news, "--kind", "article", "--raw", "-o", tmp_path / "raw")

    assert article_path(1) not in targets(tmp_path / "out.warc") | targets(tmp_path / "part.warc")
    texts = [(tmp_path / name).read_text("utf-8") for name in ("out.rss", "out.jsonl", "raw/index.jsonl")]
    assert not any(article_path(1) in text for text in texts)


def test_a_warc_file_of_articles_has_their_redirects_and_requests(run: Run, news: Path, tmp_path: Path) -> None:
    outcome = run("export", news, "-o", tmp_path / "articles.warc.gz", "--kind", "article")

    assert outcome.code == exits.DONE
    every = {article_path(number) for number in (0, 1, 2, 7, 8)}
    assert targets(tmp_path / "articles.warc.gz") == targets(tmp_path / "articles.warc.gz", "request") == every
    assert records(tmp_path / "articles.warc.gz")[0]["WARC-Type"] == "warcinfo"


def test_a_revisit_comes_with_what_it_refers_to(run: Run, news: Path, tmp_path: Path) -> None:
    run("export", news, "-o", tmp_path / "late.warc.gz", "--since", (START + HOUR / 2).isoformat())

    kept = records(tmp_path / "late.warc.gz")
    answers = {record["WARC-Record-ID"] for record in kept if record["WARC-Type"] == "response"}
    revisits = [record for record in kept if record["WARC-Type"] == "revisit"]
    assert revisits
    assert {record["WARC-Refers-To"] for record in revisits} <= answers
    assert targets(tmp_path / "late.warc.gz") == {"/", "/sport/"}


def test_a_selection_can_be_of_a_source_and_a_time(run: Run, news: Path, tmp_path: Path) -> None:
    run("export", news, "-o", tmp_path / "source.warc", "--source", "gazette.example", "--until", "2026-03-02T06:30")
    empty = run("export", news, "-o", tmp_path / "none.warc", "--since", "2026-04-01")

    assert targets(tmp_path / "source.warc") >= {"/", "/sport/", article_path(8)}
    assert targets(tmp_path / "source.warc", "revisit") == set()
    assert (empty.code, (tmp_path / "none.warc").read_bytes()) == (exits.DONE, b"")


def is_sound(record: Any) -> bool:
    """Say whether another reader finds that a record is what its digest says: of its body if it has one.

    What was asked has no digest: the crawler has written it itself.
    """
    if record.headers["WARC-Type"] == "request":
        return "WARC-Block-Digest" not in record.headers
    if record.headers["WARC-Type"] != "response":
        return bool(record.verify_block_digest())
    record.parse_http()
    return bool(record.verify_payload_digest())


@pytest.mark.parametrize("options", [(), ("--kind", "article"), ("--since", "2026-03-02")])
def test_other_tools_read_it(run: Run, news: Path, tmp_path: Path, options: tuple[str, ...]) -> None:
    run("export", news, "-o", tmp_path / "out.warc.gz", *options)

    with warnings.catch_warnings():
        # It emits deprecation warnings about its own classes on import.
        warnings.simplefilter("ignore", DeprecationWarning)
        fastwarc = pytest.importorskip("fastwarc.warc")
    with (tmp_path / "out.warc.gz").open("rb") as file:
        fast = [record.record_id for record in fastwarc.ArchiveIterator(file, parse_http=False) if is_sound(record)]
    assert fast == [record["WARC-Record-ID"] for record in records(tmp_path / "out.warc.gz")]
    indexer = pytest.importorskip("cdxj_indexer.main")
    lines = io.StringIO()
    indexer.CDXJIndexer(lines, [str(tmp_path / "out.warc.gz")]).process_all()
    indexed = {json.loads(line.split(" ", 2)[2])["url"].removeprefix(ROOT) for line in lines.getvalue().splitlines()}
    assert indexed == targets(tmp_path / "out.warc.gz") | targets(tmp_path / "out.warc.gz", "revisit")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("-f", "jsonl", "--kind", "section"), "jsonl holds articles"),
        (("-f", "warc", "--search", "x"), "limited only by --since, --until, --day, --source and --kind"),
        (("--raw", "-f", "jsonl"), "--raw takes only"),
    ],
)
def test_what_makes_no_sense_is_refused(
    run: Run, news: Path, tmp_path: Path, options: tuple[str, ...], said: str
) -> None:
    outcome = run("export", news, "-o", tmp_path / "out", *options)

    assert (outcome.code, outcome.err.count("\n")) == (exits.USAGE, 1)
    assert said in outcome.err
    with Store.open(news) as archive:
        assert list(archive.check()) == []
