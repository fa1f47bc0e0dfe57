import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from broadsheet.base.errors import InputError
from broadsheet.document import parse
from broadsheet.reading import extract, names, read, readers

PLUGIN = """
import numpy as np
from broadsheet.base.records import Label, Reading


def read_all(document, *, exact=False):
    size = len(document.pieces)
    return Reading(np.full(size, Label.BODY), np.ones(size), "everything")


def read_too_little(document, *, exact=False):
    return Reading(np.zeros(0), np.zeros(0), "nothing")
"""
ENTRIES = """[broadsheet.readers]
everything = house_plugin:read_all
nothing = house_plugin:read_too_little
broken = house_plugin:not_there
"""


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package that adds readers, as pip would install it."""
    (tmp_path / "house_plugin.py").write_text(PLUGIN)
    info = tmp_path / "house_plugin-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: house-plugin\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRIES)
    monkeypatch.syspath_prepend(tmp_path)
    readers._added.cache_clear()
    yield
    readers._added.cache_clear()
    sys.modules.pop("house_plugin", None)


def test_the_house_has_four_readers() -> None:
    assert names()[:4] == ("default", "coreex", "subsequence", "separator")


def test_an_unknown_reader_is_named_with_those_there_are() -> None:
    with pytest.raises(InputError, match=r"called .corex.; there are default, coreex, subsequence, separator"):
        read(parse("<p>One</p>"), "corex")


@pytest.mark.usefixtures("plugin")
def test_a_package_adds_a_reader_by_its_entry_point() -> None:
    article = extract("<nav>Menu</nav><p>Text</p>", reader="everything")

    assert "everything" in names()
    assert article is not None
    assert article.body == "Menu\n\nText"
    assert article.evidence["body"] == "reader everything"


@pytest.mark.usefixtures("plugin")
def test_a_reader_that_cannot_be_loaded_is_named() -> None:
    with pytest.raises(InputError, match="the reader broken cannot be loaded from house_plugin:not_there"):
        read(parse("<p>One</p>"), "broken")


@pytest.mark.usefixtures("plugin")
def test_a_reader_must_label_every_piece() -> None:
    with pytest.raises(InputError, match="nothing gave 0 labels for 1 pieces of text"):
        read(parse("<p>One</p>"), "nothing")
