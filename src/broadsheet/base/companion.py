"""A program of ours in a process of its own: how it is started, and how it answers to whoever started it.

Its standard input is its end of a wire, and its first argument is the process that started it. What it prints goes to
standard error, as what comes from a library must not get between its packets.
"""

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from broadsheet.base.parent import end_with
from broadsheet.base.wire import Wire

# Not run as a module, because the processes that it starts would load that module again.
_PROGRAM = "import sys; from {module} import main; sys.exit(main())"


@dataclass(frozen=True, slots=True)
class Companion:
    """A running program and the wire to it; it is killed where a `with` block is left."""

    process: subprocess.Popen[bytes]
    wire: Wire

    @classmethod
    def start(
        cls,
        module: str,
        *arguments: str,
        output: IO[bytes] | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> Self:
        """Start the `main` of a module; `output` takes what it prints, and `environment` adds to that of this process.

        Modules are found where this process found its own.
        """
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                process = subprocess.Popen(  # noqa: S603 - every part of the command is ours
                    [sys.executable, "-P", "-c", _PROGRAM.format(module=module), str(os.getpid()), *arguments],
                    stdin=theirs.fileno(),
                    stdout=output,
                    stderr=output,
                    env={**os.environ, "PYTHONPATH": _module_path(), **(environment or {})},
                    # The terminal's signals are for this process, which passes on what they mean.
                    start_new_session=True,
                )
        except OSError:
            ours.close()
            raise
        return cls(process, Wire(ours))

    def end(self) -> None:
        """Kill the process, and see that it is gone."""
        self.wire.close()
        self.process.kill()
        self.process.wait()

    def __enter__(self) -> Self:
        """Use the program until the block ends."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the program."""
        self.end()


def attend(*, first: Callable[[], None] | None = None, grace: float = 0.0) -> Wire:
    """Return the wire to the process that started this one, and end with that process as `end_with` has it."""
    end_with(int(sys.argv[1]), first=first, grace=grace)
    wire = Wire(socket.socket(fileno=os.dup(0)))
    # Neither what this process prints nor what it starts has anything to do with the wire.
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return wire


def _module_path() -> str:
    return os.pathsep.join(str(Path(entry).absolute()) for entry in sys.path)
