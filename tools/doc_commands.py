"""Run the commands of a console session in the documentation, and compare what they print with what it shows."""

import os
import pty
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryFile

_SECONDS = 300
_COLUMNS = "120"


def run_commands(session: str) -> list[str]:
    """Run the lines that begin with `$ ` and return what went wrong.

    The lines below a command have to come in its output, in this order; `…` stands for anything.
    """
    wrong = []
    for command, expected in _commands(session):
        code, printed = _run(command)
        if code:
            wrong.append(f"`{command}` ends with exit code {code}: {printed[-500:].strip()}")
        lines = iter(printed.splitlines())
        missing = (line for line in expected if not any(_alike(line, shown) for shown in lines))
        if (line := next(missing, None)) is not None:
            wrong.append(f"`{command}` does not print {line!r}, but {printed[:2000]!r}")
    return wrong


def _commands(session: str) -> Iterator[tuple[str, list[str]]]:
    for part in re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]:
        command, *lines = part.splitlines()
        yield command, [line for line in lines if line.strip()]


def _alike(expected: str, shown: str) -> bool:
    pattern = ".*".join(map(re.escape, expected.strip().split("…")))
    return re.fullmatch(pattern, shown.strip()) is not None


def _run(command: str) -> tuple[int, str]:
    """Run a command as on a terminal, and return its exit code and all that it printed."""
    # The program beside this Python comes first, whatever else is installed.
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)))
    environment = {**os.environ, "PATH": path, "COLUMNS": _COLUMNS, "NO_COLOR": "1"}
    ours, theirs = pty.openpty()
    with TemporaryFile() as messages:
        # Messages are not sent to the terminal, where progress would be drawn over them.
        process = subprocess.Popen(  # noqa: S602 - our own documentation
            command,
            shell=True,
            stdin=subprocess.DEVNULL,
            stdout=theirs,
            stderr=messages,
            env=environment,
        )
        os.close(theirs)
        printed = b"".join(_read(ours))
        os.close(ours)
        code = process.wait(_SECONDS)
        messages.seek(0)
        return code, (printed + messages.read()).decode(errors="replace").replace("\r\n", "\n")


def _read(terminal: int) -> Iterator[bytes]:
    """Give what comes out of a terminal until nobody writes to it any more, which Linux reports as an error."""
    while True:
        try:
            yield os.read(terminal, 65_536)
        except OSError:
            return
