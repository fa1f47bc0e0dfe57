import json
from pathlib import Path

import pytest

from broadsheet.base.errors import InputError
from broadsheet.base.provenance import Provenance
from broadsheet.corpora.measures import Overlap
from broadsheet.corpora.results import Result, ResultFile, digest, unique
from tests.corpora import tiny


def result(page: str = "tiny/one", system: str = "peer", correct: int = 3) -> Result:
    return Result(
        page=page, corpus="tiny", site="courier.example", language="en", digest="d", system=system, version="1",
        seconds=0.25, error=None, exact=False, overlaps={"words": Overlap(correct, 4, 5)},
        labels={"title": Overlap(1, 1, 1)}, took=((1, 3), (7, 8)),
    )  # fmt: skip


def test_a_result_round_trips() -> None:
    assert Result.from_row(json.loads(json.dumps(result().to_row()))) == result()


def test_results_are_stored_and_loaded_again(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    with ResultFile(path, resume=False) as file:
        file.append(result("tiny/one"))
    with ResultFile(path, resume=True) as file:
        file.append(result("tiny/two"))

    with ResultFile(path, resume=True) as file:
        assert [result.page for result in file.results] == ["tiny/one", "tiny/two"]


@pytest.mark.parametrize("cut", range(1, 40, 7))
def test_an_incomplete_line_is_replaced(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "run.jsonl"
    with ResultFile(path, resume=False) as file:
        file.append(result("tiny/one"))
        file.append(result("tiny/two"))
    path.write_bytes(path.read_bytes()[:-cut])

    with ResultFile(path, resume=True) as file:
        assert [result.page for result in file.results] == ["tiny/one"]
        file.append(result("tiny/two"))
    with ResultFile(path, resume=True) as file:
        assert [result.page for result in file.results] == ["tiny/one", "tiny/two"]


def test_existing_results_are_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    ResultFile(path, resume=False).__exit__(None, None, None)

    with pytest.raises(InputError, match="already exists: pass --resume to continue it"):
        ResultFile(path, resume=False)


def test_a_file_that_is_not_a_journal_is_refused_and_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("notes\n", encoding="utf-8")

    with pytest.raises(InputError, match=r"notes\.txt is not the journal of an evaluation"):
        ResultFile(path, resume=True)
    assert path.read_text(encoding="utf-8") == "notes\n"


@pytest.mark.parametrize("line", ['{"page": 1}', "[]", "no JSON"])
def test_a_line_that_is_not_a_result_is_refused_and_unchanged(tmp_path: Path, line: str) -> None:
    path = tmp_path / "run.jsonl"
    with ResultFile(path, resume=False) as file:
        file.append(result())
    content = path.read_text(encoding="utf-8") + line + "\n"
    path.write_text(content, encoding="utf-8")

    with pytest.raises(InputError, match=r"run\.jsonl"):
        ResultFile(path, resume=True)
    assert path.read_text(encoding="utf-8") == content


@pytest.mark.parametrize("other", [Provenance("b", "m", "s"), Provenance("c", "n", "s"), Provenance("c", "m", "t")])
def test_results_of_other_code_are_discarded(tmp_path: Path, other: Provenance) -> None:
    path, made_with = tmp_path / "run.jsonl", Provenance("c", "m", "s")
    with ResultFile(path, False, made_with) as file:
        file.append(result())

    with ResultFile(path, True, made_with) as same:
        assert (len(same.results), same.replaced) == (1, False)
    with ResultFile(path, True, other) as file:
        assert (file.results, file.replaced) == ([], True)


def test_the_last_of_duplicate_results_counts() -> None:
    assert unique([result(correct=1), result(correct=2), result("tiny/a")]) == [result("tiny/a"), result(correct=2)]


def test_a_changed_page_or_label_has_another_digest() -> None:
    same, page, label = tiny.page(), tiny.page(markup="<p>other</p>"), tiny.page(title="Other")

    assert digest(same) == digest(tiny.page())
    assert len({digest(each) for each in (same, page, label)}) == 3
