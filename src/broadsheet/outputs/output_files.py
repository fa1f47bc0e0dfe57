"""Files that appear when they are complete, and leave nothing behind where they do not get there."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from broadsheet.base.disk import reason
from broadsheet.base.errors import InputError


@contextmanager
def replacing(out: Path) -> Iterator[Path]:
    """Give the name of a temporary file beside a file, and put it in the file's place when all went well."""
    # The name alone: a file that was made here already could be left behind before anybody knows of it.
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
