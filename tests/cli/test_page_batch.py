import io
import os
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from broadsheet.base.clock import Clock, ManualClock, SystemClock
from broadsheet.base.counters import Counted
from broadsheet.base.errors import BroadsheetError, InputError, TooManyNodes
from broadsheet.cli import exits
from broadsheet.cli import page_batch as batches
from broadsheet.cli.attempts import attempt
from broadsheet.cli.console import Console
from broadsheet.cli.inputs import LoadedPage, Origin
from broadsheet.cli.page_batch import PageBatch


def make(folder: Path, *names: str, clock: Clock | None = None) -> tuple[PageBatch, io.StringIO]:
    (folder / "empty.html").write_bytes(b"")
    for name in {*names} - {"empty.html"}:
        (folder / name).write_bytes(Path(name).stem.encode())
    stderr = io.StringIO()
    console = Console(io.BytesIO(), io.StringIO(), stderr, clock or ManualClock(datetime(2026, 3, 2, tzinfo=UTC)), 100)
    return PageBatch([str(folder / name) for name in names], console, 1000), stderr


def content(page: LoadedPage) -> bytes | str:
    return page.content


def refuse(page: LoadedPage) -> None:
    raise InputError(f"{page.content!r} for nothing")


def behave(page: LoadedPage) -> bytes | str:
    """Behave as the content of the page demands."""
    match page.content:
        case b"die":
            os._exit(9)
        case b"hang":
            time.sleep(60)
        case b"hog":
            return b"x" * 4_000_000_000
        case b"cap":
            raise TooManyNodes(2, 1)
        case b"bug":
            raise ZeroDivisionError("no page should do this")
        case b"slow":
            time.sleep(0.5)
    return page.content


@pytest.mark.parametrize(
    ("names", "code"),
    [
        (["good.html"], exits.DONE),
        (["good.html", "empty.html"], exits.SOME_FAILED),
        (["empty.html"], exits.FAILED),
    ],
)
def test_the_exit_code_distinguishes_all_some_and_none_done(tmp_path: Path, names: list[str], code: int) -> None:
    batch, _ = make(tmp_path, *names)

    list(batch.pages(content))

    assert batch.exit_code == code


def test_failures_are_reported_and_counted_by_type(tmp_path: Path) -> None:
    batch, stderr = make(tmp_path, "empty.html", "good.html")

    results = list(batch.pages(content))

    assert (results, len(batch)) == ([(Origin(f"{tmp_path}/good.html", file=f"{tmp_path}/good.html"), b"good")], 2)
    assert batch.counters.snapshot() == {Counted("failed", "InputError"): 1, Counted("done"): 1}
    assert stderr.getvalue() == f"broadsheet: {tmp_path}/empty.html: is empty\n"


def test_a_page_that_the_work_rejects_has_failed(tmp_path: Path) -> None:
    batch, stderr = make(tmp_path, "good.html")

    list(batch.pages(refuse))

    assert batch.exit_code == exits.FAILED
    assert stderr.getvalue().endswith("good.html: b'good' for nothing\n")


def test_a_page_that_a_change_rejects_is_reported_by_its_own_name(tmp_path: Path) -> None:
    def change(page: LoadedPage) -> LoadedPage:
        raise InputError(f"cannot be shown ({len(page.content)})")

    batch, stderr = make(tmp_path, "good.html")

    assert not list(batch.pages(content, change=change))
    assert stderr.getvalue() == f"broadsheet: {tmp_path}/good.html: cannot be shown (4)\n"


def test_a_missing_dependency_stops_the_work() -> None:
    def work(page: LoadedPage) -> None:
        raise BroadsheetError(f"no browser for {page.origin.name}")

    with pytest.raises(BroadsheetError, match="no browser for a"):
        attempt(work, LoadedPage(Origin("a"), b""))


def test_several_processes_keep_the_order_of_results(tmp_path: Path) -> None:
    names = ["slow.html", *(f"{number}.html" for number in range(20)), "empty.html", "slow.htm", "last.html"]
    here, _ = make(tmp_path, *names)
    spread, stderr = make(tmp_path, *names, clock=SystemClock())

    assert list(spread.pages(behave, jobs=2)) == list(here.pages(behave))
    assert spread.exit_code == here.exit_code == exits.SOME_FAILED
    assert stderr.getvalue() == f"broadsheet: {tmp_path}/empty.html: is empty\n"


@pytest.mark.parametrize(
    ("pages", "asked", "started"), [(2, None, 1), (24, None, 1), (25, None, 2), (200, None, 4), (2, 8, 2), (9, 3, 3)]
)
def test_few_pages_start_few_processes_unless_more_are_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pages: int, asked: int | None, started: int
) -> None:
    sizes: list[int] = []

    class RecordingPool:
        def __init__(self, _: object, size: int, *_terms: object, **_more: object) -> None:
            sizes.append(size)

        def ordered(self, _: object) -> list[object]:
            return []

    monkeypatch.setattr(batches, "Pool", RecordingPool)
    monkeypatch.setattr(batches, "cores", lambda: 4)
    batch, _ = make(tmp_path, *(f"{number}.html" for number in range(pages)))

    list(batch.pages(content, jobs=asked))

    assert sizes == [started]


def test_a_page_that_crashes_its_worker_is_reported_and_the_others_continue(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batches, "MAX_SECONDS", 1.0)
    names = ["a.html", "die.html", "b.html", "hang.html", "hog.html", "c.html", "cap.html", "bug.html", "d.html"]
    batch, stderr = make(tmp_path, *names, clock=SystemClock())

    results = list(batch.pages(behave, jobs=2))

    assert [result for _, result in results] == [b"a", b"b", b"c", b"d"]
    assert batch.exit_code == exits.SOME_FAILED
    assert [line.partition(f"{tmp_path}/")[2] for line in stderr.getvalue().splitlines()] == [
        "die.html: the process died",
        "hang.html: took more than 1 s",
        "hog.html: took more than 1,500 MB of memory",
        "cap.html: the page's number of nodes is 2 or more; at most 1 is allowed",
        "bug.html: unexpected ZeroDivisionError: no page should do this",
    ]
    assert batch.counters.snapshot() == {
        Counted("done"): 4,
        Counted("failed", "Lost"): 3,
        Counted("failed", "TooManyNodes"): 1,
        Counted("failed", "ZeroDivisionError"): 1,
    }
