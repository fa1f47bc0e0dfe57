"""The commands that read an archive: tables for people, JSON lines for programs."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from broadsheet.archive import (
    FeedRecord,
    FeedStanding,
    FetchRecord,
    PageState,
    Store,
    VerdictRecord,
    VisitReason,
)
from broadsheet.base.records import Verdict
from broadsheet.cli.commands import export_command
from broadsheet.cli.commands.status_command import sparkline
from tests.archive.samples import FETCHED, NOON, SOURCE, article, entry, exchange, keep, member, page
from tests.cli.conftest import Outcome

Run = Callable[..., Outcome]


@pytest.fixture
def news(tmp_path: Path) -> Path:
    """An archive with two articles, one of them in two versions, a section and a page that waits."""
    with Store.open(tmp_path / "news", create=True) as archive, archive.writer() as writer:
        keep(writer, "news.example/a", b"a", title="Draft")
        keep(writer, "news.example/a", b"b", title="Final")
        batch = writer.batch()
        verdict = Verdict("section", None, 0.9, {"section": 0.9}, (), "m")
        batch.page(page("news.example/world", fetch=FETCHED, judged=VerdictRecord(verdict=verdict, at=NOON)))
        batch.plan(entry("news.example/world", reason=VisitReason.SECTION, every=3600.0))
        batch.page(page("news.example/later"))
        batch.plan(entry("news.example/later"))
        for key in ("world", "later", "b"):
            batch.member(member(f"news.example/{key}"))
        batch.page(page("news.example/b", fetch=FETCHED))
        visit = batch.visit("news.example/b", "https://news.example/b", (exchange(b"c"),), source=SOURCE.key)
        late = NOON + timedelta(days=3)
        batch.article(
            "news.example/b", SOURCE.key, article("Late", published=late, authors=("A. Author",)), visit=visit
        )
        batch.count("failed", "timeout", 2, source=SOURCE.key)
        writer.commit(batch)
    return tmp_path / "news"


def test_status_has_one_row_per_source_and_a_total(run: Run, news: Path) -> None:
    outcome = run("status", news)

    source, everything = outcome.rows
    assert outcome.code == 0
    assert (source["source"], source["articles"], source["versions"]) == ("news.example", 2, 3)
    assert (source["sections"], source["queued"], source["visits"], source["failed"]) == (1, 1, 3, 2)
    assert source["planned"] == {"section": 1, "candidate": 1}
    assert source["failures"] == {"timeout": 2}
    assert (everything["source"], everything["articles"], everything["writer"]) == ("all", 2, None)
    assert everything["commits"] == 3


def test_status_says_since_when_and_why_a_source_is_explored_that_was_not_reviewed_yet(run: Run, news: Path) -> None:
    source, _ = run("status", news).rows

    assert (source["phase"], source["phase_because"]) == ("exploration", "not reviewed yet")
    assert source["phase_since"] == SOURCE.added_at.isoformat()


def test_status_shows_the_last_days_and_what_an_article_costs(run: Run, news: Path) -> None:
    source, everything = run("status", news).rows
    shown = run("status", news, terminal=True).out

    assert (len(source["articles_by_day"]), source["late"], source["304s"]) == (14, 1, "0%")
    assert source["requests_each"] == everything["requests_each"] == 1.5
    assert "last days" in shown
    assert "1.5 requests and " in shown


def test_a_narrow_terminal_shows_the_phase_and_leaves_out_other_columns(
    run: Run, news: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")

    header, _, source, *_ = run("status", news, terminal=True).out.splitlines()

    assert header.split() == ["source", "state", "phase", "sections", "late", "articles", "a", "day", "failed"]
    assert source.split()[:3] == ["news.example", "active", "exploration"]


def test_a_sparkline_has_a_bar_for_each_day() -> None:
    assert sparkline([0, 1, 4, 8]) == "·▁▄█"
    assert sparkline([0, 0]) == "··"
    assert sparkline([]) == ""


def test_status_shows_who_is_writing(run: Run, news: Path) -> None:
    with Store.open(news) as archive, archive.writer():
        busy = run("status", news, terminal=True)
    free = run("status", news, terminal=True)

    assert "is writing" in busy.out
    assert "process " in busy.out
    assert "no process is writing" in free.out
    assert "last commit " in free.out


def test_sections_are_listed(run: Run, news: Path) -> None:
    (row,) = run("sections", news, "--source", "https://news.example/").rows

    assert (row["url"], row["every"], row["probability"]) == ("https://news.example/world", 3600.0, 0.9)
    assert "news.example/world" in run("sections", news, terminal=True).out


def test_feeds_are_listed_as_what_they_are(run: Run, news: Path) -> None:
    with Store.open(news) as archive, archive.writer() as writer:
        batch = writer.batch()
        for name in ("rss", "miss"):
            batch.page(page(f"news.example/{name}"))
        batch.plan(entry("news.example/rss", reason=VisitReason.FEED, every=3600.0))
        feed = FeedRecord(source=SOURCE.key, page="news.example/rss", found_on="robots.txt", found_at=NOON)
        batch.feed(replace(feed, form="rss", standing=FeedStanding.GOOD, items=20))
        batch.feed(replace(feed, page="news.example/miss", standing=FeedStanding.USELESS))
        writer.commit(batch)

    section, row = run("sections", news).rows

    assert (section["kind"], section["standing"]) == ("section", None)
    assert (row["kind"], row["subtype"], row["standing"], row["items"]) == ("feed", "rss", "good", 20)


def test_articles_are_complete_when_piped_and_summarised_on_a_terminal(run: Run, news: Path) -> None:
    piped, shown = run("articles", news), run("articles", news, terminal=True)

    assert [row["title"] for row in piped.rows] == ["Late", "Final"]
    assert piped.rows[0]["body"] == "A body."
    assert piped.rows[1]["version"] == 2
    assert shown.out.index("Late") < shown.out.index("Final")
    assert "A body." not in shown.out


def test_articles_can_be_selected(run: Run, news: Path) -> None:
    assert [row["title"] for row in run("articles", news, "--limit", "1").rows] == ["Late"]
    assert [row["title"] for row in run("articles", news, "--since", "2026-03-04").rows] == ["Late"]
    assert run("articles", news, "--source", "other.example").code == 1
    assert run("articles", news, "--since", "soon").code == run("articles", news, "--limit", "0").code == 2


def test_articles_and_exports_can_be_limited_to_a_range_of_days(run: Run, news: Path, tmp_path: Path) -> None:
    def titles(*options: str) -> list[str]:
        listed = [row["title"] for row in run("articles", news, *options).rows]
        run("export", news, "-o", tmp_path / "out.jsonl", "--overwrite", *options)
        lines = (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()
        assert [json.loads(line)["title"] for line in lines] == listed
        return listed

    assert titles("--until", "2026-03-04") == ["Final"]
    assert titles("--until", "2026-03-05") == ["Late", "Final"]
    assert titles("--since", "2026-03-02", "--until", "2026-03-05T12:00") == ["Final"]
    assert titles("--since", "today") == []
    assert titles("--until", "1h") == ["Late", "Final"]
    assert titles("--search", "FINAL") == ["Final"]


def test_a_range_that_ends_before_it_starts_is_rejected(run: Run, news: Path) -> None:
    outcome = run("articles", news, "--since", "2026-03-05", "--until", "2026-03-04")

    assert (outcome.code, outcome.err.count("\n")) == (2, 1)
    assert "--since 2026-03-05 00:00 is not before --until 2026-03-05 00:00" in outcome.err


def test_a_search_matches_articles_with_all_words_in_title_or_body(run: Run, tmp_path: Path) -> None:
    texts = {"a": ("Große Brücke", "Im Hafen."), "b": ("Brücke", "Am Fluss."), "c": ("Hafen", "Cafe\u0301 geschlossen")}
    with Store.open(tmp_path / "news", create=True) as archive, archive.writer() as writer:
        batch = writer.batch()
        batch.source(SOURCE)
        for key, (title, body) in texts.items():
            visit = batch.visit(key, f"https://news.example/{key}", (exchange(key.encode()),))
            batch.article(key, SOURCE.key, article(title, body), visit=visit)
        writer.commit(batch)

    def keys(*words: str, limit: int = 9) -> list[str]:
        options = [option for word in words for option in ("--search", word)]
        return sorted(row["key"] for row in run("articles", tmp_path / "news", *options, "--limit", limit).rows)

    assert keys("brücke") == ["a", "b"]
    assert keys("HAFEN brücke") == keys("hafen", "BRÜCKE") == ["a"]
    assert keys("GROSSE") == ["a"]
    assert keys("caf\u00e9") == ["c"]
    assert keys("nothing") == []
    assert keys("fluss", limit=1) == ["b"]
    assert run("articles", tmp_path / "news", "--search", " ").code == 2


def test_one_article_is_shown_as_text_with_its_versions(run: Run, news: Path) -> None:
    shown = run("article", news, "https://news.example/a", terminal=True)

    assert shown.code == 0
    assert shown.out.startswith("Final\n\nA body.\n")
    assert "Draft" in shown.out.rpartition("version")[2]
    assert run("article", news, "news.example/a", "--version", "1", terminal=True).out.startswith("Draft\n")


def test_near_duplicates_are_shown_listed_and_left_out_on_request(run: Run, tmp_path: Path) -> None:
    body = " ".join(f"word{number}" for number in range(200))
    with Store.open(tmp_path / "news", create=True) as archive, archive.writer() as writer:
        batch = writer.batch()
        batch.source(SOURCE)
        for key in ("news.example/a", "paper.example/copy"):
            batch.page(page(key, fetch=FETCHED))
            visit = batch.visit(key, f"https://{key}", (exchange(key.encode()),), source=SOURCE.key)
            batch.article(key, SOURCE.key, article(key, body), visit=visit)
        writer.commit(batch)

    shown = run("article", tmp_path / "news", "https://news.example/a", terminal=True)
    (row,) = run("article", tmp_path / "news", "https://news.example/a").rows
    (similar,) = run("articles", tmp_path / "news", "--similar-to", "https://news.example/a").rows

    assert "also at https://paper.example/copy (100% of the shorter text)" in shown.out
    assert [copy["url"] for copy in row["near_duplicates"]] == ["https://paper.example/copy"]
    assert (similar["key"], similar["story"]) == ("paper.example/copy", "news.example/a")
    assert len(run("articles", tmp_path / "news", "--distinct").rows) == 1
    assert len(run("articles", tmp_path / "news").rows) == 2


def test_one_article_is_json_when_piped(run: Run, news: Path) -> None:
    [row] = run("article", news, "https://news.example/a").rows

    assert (row["title"], row["version"], row["key"]) == ("Final", 2, "news.example/a")
    assert [(version["version"], version["title"]) for version in row["versions"]] == [(1, "Draft"), (2, "Final")]
    assert row["versions"][1]["file"] == row["file"]
    assert [(found["source"], found["found_on"]) for found in row["found"]] == [("news.example", "news.example")]


@pytest.mark.parametrize(
    ("form", "begins"), [("json", '{"url"'), ("md", "# Final\n"), ("text", "Final\n"), ("tei", "<?xml")]
)
def test_one_article_in_a_chosen_format_is_written_without_its_versions(
    run: Run, news: Path, form: str, begins: str
) -> None:
    piped, shown = (run("article", news, "news.example/a", "-f", form, terminal=terminal) for terminal in (False, True))

    assert piped.out == shown.out
    assert piped.out.startswith(begins)


def test_an_address_without_an_article_gets_one_line(run: Run, news: Path) -> None:
    missing = run("article", news, "https://news.example/missing")
    section = run("article", news, "https://news.example/world")
    version = run("article", news, "https://news.example/a", "--version", "3")

    assert (missing.code, section.code, version.code) == (1, 1, 1)
    assert missing.err == f"broadsheet: {news}: contains no article at https://news.example/missing\n"
    assert "that page was judged section, and `broadsheet why` says more" in section.err
    assert version.err == "broadsheet: https://news.example/a: has no version 3, only 1 to 2\n"


def test_a_duplicate_leads_to_the_stored_article(run: Run, news: Path) -> None:
    with Store.open(news) as archive, archive.writer() as writer:
        batch = writer.batch()
        copied = FetchRecord(state=PageState.DUPLICATE, fetched_at=NOON)
        batch.page(page("news.example/copy", fetch=copied, duplicate_of="news.example/b"))
        writer.commit(batch)

    [row] = run("article", news, "https://news.example/copy").rows

    assert row["title"] == "Late"


@pytest.mark.parametrize("form", export_command.FORMATS)
def test_export_writes_a_file(run: Run, news: Path, tmp_path: Path, form: str) -> None:
    outcome = run("export", news, "-f", form, "-o", tmp_path / "out")

    assert (outcome.code, outcome.out) == (0, "")
    assert f"wrote {'3 WARC files' if form == 'warc' else '2 articles'} to " in outcome.err
    assert (tmp_path / "out").stat().st_size > 0


@pytest.mark.parametrize(
    "name", ["out.csv", "out.jsonl", "out.parquet", "out.md", "out.xml", "out.warc", "out.warc.gz"]
)
def test_the_file_name_implies_the_format_of_an_export(run: Run, news: Path, tmp_path: Path, name: str) -> None:
    begins = {
        "csv": b"url,",
        "jsonl": b'{"url"',
        "parquet": b"PAR1",
        "md": b"# Late",
        "xml": b"<?xml",
        "warc": b"WARC/",
    }

    assert run("export", news, "-o", tmp_path / name).code == 0

    assert (tmp_path / name).read_bytes().startswith(begins.get(name.partition(".")[2], b"\x1f\x8b"))


@pytest.mark.parametrize(("form", "name"), [("jsonl", "new.csv"), ("csv", "new.warc.gz"), ("warc", "new.jsonl")])
def test_export_rejects_a_format_that_contradicts_the_file_name(
    run: Run, news: Path, tmp_path: Path, form: str, name: str
) -> None:
    outcome = run("export", news, "-f", form, "-o", tmp_path / name)

    assert (outcome.code, outcome.err.count("\n")) == (2, 1)
    assert f"{form} was asked for" in outcome.err
    assert not (tmp_path / name).exists()


def test_export_requires_a_format(run: Run, news: Path, tmp_path: Path) -> None:
    assert run("export", news, "-o", tmp_path / "out").code == 2


def test_export_does_not_overwrite_by_default(run: Run, news: Path, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("precious", encoding="utf-8")

    refused = run("export", news, "-f", "jsonl", "-o", tmp_path / "out")
    forced = run("export", news, "-f", "jsonl", "-o", tmp_path / "out", "--overwrite", "--since", "2026-03-04")

    assert refused.code == 2
    assert "use --overwrite to replace it" in refused.err
    assert forced.code == 0
    assert "wrote 1 articles" in forced.err
    assert run("export", news, "-f", "warc", "-o", tmp_path / "w", "--search", "x").code == 2


def test_check_says_clean_or_names_the_damage(run: Run, news: Path) -> None:
    clean = run("check", news)
    next((news / "warc").iterdir()).unlink()
    damaged = run("check", news)

    assert (clean.code, clean.out) == (0, "")
    assert clean.err.endswith("news: clean\n")
    assert damaged.code == 1
    assert damaged.rows[0]["what"] == "is missing"
    assert damaged.err.endswith(": 1 problem\n")


@pytest.mark.parametrize("command", ["status", "sections", "articles", "check"])
def test_a_folder_that_is_not_an_archive_gets_one_line(run: Run, tmp_path: Path, command: str) -> None:
    outcome = run(command, tmp_path)

    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err == f"broadsheet: {tmp_path}: is not an archive (it has no catalogue.sqlite)\n"
