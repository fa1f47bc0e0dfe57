"""Tidying an archive from the command line, and keep rules wherever they can be written."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest
from benchmarks.keeping import Paper, month

from broadsheet.archive import Store
from broadsheet.cli import exits
from tests.cli.conftest import Outcome

Run = Callable[..., Outcome]
SCALE, HOURS = 100, 4


@pytest.fixture
def news(tmp_path: Path) -> Path:
    """An archive of two days, long ago."""
    list(month(tmp_path / "news", [Paper(1, SCALE), Paper(2, SCALE)], "everything", 2, SCALE, HOURS))
    return tmp_path / "news"


def tree(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.endswith(("-wal", "-shm"))
    }


def test_a_dry_run_says_what_would_go_and_changes_nothing(run: Run, news: Path) -> None:
    before = tree(news)

    outcome = run("tidy", news, "--keep", "fronts 1d, links 1d", "--dry-run")

    assert outcome.code == exits.DONE
    assert tree(news) == before
    assert {(row["source"], row["kind"]) for row in outcome.rows} == {
        (f"paper{number}.example", kind) for number in (1, 2) for kind in ("fronts", "links")
    }
    assert "would remove" in outcome.err
    assert "nothing changed" in outcome.err


def test_it_removes_what_a_dry_run_says_and_tells_status_and_why(run: Run, news: Path) -> None:
    planned = run("tidy", news, "--keep", "fronts 1d, other 1d", "--dry-run").rows
    articles = [row["title"] for row in run("articles", news).rows]

    outcome = run("tidy", news, "--keep", "fronts 1d, other 1d")

    assert outcome.code == exits.DONE
    numbers = [(row["source"], row["kind"], row["number"], row["bytes"]) for row in outcome.rows]
    assert numbers == [(row["source"], row["kind"], row["number"], row["bytes"]) for row in planned]
    assert "bytes smaller" in outcome.err
    assert [row["title"] for row in run("articles", news).rows] == articles
    status = next(row for row in run("status", news).rows if row["source"] == "paper1.example")
    assert status["removed"]["fronts"]["number"] == numbers[0][2]
    assert "keep rules have removed" in run("status", news, terminal=True).out
    why = run("why", news, "https://paper1.example", "-f", "text").out
    assert "removed: the responses of 11 of 12 visits, by a keep rule" in why
    assert run("check", news).code == exits.DONE


def test_the_rule_of_a_source_is_enough(run: Run, news: Path) -> None:
    assert run("sources", "set", news, "paper1.example", "keep=fronts 1d").code == exits.DONE

    outcome = run("tidy", news)

    assert [(row["source"], row["kind"]) for row in outcome.rows] == [("paper1.example", "fronts")]


def test_without_a_rule_it_says_so(run: Run, news: Path) -> None:
    outcome = run("tidy", news)

    assert outcome.code == exits.DONE
    assert "no rule lets anything be removed" in outcome.err


@pytest.mark.parametrize(
    "words",
    [
        ("tidy", "NEWS", "--keep", "front 1d"),
        ("crawl", "NEWS", "--keep", "front 1d", "--snapshots", "1"),
        ("sources", "set", "NEWS", "paper1.example", "keep=front 1d"),
        ("sources", "apply", "NEWS", "FILE"),
    ],
)
def test_a_bad_rule_is_one_line_and_loses_nothing(run: Run, news: Path, tmp_path: Path, words: tuple[str, ...]) -> None:
    file = tmp_path / "sources.toml"
    file.write_text('keep = "front 1d"\n[[source]]\nhome = "https://paper1.example/"\n', encoding="utf-8")
    with Store.open(news) as archive:
        before = archive.visits().to_table()
    names = {"NEWS": news, "FILE": file}

    outcome = run(*(names.get(word, word) for word in words))

    assert outcome.code in {exits.FAILED, exits.USAGE}
    assert "unknown word 'front' in a keep rule; did you mean 'fronts'?" in outcome.err
    assert outcome.err.count("\n") == 1
    with Store.open(news) as archive:
        assert archive.visits().to_table().equals(before)
        assert all(source.settings.keep is None for source in archive.sources())


def test_a_file_of_sources_has_a_default_for_all(run: Run, news: Path, tmp_path: Path) -> None:
    file = tmp_path / "sources.toml"
    file.write_text(
        'keep = "fronts 30d"\n[[source]]\nhome = "https://paper1.example/"\n'
        '[[source]]\nhome = "https://paper2.example/"\nkeep = "everything"\n',
        encoding="utf-8",
    )

    assert run("sources", "apply", news, file).code == exits.DONE

    listed = {row["source"]: row["keep"] for row in run("sources", "list", news).rows}
    assert listed == {"paper1.example": "fronts 30d", "paper2.example": "everything"}
    assert 'keep = "fronts 30d"' in run("sources", "export", news).out


def test_an_archive_shrinks_to_a_size_and_says_what_it_cannot_remove(run: Run, news: Path) -> None:
    articles = len(run("articles", news).rows)

    outcome = run("tidy", news, "--max-size", "1k")

    assert outcome.code == exits.DONE
    assert {row["kind"] for row in outcome.rows} <= {"fronts", "other"}
    assert outcome.rows[0]["number"] > 5
    assert "bytes too large: all that is left" in outcome.err
    assert len(run("articles", news).rows) == articles


def test_rows_of_visits_go_with_the_rest_and_why_says_so(run: Run, news: Path) -> None:
    outcome = run("tidy", news, "--keep", "fronts 1d, other 1d, links 1d, visits 1d")

    assert "rows of visits" in outcome.err
    assert "rows of visits before" in run("why", news, "https://paper1.example/", terminal=True).out
    assert "rows of visits" in run("status", news, terminal=True).out
    assert run("check", news).code == exits.DONE
