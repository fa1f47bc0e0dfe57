"""A check finds every kind of damage, and nothing where there is none."""

import re
import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from broadsheet.archive import DamagedRow, Store
from broadsheet.archive.stored_versions import version_digest
from tests.archive.samples import FETCHED, JUDGED, SOURCE, entry, exchange, keep, page


@pytest.fixture
def kept(archive: Store) -> Store:
    with archive.writer() as writer:
        keep(writer, "news.example/a", b"a" * 5000)
        keep(writer, "news.example/a", b"b" * 5000, title="changed")
        keep(writer, "news.example/b", b"c" * 5000)
        batch = writer.batch()
        batch.page(page("news.example/b", fetch=FETCHED, judged=JUDGED))
        batch.plan(entry("news.example/b"))
        writer.commit(batch)
    return archive


def file(archive: Store, kind: str) -> Path:
    return next((archive.folder / kind).iterdir())


def change(archive: Store, statement: str) -> None:
    connection = sqlite3.connect(archive.folder / "catalogue.sqlite")
    connection.execute(statement)
    connection.commit()
    connection.close()


def test_a_sound_archive_has_no_problems(kept: Store) -> None:
    assert list(kept.check()) == []


def test_an_empty_archive_has_no_problems(archive: Store) -> None:
    assert list(archive.check()) == []


@pytest.mark.parametrize("kind", ["warc", "visits", "occurrences"])
@pytest.mark.parametrize(
    ("damage", "what"),
    [
        (Path.unlink, "is missing"),
        (lambda path: path.write_bytes(path.read_bytes()[:-3]), "bytes instead of"),
        (lambda path: path.write_bytes(path.read_bytes()[:-9] + bytes(9)), "differs from what was written"),
    ],
)
def test_damaged_files_are_named(kept: Store, kind: str, damage: Callable[[Path], object], what: str) -> None:
    damaged = file(kept, kind)

    damage(damaged)

    found = {problem.where: problem.what for problem in kept.check()}
    assert what in found[f"{kind}/{damaged.name}"]


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("UPDATE versions SET visit = 99 WHERE version = 2", "was read from visit 99, which is missing"),
        ("UPDATE versions SET latest = 1", "2 versions up to number 2, 2 of them the latest"),
        ("UPDATE versions SET offset = offset + 1", "cannot be read: it is not a complete gzip member"),
        ("UPDATE contents SET visit = 99", "has its content from visit 99"),
        ("UPDATE meta SET value = '1' WHERE name = 'last_visit'", "later than the last committed visit, 1"),
        ("UPDATE members SET source = 'nobody'", "of members refers to a row of sources that does not exist"),
        ("UPDATE members SET page = 'nothing'||page", "of members refers to a row of pages that does not exist"),
        ("UPDATE agenda SET page = 'nothing'", "of agenda refers to a row of pages that does not exist"),
        ("UPDATE agenda SET source = 'nobody'", "of agenda refers to a row of sources that does not exist"),
        ("UPDATE fetches SET page = 'nothing'||page", "of fetches refers to a row of pages that does not exist"),
        ("UPDATE verdicts SET page = 'nothing'", "of verdicts refers to a row of pages that does not exist"),
        ("UPDATE fetches SET etag = 'x', page = 'y' WHERE page LIKE '%b'", "its content was never kept"),
        ("UPDATE files SET rows = 9 WHERE kind = 'visits'", "rows instead of 9"),
    ],
)
def test_rows_that_do_not_agree_are_named(kept: Store, statement: str, what: str) -> None:
    change(kept, statement)

    assert any(what in problem.what for problem in kept.check())


def test_a_revisit_of_nothing_and_a_visit_beyond_are_named(archive: Store) -> None:
    with archive.writer() as writer:
        batch = writer.batch()
        batch.visit("a", "https://a", (exchange(b"a"),), same_as=77)
        writer.commit(batch)

    assert [(problem.where, problem.what) for problem in archive.check()] == [
        ("visit 77", "is referred to by another visit, but is missing")
    ]


def test_unfinished_files_are_harmless_and_the_next_writer_removes_them(kept: Store) -> None:
    (kept.folder / "warc" / ".tmp-x").write_bytes(b"half")
    (kept.folder / "visits" / "README").write_text("not ours", encoding="utf-8")

    assert [problem.harmless for problem in kept.check()] == [True]
    with kept.writer():
        pass
    assert list(kept.check()) == []
    assert (kept.folder / "visits" / "README").exists()


def test_a_whole_file_that_no_commit_names_is_a_problem_and_is_moved_never_removed(kept: Store, tmp_path: Path) -> None:
    with Store.open(tmp_path / "other", create=True) as other, other.writer() as writer:
        keep(writer, "news.example/lost", b"found again")
    stray = file(other, "warc")
    shutil.copy(stray, kept.folder / "warc")

    before = [(problem.where, problem.harmless) for problem in kept.check()]
    with kept.writer() as writer:
        moved = writer.set_aside
    after = [(problem.where, problem.harmless) for problem in kept.check()]

    assert before == [(f"warc/{stray.name}", False)]
    assert moved == (kept.folder / "lost+found" / "warc" / stray.name,)
    assert after == [(f"lost+found/warc/{stray.name}", False)]


