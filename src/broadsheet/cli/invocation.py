"""The command that runs the program, for use in suggestions."""

import os
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path

PROGRAM = "broadsheet"


def invocation(script: str, command_line: Sequence[str]) -> str:
    """Return the command that ran the program: its bare name if that finds it, otherwise the path that was used."""
    if Path(script).name == "__main__.py":
        return f"{shlex.quote(command_line[0])} -m {PROGRAM}"
    on_path = shutil.which(PROGRAM)
    # Another program of the same name may come first on the PATH.
    if not Path(script).exists() or (on_path and os.path.samefile(on_path, script)):  # noqa: PTH121
        return PROGRAM
    return shlex.quote(script)
