"""A journal of results, one JSON object per line, from which an interrupted run resumes."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

from broadsheet.base.closable import Closable
from broadsheet.base.errors import InputError

Row = dict[str, Any]


class Journal(Closable):
    """Rows on disk; rows measured under other conditions are discarded."""

    def __init__(self, path: Path, work: str, conditions: Mapping[str, object]) -> None:
        """Open the journal of some work, such as "evaluation"; the conditions are everything its rows depend on.

        `rows` has the rows of earlier runs under the same conditions; a journal of other conditions is replaced.
        """
        header = json.dumps({"format": _format(work), "version": 1, **conditions}, sort_keys=True).encode() + b"\n"
        self.rows: list[Row] = []
        #: Whether a journal of other conditions was replaced.
        self.replaced = False
        path.parent.mkdir(parents=True, exist_ok=True)
        complete = 0
        if path.exists():
            self.rows, complete = _read(path, work, header)
            self.replaced = not complete
        self._file: BinaryIO = path.open("r+b" if complete else "wb")
        # The last line of a killed run may be incomplete; it is measured again.
        self._file.truncate(complete)
        self._file.seek(complete)
        if not complete:
            self._file.write(header)

    def append(self, row: Row) -> None:
        """Write a row and flush it to the operating system."""
        self._file.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")
        self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _format(work: str) -> str:
    return f"broadsheet {work}"


def _read(path: Path, work: str, header: bytes) -> tuple[list[Row], int]:
    """Return the rows and the length of the complete lines; nothing of either if the conditions differ."""
    data = path.read_bytes()
    complete = data.rfind(b"\n") + 1
    first, *lines = data[:complete].splitlines(keepends=True) or [b""]
    if data and _format(work).encode() not in first:
        raise InputError(f"{path} is not the journal of an {work}: choose another file or folder")
    if first != header:
        return [], 0
    try:
        rows = [json.loads(line) for line in lines]
    except ValueError as error:
        raise InputError(f"{path}: a line is not valid JSON ({error}); remove the file to start over") from error
    return rows, complete