def test_a_file_that_no_commit_names_and_that_holds_nothing_new_is_harmless(kept: Store) -> None:
    warc = file(kept, "warc")
    (kept.folder / "lost+found" / "warc").mkdir(parents=True)
    (kept.folder / "lost+found" / "warc" / f"{'0' * 64}.warc.gz").write_bytes(warc.read_bytes())

    assert [problem.harmless for problem in kept.check()] == [True]


def test_a_changed_byte_anywhere_in_a_catalogue_that_was_closed_is_named(kept: Store) -> None:
    path = kept.folder / "catalogue.sqlite"
    content = bytearray(path.read_bytes())
    at = content.index(b"changed")
    content[at] ^= 1
    path.write_bytes(content)

    problems = [problem.what for problem in kept.check()]

    assert any("its content differs from what was written" in what for what in problems)
    assert any("article news.example/a, version 2: its row in the catalogue is damaged" in what for what in problems)


def test_a_version_that_does_not_say_what_its_fingerprint_says_is_named(kept: Store) -> None:
    # Whoever changes a row and its digest together has still not changed the fingerprint.
    with sqlite3.connect(kept.folder / "catalogue.sqlite") as connection:
        connection.execute("UPDATE versions SET fingerprint = 'x'")
        connection.row_factory = sqlite3.Row
        for row in connection.execute("SELECT * FROM versions").fetchall():
            changed = (version_digest(dict(row)), row["key"], row["version"])
            connection.execute("UPDATE versions SET digest = ? WHERE key = ? AND version = ?", changed)

    assert any("does not match its fingerprint" in problem.what for problem in kept.check())


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("UPDATE pages SET first_seen = 'yesterday'", "a row of the catalogue is damaged: .*yesterday"),
        ("UPDATE pages SET url = x'33'", "pages news.example/b: its row in the catalogue is damaged .its url is b'3'"),
        ("UPDATE fetches SET attempts = 'many'", "the fetch state of page news.example/b: .* .its attempts is 'many'"),
        ("UPDATE fetches SET state = 'queued'", "the fetch state of page news.example/b: .*'queued' is not a valid"),
        ("UPDATE fetches SET fetched_at = 'today'", "a row of the catalogue is damaged: .*today"),
        ("UPDATE verdicts SET kind = 'poem'", "the verdict on page news.example/b: .*must be one of .* not 'poem'"),
        ("UPDATE verdicts SET probability = 7", "the verdict on page news.example/b: .*between 0 and 1, not 7"),
        ("UPDATE verdicts SET reasons = '{'", "a row of the catalogue is damaged"),
        ("UPDATE verdicts SET evidence = '[1]'", "the verdict on page news.example/b: .* is damaged"),
        ("UPDATE verdicts SET probabilities = '[]'", "the verdict on page news.example/b: .* is damaged"),
        ("UPDATE verdicts SET evidence = '{\"a\": 3}'", "the verdict on page news.example/b: .* is damaged"),
        ("UPDATE members SET anchor = x'00'", "page news.example/b of source news.example: .*its anchor is b"),
        ("UPDATE members SET first_seen = 'once'", "a row of the catalogue is damaged: .*once"),
        ("UPDATE agenda SET reason = 'whim'", "the visit to news.example/b planned for news.example: .*'whim'"),
        ("UPDATE agenda SET priority = 'high'", "the visit to news.example/b planned for news.example: .*'high'"),
        ("UPDATE agenda SET due = ''", "a row of the catalogue is damaged"),
        ("UPDATE sources SET snapshots = 'x'", "source news.example: .*its snapshots is 'x'"),
    ],
)
def test_a_row_that_cannot_hold_what_was_written_is_named_by_the_check_and_by_whoever_reads_it(
    kept: Store, statement: str, what: str
) -> None:
    change(kept, statement)

    problems = [problem.what for problem in kept.check()]

    assert any(re.search(what, problem) for problem in problems)
    with pytest.raises(DamagedRow, match=f"{what}|is damaged"):
        read_all(kept)


def read_all(archive: Store) -> None:
    """Ask for all that the rows of sources and pages say."""
    archive.sources()
    archive.pages(["news.example/a", "news.example/b"])
    archive.agenda(SOURCE.key)
    with archive.writer() as writer:
        writer.members(SOURCE.key, ["news.example/a", "news.example/b"])


def test_damage_to_one_table_does_not_hide_that_to_the_next(kept: Store) -> None:
    change(kept, "UPDATE pages SET first_seen = 'yesterday'")
    change(kept, "UPDATE agenda SET reason = 'whim'")

    problems = " ".join(problem.what for problem in kept.check())

    assert "yesterday" in problems
    assert "whim" in problems


def test_a_page_that_would_never_be_fetched_whole_again_is_named(archive: Store) -> None:
    with archive.writer() as writer:
        batch = writer.batch()
        batch.page(page(fetch=replace(FETCHED, etag='"x"')))
        writer.commit(batch)

    assert [problem.what for problem in archive.check()] == [
        "is only requested if it has changed, although its content was never kept"
    ]


def test_files_that_are_about_to_be_named_are_not_a_problem_while_somebody_writes(kept: Store) -> None:
    found: list[list[str]] = []

    def look(step: str) -> None:
        if step == "before transaction":
            found.append([problem.what for problem in kept.check()])

    with kept.writer(on_step=look) as writer:
        keep(writer, "news.example/c", b"d" * 5000)

    assert found == [[]]
