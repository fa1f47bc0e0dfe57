"""What was measured, a line of JSON each, so that an interrupted run goes on where it was."""

import json
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from broadsheet.base.errors import InputError

Row = dict[str, Any]


class Journal:
    """Rows on disk; those that were measured under other conditions are not taken up again."""

    def __init__(self, path: Path, work: str, conditions: Mapping[str, object]) -> None:
        """Open the journal of some work, such as "evaluation"; the conditions are all that its rows depend on.

        What a run under the same conditions left is in `rows`; a journal of other conditions is begun anew.
        """
        header = json.dumps({"format": _format(work), "version": 1, **conditions}, sort_keys=True).encode() + b"\n"
        self.rows: list[Row] = []
        #: Whether a journal of other conditions was there, and is gone.
        self.replaced = False
        path.parent.mkdir(parents=True, exist_ok=True)
        whole = 0
        if path.exists():
            self.rows, whole = _read(path, work, header)
            self.replaced = not whole
        self._file: BinaryIO = path.open("r+b" if whole else "wb")
        # The last line of a run that was killed may be cut short; it is measured again.
        self._file.truncate(whole)
        self._file.seek(whole)
        if not whole:
            self._file.write(header)

    def append(self, row: Row) -> None:
        """Keep a row, and hand it to the operating system."""
        self._file.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")
        self._file.flush()

    def __enter__(self) -> Self:
        """Use the journal until the block ends."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the journal."""
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _format(work: str) -> str:
    return f"broadsheet {work}"


def _read(path: Path, work: str, header: bytes) -> tuple[list[Row], int]:
    """Return the rows and the length of what is whole, both empty where the conditions are others."""
    data = path.read_bytes()
    whole = data.rfind(b"\n") + 1
    first, *lines = data[:whole].splitlines(keepends=True) or [b""]
    if data and _format(work).encode() not in first:
        raise InputError(f"{path} is not a journal of an {work}: name another file or folder")
    if first != header:
        return [], 0
    try:
        rows = [json.loads(line) for line in lines]
    except ValueError as error:
        raise InputError(f"{path}: a line is not JSON ({error}); remove the file to begin anew") from error
    return rows, whole
