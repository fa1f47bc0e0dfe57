"""Folders that are not archives, and archives of unknown layouts, are refused in one line."""

import sqlite3
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import pytest
from sqlalchemy import Table

from broadsheet.archive import (
    AgendaEntry,
    ArchiveError,
    FetchRecord,
    Membership,
    PageRecord,
    SourceRecord,
    Store,
    VerdictRecord,
    tables,
)
from broadsheet.base.records import Verdict
from tests.archive.samples import keep


def set_meta(archive: Store, name: str, value: str) -> None:
    connection = sqlite3.connect(archive.folder / "catalogue.sqlite")
    connection.execute("UPDATE meta SET value = ? WHERE name = ?", (value, name))
    connection.commit()
    connection.close()


def test_a_folder_that_is_missing_or_no_archive_is_named(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match="nowhere: no such folder"):
        Store.open(tmp_path / "nowhere")
    with pytest.raises(ArchiveError, match=r"is not an archive \(it has no catalogue.sqlite\)"):
        Store.open(tmp_path)


def test_a_file_in_place_of_the_folder_is_named(tmp_path: Path) -> None:
    file = tmp_path / "news"
    file.touch()

    with pytest.raises(ArchiveError, match="news: is not the folder of an archive, but a file"):
        Store.open(file)
    with pytest.raises(ArchiveError, match="news: is a file: name a folder for the archive"):
        Store.open(file, create=True)


def test_a_folder_with_other_things_is_not_made_an_archive(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").touch()

    with pytest.raises(ArchiveError, match=r"is not an archive and contains other files \(thesis.tex, …\)"):
        Store.open(tmp_path, create=True)


def test_opening_with_create_opens_what_is_there(archive: Store) -> None:
    with archive.writer() as writer:
        keep(writer, "a", b"a")

    with Store.open(archive.folder, create=True) as again:
        assert again.id == archive.id
        assert len(list(again.articles())) == 1


def test_a_creation_that_was_interrupted_is_completed(tmp_path: Path) -> None:
    (tmp_path / "warc").mkdir()
    (tmp_path / "catalogue.sqlite").touch()

    with pytest.raises(ArchiveError, match="lacks the tables of an archive"):
        Store.open(tmp_path)
    with Store.open(tmp_path, create=True) as archive, archive.writer() as writer:
        keep(writer, "a", b"a")


@pytest.mark.parametrize("damage", [Path.unlink, lambda path: path.write_bytes(b"")])
def test_files_without_their_catalogue_are_refused_and_left_alone(
    archive: Store, damage: Callable[[Path], object]
) -> None:
    with archive.writer() as writer:
        keep(writer, "a", b"a")
    archive.close()
    files = sorted((archive.folder / "warc").iterdir())

    damage(archive.folder / "catalogue.sqlite")

    with pytest.raises(ArchiveError, match="broadsheet repair"):
        Store.open(archive.folder, create=True)
    with pytest.raises(ArchiveError, match="broadsheet repair"):
        Store.open(archive.folder)
    assert sorted((archive.folder / "warc").iterdir()) == files


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("layout", "12", r"written by a newer version of this program \(layout 12, not 11\)"),
        ("layout", "0", "written by an older version"),
        ("key_version", "99", r"keys of version 99, but this program only supports version 1"),
        ("layout", "x", "is damaged or not that of an archive"),
    ],
)
def test_another_layout_is_refused(archive: Store, name: str, value: str, reason: str) -> None:
    set_meta(archive, name, value)

    with pytest.raises(ArchiveError, match=reason):
        Store.open(archive.folder)


@pytest.mark.parametrize("content", [b"hello " * 1000, b"SQLite format 3\x00" + bytes(5000)])
def test_a_catalogue_that_is_damaged_is_named(archive: Store, content: bytes) -> None:
    archive.close()
    (archive.folder / "catalogue.sqlite").write_bytes(content)

    with pytest.raises(ArchiveError, match=r"damaged|lacks the tables"):
        Store.open(archive.folder)


def test_a_catalogue_of_something_else_is_refused(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "catalogue.sqlite")
    connection.execute("CREATE TABLE meta (name TEXT, value TEXT)")
    connection.close()

    with pytest.raises(ArchiveError, match="is damaged or not that of an archive"):
        Store.open(tmp_path)


@pytest.mark.parametrize(
    ("table", "record"),
    [
        (tables.sources, SourceRecord),
        (tables.fetches, FetchRecord),
        (tables.members, Membership),
        (tables.agenda, AgendaEntry),
    ],
)
def test_the_tables_hold_all_that_the_records_have(table: Table, record: type) -> None:
    assert {column.name for column in table.c} - {"page"} == {field.name for field in fields(record)} - {"page"}


def test_the_tables_of_pages_and_verdicts_hold_all_that_their_records_have() -> None:
    parts = {"fetch", "judged"}
    assert {column.name for column in tables.pages.c} == {field.name for field in fields(PageRecord)} - parts
    said = {field.name for record in (Verdict, VerdictRecord) for field in fields(record)} - {"verdict"}
    assert {column.name for column in tables.verdicts.c} - {"page"} == said
