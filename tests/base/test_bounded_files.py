from pathlib import Path

import pytest

from broadsheet.base.bounded_files import read_bounded
from broadsheet.base.errors import InputError


def test_a_file_is_read_up_to_its_longest_and_refused_beyond(tmp_path: Path) -> None:
    path = tmp_path / "list"
    path.write_bytes(b"12345")

    assert read_bounded(path, 5, "a list") == b"12345"
    with pytest.raises(InputError, match=r"^is longer than 4 bytes, which is too much for a list$"):
        read_bounded(path, 4, "a list")


def test_a_file_without_an_end_is_not_read_to_it() -> None:
    endless = Path("/dev/zero")
    if not endless.exists():
        pytest.skip("this system has no endless file")

    with pytest.raises(InputError, match="is longer than 100 bytes"):
        read_bounded(endless, 100, "a list")


def test_what_cannot_be_read_is_told_in_the_words_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^cannot be read: No such file or directory$"):
        read_bounded(tmp_path / "none", 5, "a list")
