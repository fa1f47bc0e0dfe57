from pathlib import Path

import pytest

from broadsheet.base.clock import SystemClock
from broadsheet.base.counters import Counters
from broadsheet.base.errors import InputError
from broadsheet.base.provenance import Provenance
from broadsheet.experiments import _page_journal as module
from broadsheet.experiments._page_journal import FILE, page_journal
from broadsheet.experiments.experiment import Context


@pytest.fixture
def lines() -> list[str]:
    """The lines shown to the user."""
    return []


@pytest.fixture
def context(tmp_path: Path, lines: list[str]) -> Context:
    return Context(folder=tmp_path / "out", clock=SystemClock(), counters=Counters(), say=lines.append)


def fill(context: Context) -> None:
    with page_journal(context, "tiny", ["base"]) as journal:
        journal.append("one", {"f": 0.5})
        journal.append("one", {"f": 0.9})
        journal.append("two", {"f": 0.7})


def test_the_next_run_knows_the_last_row_of_a_page(context: Context, lines: list[str]) -> None:
    fill(context)

    with page_journal(context, "tiny", ["base"]) as journal:
        assert journal.known == {"one": {"f": 0.9}, "two": {"f": 0.7}}
    assert lines == []


def test_a_forgotten_row_is_not_known(context: Context) -> None:
    with page_journal(context, "tiny", ["base"]) as journal:
        journal.append("one", {"f": 0.5})
        journal.forget("one")
        journal.forget("two")

        assert journal.known == {}


@pytest.mark.parametrize("other", [Provenance("b", "m", "s"), Provenance("c", "n", "s"), Provenance("c", "m", "t")])
def test_rows_of_other_code_or_models_are_discarded_with_a_notice(
    context: Context, lines: list[str], other: Provenance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "provenance", lambda _: Provenance("c", "m", "s"))
    fill(context)

    monkeypatch.setattr(module, "provenance", lambda _: other)
    with page_journal(context, "tiny", ["base"]) as journal:
        assert journal.known == {}

    [line] = lines
    assert line.endswith("is from other code, models or settings: all pages are measured again")


def test_a_line_that_is_not_a_row_is_refused(context: Context) -> None:
    fill(context)
    path = context.folder / FILE
    path.write_bytes(path.read_bytes() + b"[1]\n")

    with pytest.raises(InputError, match="not a row of a page journal"), page_journal(context, "tiny", ["base"]):
        pass
