"""What is known to be wrong about labelled pages teaches no model."""

from collections.abc import Callable
from pathlib import Path

import pytest

from broadsheet.base.counters import Counters
from broadsheet.corpora import kind_errata, label_errata
from broadsheet.corpora.kind_errata import KindErratum
from broadsheet.corpora.labelled_page import Split
from broadsheet.training import _fact_examples, _labelled_addresses, _visual_examples
from broadsheet.training.line_model import _examples
from tests.corpora import tiny

TRAIN: frozenset[Split] = frozenset({"train"})
#: The pages that each model learns from.
LEARNED: dict[str, Callable[[Path], list[str]]] = {
    "lines": lambda data: [page.labels.name for page in _examples.choose(data, TRAIN, Counters())],
    "looks": lambda data: [page.labels.name for page in _visual_examples.choose(data, TRAIN, Counters())],
    "addresses": lambda data: [
        address.url.rpartition("/")[2]
        for address in _labelled_addresses.page_addresses(data, "train")
        if address.kind == "article"
    ],
}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    tiny.folder(tmp_path / "pages", "harbour", [tiny.row(name, split="train") for name in ("right", "wrong")])
    return tmp_path


@pytest.mark.parametrize("model", LEARNED)
def test_a_page_whose_kind_is_wrong_is_left_out(model: str, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = LEARNED[model](data)
    monkeypatch.setattr(kind_errata, "known_kind_errata", lambda: {"harbour/wrong": KindErratum("other", "a product")})

    learned = LEARNED[model](data)

    assert before == ["right", "wrong"]
    assert learned == ["right"]


@pytest.mark.parametrize("model", ["lines", "looks"])
def test_wrong_labels_of_a_page_are_left_out(model: str, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = dict.fromkeys(("body", "title", "date", "authors"), "those of another page")
    monkeypatch.setattr(label_errata, "known_errata", lambda: {"harbour/wrong": wrong})

    assert LEARNED[model](data) == ["right"]


def test_a_wrong_fact_is_left_out_and_the_others_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = tiny.packed(tiny.folder(tmp_path, "fundus", [tiny.row("wrong", split="train")]))
    (tmp_path / "pages").mkdir()
    archive.rename(tmp_path / "pages" / archive.name)
    monkeypatch.setattr(label_errata, "known_errata", lambda: {"fundus/wrong": {"date": "that of the last change"}})

    [page] = _fact_examples.labelled_pages(tmp_path, lambda _: True, Counters())

    assert page.labels.gold.date is None
    assert page.labels.gold.title == "Crane falls into the harbour"
