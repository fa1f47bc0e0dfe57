import io
from datetime import UTC, datetime
from pathlib import Path

import pytest

from broadsheet.base.clock import ManualClock
from broadsheet.base.counters import Counted
from broadsheet.base.errors import InputError
from broadsheet.cli import exits
from broadsheet.cli.batch import Batch
from broadsheet.cli.console import Console


def make(folder: Path, *names: str) -> tuple[Batch, io.StringIO]:
    (folder / "good.html").write_bytes(b"good")
    (folder / "empty.html").write_bytes(b"")
    stderr = io.StringIO()
    clock = ManualClock(datetime(2026, 3, 2, tzinfo=UTC))
    console = Console(io.BytesIO(), io.StringIO(), stderr, clock, 100)
    return Batch([str(folder / name) for name in names], console, 1000), stderr


@pytest.mark.parametrize(
    ("names", "code"),
    [
        (["good.html"], exits.DONE),
        (["good.html", "empty.html"], exits.SOME_FAILED),
        (["empty.html"], exits.FAILED),
    ],
)
def test_the_exit_code_tells_whether_all_some_or_none_were_done(tmp_path: Path, names: list[str], code: int) -> None:
    batch, _ = make(tmp_path, *names)

    list(batch.results(lambda name, content: (name, content)))

    assert batch.exit_code == code


def test_failures_are_named_and_counted_by_kind(tmp_path: Path) -> None:
    batch, stderr = make(tmp_path, "empty.html", "good.html")

    results = list(batch.results(lambda _, content: content))

    assert (results, len(batch)) == ([b"good"], 2)
    assert batch.counters.snapshot() == {Counted("failed", "InputError"): 1, Counted("done"): 1}
    assert stderr.getvalue() == f"broadsheet: {tmp_path}/empty.html: is empty\n"


def test_a_page_that_the_work_refuses_has_failed(tmp_path: Path) -> None:
    def refuse(name: str, content: bytes) -> None:
        raise InputError(f"{len(name) and content.decode()} for nothing")

    batch, stderr = make(tmp_path, "good.html")

    list(batch.results(refuse))

    assert batch.exit_code == exits.FAILED
    assert stderr.getvalue().endswith("good.html: good for nothing\n")
