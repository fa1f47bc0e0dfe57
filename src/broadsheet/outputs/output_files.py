"""Atomic files: they appear when they are complete, and leave nothing behind if they fail."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from broadsheet.base.disk import reason
from broadsheet.base.errors import InputError


@contextmanager
def replacing(out: Path) -> Iterator[Path]:
    """Yield the name of a temporary file next to `out`, and rename it to `out` on success."""
    # Only the name: a file created here could be left behind if we are killed before the caller knows of it.
    path = out.with_name(f".{out.name}.{uuid4().hex}.tmp")
    try:
        yield path
        with path.open("rb") as file:
            os.fsync(file.fileno())
        path.replace(out)
    except OSError as error:
        raise InputError(f"{out} cannot be written: {reason(error)}") from error
    finally:
        path.unlink(missing_ok=True)
