import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from broadsheet.base.errors import InputError
from broadsheet.document import parse
from broadsheet.reading import extract, names, read

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
everything = reader_plugin:read_all
nothing = reader_plugin:read_too_little
broken = reader_plugin:not_there
"""


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package that registers readers, as pip would install it."""
    (tmp_path / "reader_plugin.py").write_text(PLUGIN)
    info = tmp_path / "reader_plugin-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: reader-plugin\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRIES)
    monkeypatch.syspath_prepend(tmp_path)
    yield
    sys.modules.pop("reader_plugin", None)


def test_there_are_six_built_in_readers() -> None:
    assert names()[:6] == ("default", "coreex", "subsequence", "separator", "visual", "memory")


def test_an_unknown_reader_is_reported_with_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"no reader .corex.; choose one of default, coreex, subsequence, separator"):
        read(parse("<p>One</p>"), "corex")


@pytest.mark.usefixtures("plugin")
def test_a_package_registers_a_reader_by_entry_point() -> None:
    article = extract("<nav>Menu</nav><p>Text</p>", reader="everything")

    assert "everything" in names()
    assert article is not None
    assert article.body == "Menu\n\nText"
    assert article.evidence["body"] == "reader everything"


@pytest.mark.usefixtures("plugin")
def test_a_reader_that_cannot_be_loaded_is_reported() -> None:
    with pytest.raises(InputError, match="cannot load the reader broken from reader_plugin:not_there"):
        read(parse("<p>One</p>"), "broken")


@pytest.mark.usefixtures("plugin")
def test_a_reader_must_label_every_piece() -> None:
    with pytest.raises(InputError, match="the reader nothing returned 0 labels for 1 text pieces"):
        read(parse("<p>One</p>"), "nothing")
