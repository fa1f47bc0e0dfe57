"""What a person types to call the program again."""

import os
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path

PROGRAM = "broadsheet"


def invocation(script: str, command_line: Sequence[str]) -> str:
    """Return how the program was called: by its name where that is enough, or else as it stood on the command line."""
    if Path(script).name == "__main__.py":
        return f"{shlex.quote(command_line[0])} -m {PROGRAM}"
    found = shutil.which(PROGRAM)
    # Another one of the same name may come first on the PATH.
    if not Path(script).exists() or (found and os.path.samefile(found, script)):  # noqa: PTH121
        return PROGRAM
    return shlex.quote(script)
