"""The archive as a Python program uses it."""

import json
import time
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

import broadsheet
from broadsheet.archive import NoArchive, PageRecord, SourceRecord
from broadsheet.base.exchange import Exchange
from broadsheet.base.manners import Manners
from broadsheet.base.moments import Moment
from broadsheet.base.records import Article
from tests.newsroom.program import serving
from tests.newsroom.site import article_path, front, story

pytestmark = pytest.mark.long

PAGES = {
    "/": front(article_path(1), article_path(2)),
    article_path(1): story("one"),
    article_path(2): story("two"),
}
LOOPBACK = Manners(delay=0.0, allow_networks="127.0.0.0/8")


def test_a_program_crawls_twice_and_gets_every_article_once(tmp_path: Path) -> None:
    with serving(PAGES) as site, broadsheet.Archive(tmp_path / "news", create=True) as archive:
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
    with serving(PAGES) as site, broadsheet.Archive(tmp_path / "news", create=True) as archive:
        for article in archive.crawl([site.url], manners=LOOPBACK):
            assert article.body
            break

        with archive.store.writer() as writer:
            assert [source.url for source in writer.sources()] == [site.url]


NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[broadsheet.Archive]:
    """An archive with two sources, one of which has an article of 2 March 2026, noon."""
    with broadsheet.Archive(tmp_path / "news", create=True) as made, made.store.writer() as writer:
        batch = writer.batch()
        for key in ("news.example", "other.example"):
            batch.source(SourceRecord(key=key, url=f"https://{key}/", name=key, added_at=NOON))
        batch.page(PageRecord(key="news.example/a", url="https://news.example/a", first_seen=NOON))
        answer = Exchange("https://news.example/a", NOON, 200, (("Content-Type", "text/html"),), b"<p>Hello")
        visit = batch.visit("news.example/a", answer.url, (answer,))
        batch.article("news.example/a", "news.example", Article(title="Hello", body="Hello"), visit=visit)
        writer.commit(batch)
    with broadsheet.Archive(tmp_path / "news") as opened:
        yield opened


def test_an_archive_is_made_only_if_that_is_asked_for(tmp_path: Path) -> None:
    folder = tmp_path / "news"

    with pytest.raises(NoArchive, match=r"no such folder; broadsheet\.Archive\('.*news', create=True\) creates"):
        broadsheet.Archive(folder)
    assert not folder.exists()
    folder.mkdir()
    with pytest.raises(
        NoArchive, match=r"is not an archive \(it has no catalogue\.sqlite\); .*create=True\) creates one"
    ):
        broadsheet.Archive(str(folder))
    assert list(folder.iterdir()) == []

    with broadsheet.Archive(folder, create=True) as made:
        assert repr(made) == f"Archive('{folder}')"
    with broadsheet.Archive(folder) as opened, broadsheet.Archive(folder, create=True) as again:
        assert list(opened.articles()) == list(again.articles()) == []


@pytest.mark.parametrize(
    "since", ["2026-03-02", date(2026, 3, 2), datetime(2026, 3, 2, 12), NOON, "2026-03-02T13:00+01:00"]
)
def test_since_takes_a_day_or_a_time_in_any_form(archive: broadsheet.Archive, since: Moment, tmp_path: Path) -> None:
    assert [article.title for article in archive.articles(since)] == ["Hello"]
    assert archive.export("jsonl", tmp_path / "all.jsonl", since=since) == 1


@pytest.mark.parametrize("since", ["2026-03-03", date(2026, 3, 3), "2026-03-02T12:00-01:00"])
def test_what_is_older_is_left_out(archive: broadsheet.Archive, since: Moment) -> None:
    assert list(archive.articles(since=since)) == []


def test_a_source_is_named_by_its_key_or_any_of_its_addresses(archive: broadsheet.Archive, tmp_path: Path) -> None:
    for name in ("news.example", "https://www.news.example/", "news.example/"):
        assert len(list(archive.articles(source=name))) == 1
        assert archive.sections(name) == []
    assert list(archive.articles(source="other.example")) == []
    assert archive.export("jsonl", tmp_path / "other.jsonl", source="other.example") == 0


@pytest.fixture
def auckland() -> Iterator[None]:
    """A machine whose clock shows the time of Auckland."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "Pacific/Auckland")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("auckland")
def test_a_time_without_an_offset_is_in_utc_wherever_the_machine_is(archive: broadsheet.Archive) -> None:
    assert len(list(archive.articles(datetime(2026, 3, 2, 12)))) == 1
    assert list(archive.articles(datetime(2026, 3, 2, 12, 1))) == []


MISTAKES: dict[str, tuple[Callable[[broadsheet.Archive], object], str]] = {
    "articles of an unknown source": (
        lambda archive: archive.articles(source="nope"),
        r"does not follow nope; its sources are news\.example, other\.example",
    ),
    "articles of no source": (lambda archive: archive.articles(source=""), "does not follow"),
    "sections of an unknown source": (lambda archive: archive.sections("nope"), "does not follow nope"),
    "an export of an unknown source": (lambda archive: archive.export("csv", "x", source="nope"), "does not follow"),
    "the agenda of an unknown source": (lambda archive: archive.store.agenda("nope"), "does not follow nope"),
    "a day that is none": (lambda archive: archive.articles("last week"), "'last week' is not a date or time"),
    "a day of another type": (lambda archive: archive.articles(5), "not int"),  # type: ignore[arg-type]
    "an unknown format": (lambda archive: archive.export("docx", "x"), "jsonl"),
    "an export into nowhere": (lambda archive: archive.export("csv", "nowhere/x.csv"), "nowhere.* cannot be written"),
    "a site that is none": (lambda archive: archive.add("nope"), "'nope' is not the http or https URL"),
    "no site": (lambda archive: archive.add(None), "None is not the http or https URL"),  # type: ignore[arg-type]
    "a crawl of a site that is none": (lambda archive: archive.crawl(["nope"]), "'nope' is not the http or https"),
    "a crawl of one site that is none": (lambda archive: archive.crawl("nope"), "'nope' is not the http or https"),
    "a crawl without snapshots": (lambda archive: archive.crawl(snapshots=0), "between 1 and 1,000,000, not 0"),
    "a crawl for a while in words": (
        lambda archive: archive.crawl(seconds="1h"),  # type: ignore[arg-type]
        "the duration of a crawl must be more than 0 seconds and less than a century, not '1h'",
    ),
    "snapshots that never come": (lambda archive: archive.add("a.example", every=0), "more than 0 seconds"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_told_at_once_in_a_line(archive: broadsheet.Archive, mistake: str) -> None:
    act, told = MISTAKES[mistake]

    with pytest.raises(broadsheet.BroadsheetError, match=told):
        act(archive)


@pytest.mark.parametrize("name", ["file", "full"])
def test_what_cannot_be_an_archive_is_told_in_a_line(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("text")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("text")

    for create in (False, True):
        with pytest.raises(broadsheet.BroadsheetError, match=f"{name}: "):
            broadsheet.Archive(tmp_path / name, create=create)


def test_a_missing_extra_is_named_where_the_archive_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> object:
        raise ModuleNotFoundError(f"No module named 'sqlalchemy', wanted by {name}", name="sqlalchemy")

    monkeypatch.delitem(vars(broadsheet), "Archive", raising=False)
    monkeypatch.setattr(broadsheet, "import_module", missing)

    with pytest.raises(
        broadsheet.BroadsheetError, match=r"Archive needs sqlalchemy: pip install 'broadsheet\[crawl\]'"
    ):
        _ = broadsheet.Archive
