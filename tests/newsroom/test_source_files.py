"""Files of sources: what they say is applied as a difference, and what is written can be read again."""

from pathlib import Path

import pytest

from broadsheet.archive import SourceRecord, Store
from broadsheet.base.errors import BroadsheetError
from broadsheet.base.source_settings import SourceSettings
from broadsheet.newsroom import source_files
from broadsheet.newsroom.archiving import Archive
from broadsheet.newsroom.source_changes import values_of
from broadsheet.newsroom.source_files import read_sources, write_sources
from tests.newsroom.site import START

TOML = """
[[source]]
home = "news.example"
name = "The News"
every = "30m"
tags = ["local", "daily"]
verify_tls = false

[[source]]
home = "https://other.example/"
editions = ["https://other.example/de/"]
feeds = "https://other.example/rss.xml"
requests_per_hour = 100
"""
OPML = """<?xml version="1.0"?>
<opml version="2.0"><body>
<outline text="Local">
  <outline text="The News" type="rss" xmlUrl="https://news.example/feed?a=1,2" htmlUrl="https://news.example/"
           category="daily"/>
</outline>
<outline text="Only a feed" xmlUrl="https://feed.example/rss"/>
<outline text="A note"/>
</body></opml>
"""
BOMB = """<?xml version="1.0"?>
<!DOCTYPE opml [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
<opml version="2.0"><body><outline text="&b;" htmlUrl="https://news.example/"/></body></opml>
"""


