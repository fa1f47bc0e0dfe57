"""The log of a crawl: one line per event with its time in UTC, appended to a file that may be rotated meanwhile."""

import logging
from dataclasses import dataclass
from datetime import UTC, datetime
from logging.handlers import RotatingFileHandler, WatchedFileHandler
from typing import Any

from broadsheet.base.safe_text import escaped, escaped_line

#: Old files of a log that is rotated by size.
BACKUPS = 5
_OURS = "broadsheet"


@dataclass(frozen=True, slots=True)
class CrawlLog:
    """Where a crawl is logged, and the least level that is: debug, info, warning or error.

    With `max_bytes`, a file that has grown to that size is renamed to `FILE.1` and a new one is begun; so many old ones
    as `BACKUPS` are kept. Without, another program may rotate the file.
    """

    path: str
    level: str = "info"
    max_bytes: int = 0

    def open(self) -> None:
        """Log to the file from now on, for the rest of the process; one that cannot be written is an `OSError`."""
        text: dict[str, Any] = {"encoding": "utf-8", "errors": "backslashreplace"}
        handler: logging.Handler = (
            RotatingFileHandler(self.path, maxBytes=self.max_bytes, backupCount=BACKUPS, **text)
            if self.max_bytes
            else WatchedFileHandler(self.path, **text)
        )
        handler.setFormatter(_Entries())
        level = logging.getLevelNamesMapping()[self.level.upper()]
        if level > logging.DEBUG:
            handler.addFilter(_is_of_interest)
        root = logging.getLogger()
        root.addHandler(handler)
        root.setLevel(level)


class _Entries(logging.Formatter):
    """Entries that hold text of pages: it is escaped, and an entry has one line, but for a traceback."""

    def format(self, record: logging.LogRecord) -> str:
        moment = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        lines = [f"{moment} {record.levelname} {escaped_line(record.getMessage())}"]
        if record.exc_info:
            # Lines that are indented cannot be taken for entries.
            lines += [f"    {line}" for line in escaped(self.formatException(record.exc_info)).split("\n")]
        return "\n".join(lines)


def _is_of_interest(record: logging.LogRecord) -> bool:
    """Leave out what libraries say when nothing is wrong: it is much, and says nothing of the pages."""
    return record.name.startswith(_OURS) or record.levelno >= logging.WARNING
