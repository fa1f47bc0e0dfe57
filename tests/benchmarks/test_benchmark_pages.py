from collections import Counter
from pathlib import Path

import pytest
from benchmarks.pages import Page, SourceError, index, sample


def test_packed_and_unpacked_corpora_give_the_same_pages(folder: Path, packed: Path) -> None:
    assert sample(packed, 5, seed=3) == sample(folder, 5, seed=3)


def test_only_pages_are_read(packed: Path) -> None:
    assert len(index(packed)) == 14
    assert sample(packed / "small.tar.xz", 99, seed=1)[0].id == "small/0"


def test_a_single_archive_may_have_any_name(packed: Path) -> None:
    renamed = (packed / "small.tar.xz").rename(packed.parent / "other.tar.xz")
    assert [page.id for page in sample(renamed, 99, seed=1)] == ["small/0", "small/1"]


def test_sample_is_spread_over_the_corpora(folder: Path) -> None:
    drawn = Counter(page.id.split("/")[0] for page in sample(folder, 9, seed=1))
    assert drawn["small"] == 2
    assert {drawn["big"], drawn["middle"]} == {3, 4}


def test_a_sample_depends_only_on_the_seed_and_grows(folder: Path) -> None:
    assert sample(folder, 6, seed=1) == sample(folder, 6, seed=1)
    assert sample(folder, 6, seed=1) != sample(folder, 6, seed=2)
    assert set(sample(folder, 6, seed=1)) < set(sample(folder, 7, seed=1))
    assert len(sample(folder, 1000, seed=1)) == 14


def test_pages_are_utf_8_whatever_they_declare() -> None:
    page = Page.decode("a", '<meta charset="latin-1">ä'.encode() + b"\xff")
    assert page.text.endswith("ä\ufffd")


def test_a_source_without_pages_gets_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "page.txt").write_text("no archive")
    for source in (tmp_path, tmp_path / "absent", tmp_path / "page.txt"):
        with pytest.raises(SourceError, match=str(source)) as caught:
            sample(source, 1, seed=1)
        assert "\n" not in str(caught.value)
