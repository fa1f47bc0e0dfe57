"""One of our own programs in a child process: how to start it, and how it connects back to its parent.

The child's standard input is its end of a wire, and its first argument is the parent's process id. Everything it prints
goes to standard error, so that output of a library cannot get between its packets.
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

from broadsheet.base.parent import exit_with_parent
from broadsheet.base.wire import Wire

# Not run with `-m`, because the processes that it spawns would import that module again. Importing leaves no garbage,
# and looking for some takes an eighth of the time.
_PROGRAM = "import gc, sys; gc.disable(); from {module} import main; gc.enable(); sys.exit(main())"


@dataclass(frozen=True, slots=True)
class Companion:
    """A running program and the wire to it; leaving the `with` block kills it."""

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
        """Start the `main` of a module; `output` receives what it prints, `environment` adds variables.

        The child searches for modules where this process does.
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
                    # Signals of the terminal are for this process, which decides what they mean for its child.
                    start_new_session=True,
                )
        except OSError:
            ours.close()
            raise
        return cls(process, Wire(ours))

    def end(self) -> None:
        """Kill the process and wait for it."""
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


def connect_to_parent(*, first: Callable[[], None] | None = None, grace: float = 0.0) -> Wire:
    """Return the wire to the parent process, and end when the parent does (see `exit_with_parent`)."""
    exit_with_parent(int(sys.argv[1]), first=first, grace=grace)
    wire = Wire(socket.socket(fileno=os.dup(0)))
    # Neither prints of this process nor its children may touch the wire.
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    return wire


def _module_path() -> str:
    return os.pathsep.join(str(Path(entry).absolute()) for entry in sys.path)
