"""Files of which it is known how long they can be at most."""

from pathlib import Path

from broadsheet.base.errors import InputError


def read_bounded(path: Path, most: int, what: str) -> bytes:
    """Return the content of a file; raise if it cannot be read, or is too long for what it should be.

    The message goes on after the path, which the caller puts before it. No more is read than may be there.
    """
    try:
        with path.open("rb") as file:
            content = file.read(most + 1)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}") from error
    if len(content) > most:
        raise InputError(f"is longer than {most:,} bytes, which is too much for {what}")
    return content
