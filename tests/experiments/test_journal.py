from pathlib import Path

import pytest

from broadsheet.base.errors import InputError
from broadsheet.experiments.journal import Journal

CONDITIONS = {"experiment": "tiny", "code": "abc"}


def filled(path: Path) -> Path:
    with Journal(path, CONDITIONS) as journal:
        journal.append("one", {"f": 0.5})
        journal.append("two", {"f": 0.7})
    return path


def test_what_was_measured_is_known_to_the_next_run(tmp_path: Path) -> None:
    path = filled(tmp_path / "out" / "pages.jsonl")

    with Journal(path, CONDITIONS) as journal:
        assert journal.known == {"one": {"f": 0.5}, "two": {"f": 0.7}}
        assert not journal.replaced


def test_a_line_that_was_cut_short_is_measured_again(tmp_path: Path) -> None:
    path = filled(tmp_path / "pages.jsonl")
    path.write_bytes(path.read_bytes()[:-5])

    with Journal(path, CONDITIONS) as journal:
        assert list(journal.known) == ["one"]
        journal.append("two", {"f": 0.8})

    with Journal(path, CONDITIONS) as journal:
        assert journal.known == {"one": {"f": 0.5}, "two": {"f": 0.8}}


def test_the_last_row_of_a_page_counts(tmp_path: Path) -> None:
    path = filled(tmp_path / "pages.jsonl")
    with Journal(path, CONDITIONS) as journal:
        journal.append("one", {"f": 0.9})

    with Journal(path, CONDITIONS) as journal:
        assert journal.known["one"] == {"f": 0.9}


def test_other_conditions_begin_anew(tmp_path: Path) -> None:
    path = filled(tmp_path / "pages.jsonl")

    with Journal(path, {**CONDITIONS, "code": "def"}) as journal:
        assert journal.replaced
        assert journal.known == {}


def test_a_journal_that_was_cut_in_its_first_line_begins_anew(tmp_path: Path) -> None:
    path = filled(tmp_path / "pages.jsonl")
    path.write_bytes(b"")

    with Journal(path, CONDITIONS) as journal:
        assert journal.known == {}


def test_a_file_of_something_else_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "pages.jsonl"
    path.write_text('{"page": "mine"}\n', encoding="utf-8")

    with pytest.raises(InputError, match="not a journal of an experiment"):
        Journal(path, CONDITIONS)
    assert path.read_text(encoding="utf-8") == '{"page": "mine"}\n'


def test_a_line_that_is_no_row_is_refused(tmp_path: Path) -> None:
    path = filled(tmp_path / "pages.jsonl")
    path.write_bytes(path.read_bytes() + b"[1]\n")

    with pytest.raises(InputError, match="not a row of a journal"):
        Journal(path, CONDITIONS)
