"""The commands that look into an archive: tables for people, JSON lines for programs."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from broadsheet.archive import Archive, PageState
from broadsheet.cli.commands import COMMANDS, articles, check, export, sections, status
from tests.archive.samples import NOON, SOURCE, article, exchange, keep, page
from tests.cli.conftest import Outcome

Run = Callable[..., Outcome]


@pytest.fixture(autouse=True)
def commands(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the program know these commands, whichever others it knows."""
    ours = (status, sections, articles, export, check)
    others = tuple(command for command in COMMANDS if command not in ours)
    monkeypatch.setattr("broadsheet.cli.main.COMMANDS", (*others, *ours))


@pytest.fixture
def news(tmp_path: Path) -> Path:
    """An archive with two articles, one of them in two versions, a section and a page that waits."""
    with Archive.open(tmp_path / "news", create=True) as archive, archive.writer() as writer:
        keep(writer, "news.example/a", b"a", title="Draft")
        keep(writer, "news.example/a", b"b", title="Final")
        batch = writer.batch()
        section = page("news.example/world", kind="section", probability=0.9, model="m", every=3600.0, anchor="World")
        batch.page(section)
        batch.page(page("news.example/later", state=PageState.QUEUED))
        visit = batch.visit("news.example/b", "https://news.example/b", (exchange(b"c"),), source=SOURCE.key)
        late = NOON + timedelta(days=3)
        batch.article(
            "news.example/b", SOURCE.key, article("Late", published=late, authors=("A. Author",)), visit=visit
        )
        batch.count("failed", "timeout", 2, source=SOURCE.key)
        writer.commit(batch)
    return tmp_path / "news"


def test_status_has_a_row_a_source_and_one_for_all(run: Run, news: Path) -> None:
    outcome = run("status", news)

    source, everything = outcome.rows
    assert outcome.code == 0
    assert (source["source"], source["articles"], source["versions"]) == ("news.example", 2, 3)
    assert (source["sections"], source["queued"], source["visits"], source["failed"]) == (1, 2, 3, 2)
    assert source["failures"] == {"timeout": 2}
    assert (everything["source"], everything["articles"], everything["writer"]) == ("all", 2, None)
    assert everything["commits"] == 3


def test_status_tells_people_who_is_writing(run: Run, news: Path) -> None:
    with Archive.open(news) as archive, archive.writer():
        busy = run("status", news, terminal=True)
    free = run("status", news, terminal=True)

    assert "is writing" in busy.out
    assert "process " in busy.out
    assert "nobody is writing" in free.out
    assert "last commit " in free.out


def test_sections_are_listed(run: Run, news: Path) -> None:
    (row,) = run("sections", news, "--source", "https://news.example/").rows

    assert (row["url"], row["anchor"], row["probability"]) == ("https://news.example/world", "World", 0.9)
    assert "news.example/world" in run("sections", news, terminal=True).out


def test_articles_come_whole_when_piped_and_short_on_a_terminal(run: Run, news: Path) -> None:
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


@pytest.mark.parametrize("form", export.FORMATS)
def test_export_writes_a_file(run: Run, news: Path, tmp_path: Path, form: str) -> None:
    outcome = run("export", news, "-f", form, "-o", tmp_path / "out")

    assert (outcome.code, outcome.out) == (0, "")
    assert f"wrote {'3 WARC files' if form == 'warc' else '2 articles'} to " in outcome.err
    assert (tmp_path / "out").stat().st_size > 0


@pytest.mark.parametrize(
    "name", ["out.csv", "out.jsonl", "out.parquet", "out.md", "out.xml", "out.warc", "out.warc.gz"]
)
def test_the_name_of_the_file_chooses_what_export_writes(run: Run, news: Path, tmp_path: Path, name: str) -> None:
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
def test_export_refuses_a_format_that_the_name_contradicts(
    run: Run, news: Path, tmp_path: Path, form: str, name: str
) -> None:
    outcome = run("export", news, "-f", form, "-o", tmp_path / name)

    assert (outcome.code, outcome.err.count("\n")) == (2, 1)
    assert f"{form} was asked for" in outcome.err
    assert not (tmp_path / name).exists()


def test_export_needs_to_be_told_the_format(run: Run, news: Path, tmp_path: Path) -> None:
    assert run("export", news, "-o", tmp_path / "out").code == 2


def test_export_replaces_no_file_unasked(run: Run, news: Path, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("precious", encoding="utf-8")

    refused = run("export", news, "-f", "jsonl", "-o", tmp_path / "out")
    forced = run("export", news, "-f", "jsonl", "-o", tmp_path / "out", "--overwrite", "--since", "2026-03-04")

    assert refused.code == 2
    assert "--overwrite replaces it" in refused.err
    assert forced.code == 0
    assert "wrote 1 articles" in forced.err
    assert run("export", news, "-f", "warc", "-o", tmp_path / "w", "--since", "2026-03-04").code == 2


def test_check_says_clean_or_names_the_damage(run: Run, news: Path) -> None:
    clean = run("check", news)
    next((news / "warc").iterdir()).unlink()
    damaged = run("check", news)

    assert (clean.code, clean.out) == (0, "")
    assert clean.err.endswith("news: clean\n")
    assert damaged.code == 1
    assert damaged.rows[0]["what"] == "is missing"
    assert damaged.err.endswith("problems\n")


@pytest.mark.parametrize("command", ["status", "sections", "articles", "check"])
def test_a_folder_that_is_no_archive_gets_one_line(run: Run, tmp_path: Path, command: str) -> None:
    outcome = run(command, tmp_path)

    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err == f"broadsheet: {tmp_path}: is not an archive (it has no catalogue.sqlite)\n"
