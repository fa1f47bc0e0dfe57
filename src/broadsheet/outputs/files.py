"""Files that appear when they are complete, and leave nothing behind where they do not get there."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from broadsheet.base.disk import reason
from broadsheet.base.errors import InputError


@contextmanager
def replacing(out: Path) -> Iterator[Path]:
    """Give a temporary file beside a file, and put it in the file's place when all went well."""
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{out.name}.", suffix=".tmp", dir=out.parent)
        os.close(descriptor)
    except OSError as error:
        raise InputError(f"{out} cannot be written: {reason(error)}") from error
    path = Path(name)
    try:
        yield path
        # Temporary files are for their owner's eyes alone; this one is going to be like any other.
        mask = os.umask(0)
        os.umask(mask)
        path.chmod(0o666 & ~mask)
        with path.open("rb") as file:
            os.fsync(file.fileno())
        path.replace(out)
    except OSError as error:
        raise InputError(f"{out} cannot be written: {reason(error)}") from error
    finally:
        path.unlink(missing_ok=True)
