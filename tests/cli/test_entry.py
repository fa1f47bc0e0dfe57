# ruff: noqa: S603 - the program that is started is ours
import os
import subprocess
import sys
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType

import pytest

from broadsheet.cli import entry, exits

ROOT = Path(__file__).parents[2]
#: Stands for a module that is being loaded when Ctrl-C comes.
INTERRUPTED = "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(10)\n"


def test_an_interrupt_during_imports_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "webencodings.py").write_text(INTERRUPTED, encoding="utf-8")
    program = (
        "import sys, broadsheet.cli.entry as entry\n"
        f"sys.path.insert(0, {str(tmp_path)!r})\n"
        "sys.modules.pop('webencodings', None)\n"
        "entry.start()"
    )

    ended = subprocess.run(
        [sys.executable, "-c", program, "parse", "-"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        timeout=600,
        check=False,
    )

    assert (ended.returncode, ended.stderr) == (exits.INTERRUPTED, b"broadsheet: interrupted\n")


def test_an_interrupt_at_exit_is_reported_even_without_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    loaded = ModuleType("broadsheet.cli.main")
    monkeypatch.setattr(loaded, "run", interrupted, raising=False)
    monkeypatch.setitem(sys.modules, "broadsheet.cli.main", loaded)
    monkeypatch.setattr(sys, "stderr", None)

    with pytest.raises(SystemExit) as leaving:
        entry.start()

    assert leaving.value.code == exits.INTERRUPTED


def test_the_installed_program_starts_there() -> None:
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]

    assert EntryPoint("broadsheet", scripts["broadsheet"], "console_scripts").load() is entry.start
