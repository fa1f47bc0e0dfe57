"""What a program finds in `broadsheet` itself."""

from importlib import import_module

import pytest

import broadsheet


def test_every_public_name_is_there_and_is_listed() -> None:
    pytest.importorskip("sqlalchemy")

    found = {name: getattr(broadsheet, name) for name in broadsheet.__all__}

    assert sorted(found, key=str) == sorted(dir(broadsheet))
    assert {"Archive", "Article", "Document", "FetchedPage", "Page", "Verdict"} <= found.keys()
    assert {name for name, value in found.items() if getattr(value, "__name__", name) != name} == set()


def test_what_makes_and_takes_the_public_records_agrees_with_them() -> None:
    page = broadsheet.analyse("<html><title>A storm</title><p>It came from the west, they say.</p></html>")

    assert isinstance(page, broadsheet.Page)
    assert isinstance(page.document, broadsheet.Document)
    assert isinstance(page.verdict, broadsheet.Verdict)
    assert isinstance(page.article, broadsheet.Article)


def test_an_unknown_name_is_refused_as_python_does() -> None:
    with pytest.raises(AttributeError, match="broadsheet has no nothing"):
        _ = broadsheet.nothing


def test_every_name_that_the_archive_loads_late_is_there_and_an_unknown_one_is_refused() -> None:
    pytest.importorskip("sqlalchemy")
    archive = import_module("broadsheet.archive")

    found = {name: getattr(archive, name) for name in archive.__all__}

    assert callable(found["repair"])
    assert callable(found["source_graph"])
    with pytest.raises(AttributeError, match=r"broadsheet\.archive has no attribute nothing"):
        _ = archive.nothing
