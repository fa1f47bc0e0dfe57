from pathlib import Path

import pytest

from broadsheet.base.errors import InputError
from broadsheet.base.journal import Journal

CONDITIONS = {"experiment": "tiny", "code": "abc"}


def opened(path: Path, conditions: dict[str, str] = CONDITIONS) -> Journal:
    return Journal(path, "experiment", conditions)


def filled(path: Path) -> Path:
    with opened(path) as journal:
        journal.append({"page": "one", "f": 0.5})
        journal.append({"page": "two", "f": 0.7})
    return path


def test_the_next_run_reuses_earlier_rows(tmp_path: Path) -> None:
    path = filled(tmp_path / "out" / "pages.jsonl")

    with opened(path) as journal:
        assert journal.rows == [{"page": "one", "f": 0.5}, {"page": "two", "f": 0.7}]
        assert not journal.replaced


@pytest.mark.parametrize("cut", range(1, 20, 3))
def test_an_incomplete_line_is_measured_again(tmp_path: Path, cut: int) -> None:
    path = filled(tmp_path / "pages.jsonl")
    path.write_bytes(path.read_bytes()[:-cut])

    with opened(path) as journal:
        assert [row["page"] for row in journal.rows] == ["one"]
        journal.append({"page": "two", "f": 0.8})

    with opened(path) as journal:
        assert [row["f"] for row in journal.rows] == [0.5, 0.8]


def test_a_journal_of_other_conditions_is_replaced(tmp_path: Path) -> None:
    path = filled(tmp_path / "pages.jsonl")

    with opened(path, {**CONDITIONS, "code": "def"}) as journal:
        assert journal.replaced
        assert journal.rows == []


def test_an_empty_file_becomes_a_new_journal(tmp_path: Path) -> None:
    path = tmp_path / "pages.jsonl"
    path.write_bytes(b"")

    with opened(path) as journal:
        assert journal.rows == []


def test_a_file_that_is_not_a_journal_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "pages.jsonl"
    path.write_text('{"page": "mine"}\n', encoding="utf-8")

    with pytest.raises(InputError, match="not the journal of an experiment"):
        opened(path)
    assert path.read_text(encoding="utf-8") == '{"page": "mine"}\n'


def test_a_line_that_is_not_json_is_refused(tmp_path: Path) -> None:
    path = filled(tmp_path / "pages.jsonl")
    path.write_bytes(path.read_bytes() + b"one\n")

    with pytest.raises(InputError, match="a line is not valid JSON"):
        opened(path)
