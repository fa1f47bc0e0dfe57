"""What was measured page by page, a line of JSON each, so that an interrupted experiment goes on where it was."""

import json
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from broadsheet.base.errors import InputError

Row = dict[str, Any]

_FORMAT = "broadsheet experiment"


class Journal:
    """Rows by page on disk; those that were measured under other conditions are not taken up again."""

    def __init__(self, path: Path, conditions: Mapping[str, object]) -> None:
        """Open the journal; what a run under the same conditions left is `known`, and anything else is begun anew."""
        header = json.dumps({"format": _FORMAT, "version": 1, **conditions}, sort_keys=True).encode() + b"\n"
        #: Rows by the name of their page.
        self.known: dict[str, Row] = {}
        #: Whether a journal of other conditions was there, and is gone.
        self.replaced = False
        path.parent.mkdir(parents=True, exist_ok=True)
        whole = 0
        if path.exists():
            self.known, whole = _read(path, header)
            self.replaced = not whole
        self._file: BinaryIO = path.open("r+b" if whole else "wb")
        # The last line of a run that was killed may be cut short; that page is measured again.
        self._file.truncate(whole)
        self._file.seek(whole)
        if not whole:
            self._file.write(header)

    def append(self, page: str, row: Row) -> None:
        """Keep a page's row, and hand it to the operating system."""
        self._file.write(json.dumps({"page": page, **row}, ensure_ascii=False).encode() + b"\n")
        self._file.flush()
        self.known[page] = row

    def forget(self, page: str) -> None:
        """Take no row for a page's: what was measured of it is not of the page as it is now."""
        self.known.pop(page, None)

    def __enter__(self) -> Self:
        """Use the journal until the block ends."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the journal."""
        self._file.close()


def _read(path: Path, header: bytes) -> tuple[dict[str, Row], int]:
    """Return the rows and the length of what is whole, both empty where the conditions are others."""
    data = path.read_bytes()
    whole = data.rfind(b"\n") + 1
    first, *lines = data[:whole].splitlines(keepends=True) or [b""]
    if data and _FORMAT.encode() not in first:
        raise InputError(f"{path} is not a journal of an experiment: name another folder with -o")
    if first != header:
        return {}, 0
    rows: dict[str, Row] = {}
    for line in lines:
        try:
            row = json.loads(line)
            rows[row.pop("page")] = row
        except (ValueError, KeyError, AttributeError, TypeError) as error:
            raise InputError(f"{path}: a line is not a row of a journal ({error})") from error
    return rows, whole