def write(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_a_toml_file_adds_then_changes_then_leaves_alone(tmp_path: Path) -> None:
    file = write(tmp_path, "sources.toml", TOML)
    with Archive(tmp_path / "news", create=True) as archive:
        added = archive.apply(file)
        again = archive.apply(file)
        write(tmp_path, "sources.toml", TOML.replace('"local", ', "").replace("30m", "1h"))
        changed = archive.apply(file)

        assert list(map(str, added.outcomes)) == ["added news.example", "added other.example"]
        assert (again.outcomes, again.left_alone) == ((), ("news.example", "other.example"))
        [told] = map(str, changed.outcomes)
        assert told == "changed news.example: every: 1800 -> 3600; tags: local, daily -> daily"
        assert changed.left_alone == ("other.example",)
        news, other = archive.sources()
        assert (news.name, news.settings.verify_tls, news.settings.tags) == ("The News", False, ("daily",))
        assert other.settings.feeds == ("https://other.example/rss.xml",)
        assert [source.key for source in archive.sources(tag="daily")] == ["news.example"]


def test_prune_pauses_what_is_not_in_the_file_and_nothing_else_does(tmp_path: Path) -> None:
    file = write(tmp_path, "sources.toml", '[[source]]\nhome = "news.example"')
    with Archive(tmp_path / "news", create=True) as archive:
        archive.add("other.example")
        archive.apply(file)
        assert {source.state for source in archive.sources()} == {"active"}

        pruned = archive.apply(file, prune=True)

        assert list(map(str, pruned.outcomes)) == ["paused other.example"]
        assert {source.key: source.state for source in archive.sources()} == {
            "other.example": "paused",
            "news.example": "active",
        }


def test_opml_as_feed_readers_write_it(tmp_path: Path) -> None:
    news, feed = read_sources(write(tmp_path, "sources.opml", OPML))

    assert news.url == "https://news.example/"
    assert news.values == {"name": "The News", "tags": ["Local", "daily"], "feeds": ["https://news.example/feed?a=1,2"]}
    assert feed.url == "https://feed.example/"


SOURCES = (
    SourceRecord(key="plain.example", url="https://plain.example/", name="plain.example", added_at=START),
    SourceRecord(
        key="news.example",
        url="https://news.example/",
        name='The "News" & more\\ é',
        added_at=START,
        every=1801.5,
        settings=SourceSettings(
            editions=("https://news.example/de/", "https://news.example/a,b"),
            feeds=("https://news.example/rss?a=1,2", "https://news.example/atom"),
            language="en",
            tags=("local", "two words", 'a "quoted" <tag>'),
            requests_per_hour=10,
            bytes_per_hour=1_000_000,
            render="never",
            verify_tls=False,
        ),
    ),
)


@pytest.mark.parametrize("form", source_files.FORMATS)
def test_what_is_exported_can_be_applied_elsewhere(tmp_path: Path, form: str) -> None:
    file = write(tmp_path, f"sources.{form}", write_sources(SOURCES, form))

    with Archive(tmp_path / "news", create=True) as archive:
        archive.apply(file)
        found = {source.key: source for source in archive.sources()}

    assert {key: values_of(source) for key, source in found.items()} == {
        source.key: values_of(source) for source in SOURCES
    }
    assert write_sources([found[source.key] for source in SOURCES], form) == file.read_text(encoding="utf-8")


WRONG: dict[str, tuple[str | bytes, str]] = {
    "a key": ('[[source]]\nhome = "a.example"\n\n[[source]]\nhome = "b.example"\ntag = ["x"]', "source 2, line 4"),
    "a key, told": ('[[source]]\nhome = "b.example"\ntag = ["x"]', "unknown key 'tag'; did you mean 'tags'?"),
    "a table": ('[sources]\nhome = "b.example"', "unknown key 'sources'; sources are listed in tables named"),
    "no home": ('[[source]]\nname = "B"', 'source 1, line 1: has no home page; write home = "https://…"'),
    "a value": ('[[source]]\nhome = "b.example"\nrender = "maybe"', "source 1, line 1: render must be one of never"),
    "a pace": ('[[source]]\nhome = "b.example"\nevery = "soon"', "every must be a duration such as 90s"),
    "twice": (
        '[[source]]\nhome = "b.example"\n[[source]]\nhome = "www.b.example"',
        "is listed twice, first in source 1",
    ),
    "no TOML": ("[[source", "is not valid TOML"),
    "an entity bomb": (BOMB, "has a document type (<!DOCTYPE …>), which a list of sources may not have"),
    "a bomb in UTF-16": (BOMB.replace("?>", ' encoding="utf-16"?>', 1).encode("utf-16"), "has a document type"),
    "no XML": ("<opml", "is not valid OPML"),
    "other XML": ("<rss/>", "is not OPML: its first element is <rss>"),
    "an attribute": (
        '<opml xmlns:b="urn:broadsheet:sources"><outline htmlUrl="https://b.example/" b:pace="1"/></opml>',
        "line 1: unknown attribute 'pace'; known are",
    ),
    "a tag": ('[[source]]\nhome = "b.example"\ntags = ["a,b"]', "a tag must be one line of text without commas"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_mistake_is_named_with_its_place_and_nothing_is_applied(tmp_path: Path, case: str) -> None:
    text, message = WRONG[case]
    file = write(tmp_path, "sources.opml" if "UTF-16" in case else "sources", text)

    with Archive(tmp_path / "news", create=True) as archive:
        with pytest.raises(BroadsheetError) as raised:
            archive.apply(file)
        assert archive.sources() == []

    assert message in str(raised.value)


def test_a_file_that_is_too_long_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_files, "MAX_FILE_BYTES", 100)

    with pytest.raises(BroadsheetError, match="is longer than 100 bytes"):
        read_sources(write(tmp_path, "sources.toml", "#" * 101))


def test_a_program_steers_an_archive(tmp_path: Path) -> None:
    with Archive(tmp_path / "news", create=True) as archive:
        assert archive.add("news.example", every=60.0, tags=["a"]).every == 60.0
        assert archive.pause("news.example").state == "paused"
        assert archive.resume("news.example").state == "active"
        assert archive.set("news.example", name="News", tags=None).settings.tags == ()
        assert archive.remove("news.example").state == "removed"
        assert archive.stop() is False
        with pytest.raises(BroadsheetError, match="did you mean 'every'"):
            archive.set("news.example", evry=1.0)
    with Store.open(tmp_path / "news") as store:
        assert list(store.check()) == []
