"""A signal to terminate lets the program clean up."""

import os
import signal
from collections.abc import Iterable
from pathlib import Path

import pytest

from broadsheet.archive import Store, export
from broadsheet.cli.signals import Terminated, graceful_termination
from broadsheet.outputs.output import Output
from broadsheet.outputs.writers import Style
from tests.archive.samples import keep


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_raises_an_exit_with_the_code_of_a_shell(number: signal.Signals) -> None:
    # A run under `nohup` ignores one of them.
    before = signal.signal(number, signal.SIG_DFL)
    try:
        with pytest.raises(Terminated) as ended, graceful_termination():
            os.kill(os.getpid(), number)
        after = signal.getsignal(number)
    finally:
        signal.signal(number, before)

    assert (ended.value.code, ended.value.signal) == (128 + number, number.name)
    assert after is signal.SIG_DFL


def test_a_second_signal_does_not_interrupt_the_cleanup() -> None:
    tidied = []

    def work() -> None:
        try:
            os.kill(os.getpid(), signal.SIGTERM)
        finally:
            os.kill(os.getpid(), signal.SIGTERM)
            os.kill(os.getpid(), signal.SIGHUP)
            tidied.append(True)

    with pytest.raises(Terminated), graceful_termination():
        work()

    assert tidied == [True]


def test_an_ignored_signal_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with graceful_termination():
            os.kill(os.getpid(), signal.SIGHUP)
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_terminated_export_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def half(outputs: Iterable[Output], style: Style, path: Path) -> int:
        path.write_text(f"half of {style.form}", encoding="utf-8")
        os.kill(os.getpid(), signal.SIGTERM)
        return len(list(outputs))

    monkeypatch.setattr(export, "write_file", half)
    with Store.open(tmp_path / "news", create=True) as archive:
        with archive.writer() as writer:
            keep(writer, "news.example/a", b"a", title="A")
        with pytest.raises(Terminated), graceful_termination():
            export.export(archive, "jsonl", tmp_path / "out.jsonl")

    assert [path.name for path in tmp_path.iterdir()] == ["news"]
