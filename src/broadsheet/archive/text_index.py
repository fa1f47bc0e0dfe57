"""The index of all words of all articles, in a file of its own that follows from the catalogue.

Whoever searches brings it up to date first, so that a crawl does not pay for searches that nobody makes. It can be
deleted at any time: the next search makes it anew. Every version of an article is in it under the number of its row.
"""

import logging
import os
import sqlite3
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

from sqlalchemy import Connection, func, select

from broadsheet.archive import article_versions, tables
from broadsheet.archive.archive_errors import ArchiveError, DamagedRow
from broadsheet.archive.folder import SEARCH, SEARCH_JOURNALS
from broadsheet.archive.sql_expressions import row_number
from broadsheet.archive.warc_reading import Asking
from broadsheet.base import disk
from broadsheet.base.callbacks import do_nothing
from broadsheet.base.records import Article
from broadsheet.base.search_words import WORDS_VERSION, indexed

#: What is indexed, in the order of the columns.
COLUMNS = ("title", "body", "authors", "section", "language")
#: Hears how many articles of how many were indexed.
IndexProgress = Callable[[int, int], None]

#: Ranking takes some microseconds for each match.
MAX_RANKED = 30_000
_AT_ONCE = 200
_BUSY_SECONDS = 30
# Without a copy of the text. The words come divided by spaces, so all that is not ASCII belongs to one.
_TABLES = (
    f"CREATE VIRTUAL TABLE words USING fts5({', '.join(COLUMNS)}, content='', tokenize='ascii')",
    "CREATE TABLE state (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
)
_log = logging.getLogger(__name__)


class TextIndex:
    """The index of one archive; errors of its file that are not damage are raised as `ArchiveError`."""

    def __init__(self, folder: Path, archive: str, ask: Asking) -> None:
        """Name the archive; the file is opened by the first question."""
        self.path = folder / SEARCH
        self._archive = archive
        self._ask = ask

    def refresh(self, progress: IndexProgress = do_nothing, most: int | None = None) -> bool:
        """Index what is missing, at most so many articles, and return whether everything is indexed.

        An index that is damaged, or does not follow from this catalogue, is made anew.
        """
        self.discard_if_invalid()
        with self._opened("rwc") as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            # What a power failure takes away is indexed again.
            connection.execute("PRAGMA synchronous = NORMAL")
            self._create(connection)
            total = self._ask(lambda catalogue_: _count(catalogue_, _last(connection)))
            done = 0
            while (most is None or done < most) and (added := self._add_some(connection)):
                done += added
                progress(done, total)
        return most is None or done < most

    def discard_if_invalid(self) -> None:
        """Delete an index that is damaged, or that has something which is not in the catalogue any more."""
        if not self._is_valid():
            discard(self.path.parent)

    def is_current(self) -> bool:
        """Return whether all articles are indexed."""
        return self._is_valid() and self.path.exists() and not self._missing()

    def find(self, expression: str) -> Sequence[int]:
        """Return the rows of all versions that match, in the order of their numbers."""
        query = "SELECT rowid FROM words WHERE words MATCH ?"
        with self._opened("ro") as connection:
            return array("q", (number for (number,) in connection.execute(query, (expression,))))

    def best(self, expression: str, most: int) -> list[int]:
        """Return the rows of the versions that match best, the best first; of very many, the newest are ranked."""
        later = "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT 1 OFFSET ?"
        query = "SELECT rowid FROM words WHERE words MATCH ? AND rowid >= ? ORDER BY rank LIMIT ?"
        with self._opened("ro") as connection:
            first = connection.execute(later, (expression, MAX_RANKED - 1)).fetchone()
            ranked = connection.execute(query, (expression, first[0] if first else 0, most))
            return [number for (number,) in ranked]

    def problem(self) -> str | None:
        """Say what is wrong with the file; None where it is sound, or not there."""
        if not self.path.exists():
            return None
        try:
            with closing(self._connect("ro")) as connection:
                found = [text for (text,) in connection.execute("PRAGMA integrity_check") if text != "ok"]
        except sqlite3.Error as error:
            found = [str(error)]
        if not found and not self._is_valid():
            found = ["it does not follow from the catalogue"]
        return " ".join(found[0].split()) if found else None

    def _missing(self) -> int:
        with self._opened("ro") as connection:
            last = _last(connection)
        return self._ask(lambda catalogue_: _count(catalogue_, last))

    def _is_valid(self) -> bool:
        """Return whether the index is that of this catalogue as far as it goes, or is not there."""
        if not self.path.exists():
            return True
        try:
            with closing(self._connect("ro")) as connection:
                state = dict(connection.execute("SELECT name, value FROM state"))
        except sqlite3.DatabaseError as error:
            if "locked" in str(error):
                raise ArchiveError(f"{self.path}: another process is using the index of words: {error}") from error
            return False
        if (state.get("archive"), state.get("version")) != (self._archive, str(WORDS_VERSION)):
            return False
        last, number = int(state.get("last", 0)), int(state.get("number", 0))
        return self._ask(lambda catalogue_: _follows(catalogue_, last, state.get("digest", ""), number))

    def _create(self, connection: sqlite3.Connection) -> None:
        connection.execute("BEGIN IMMEDIATE")
        with _transaction(connection):
            if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'state'").fetchone():
                for statement in _TABLES:
                    connection.execute(statement)
                values = {"archive": self._archive, "version": str(WORDS_VERSION), "last": "0", "number": "0"}
                connection.executemany("INSERT INTO state VALUES (?, ?)", values.items())

    def _add_some(self, connection: sqlite3.Connection) -> int:
        """Index the next articles in one transaction, and return how many those are."""
        last = _last(connection)
        numbers, digest = self._ask(lambda catalogue_: _next(catalogue_, last))
        if not numbers:
            return 0
        found = self._ask(partial(article_versions.read, numbers=numbers))
        rows = [
            (number, *_values(read.stored.article))
            for number, read in zip(numbers, found, strict=True)
            if not isinstance(read, DamagedRow)
        ]
        connection.execute("BEGIN IMMEDIATE")
        with _transaction(connection):
            # Another process may have indexed them meanwhile.
            if _last(connection) == last:
                places = ", ".join("?" * (len(COLUMNS) + 1))
                statement = f"INSERT INTO words (rowid, {', '.join(COLUMNS)}) VALUES ({places})"  # noqa: S608 - our names
                connection.executemany(statement, rows)
                changed = {"last": str(numbers[-1]), "digest": digest}
                connection.executemany("INSERT OR REPLACE INTO state VALUES (?, ?)", changed.items())
                # Damaged articles count too: they are not looked at again.
                more = (len(numbers),)
                connection.execute("UPDATE state SET value = value + ? WHERE name = 'number'", more)
        return len(numbers)

    @contextmanager
    def _opened(self, mode: str) -> Iterator[sqlite3.Connection]:
        try:
            with closing(self._connect(mode)) as connection:
                yield connection
        except sqlite3.Error as error:
            raise ArchiveError(
                f"{self.path}: the index of words failed ({error}); delete the file, and the next search makes it again"
            ) from error

    def _connect(self, mode: str) -> sqlite3.Connection:
        if mode == "ro" and not os.access(self.path.parent, os.W_OK):
            mode = "ro&immutable=1"
        uri = f"{self.path.absolute().as_uri()}?mode={mode}"
        return sqlite3.connect(uri, uri=True, timeout=_BUSY_SECONDS, isolation_level=None)


def discard(folder: Path) -> None:
    """Delete the index of an archive: the next search makes it anew."""
    for name in (SEARCH, *SEARCH_JOURNALS):
        try:
            (folder / name).unlink(missing_ok=True)
        except OSError as error:
            raise ArchiveError(f"cannot delete {folder / name}: {disk.reason(error)}") from error


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """End a transaction that was begun: with all that was done in it, or with nothing."""
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _values(article: Article) -> tuple[str, ...]:
    texts = (article.title, article.body, " ; ".join(article.authors), article.section, article.language)
    return tuple(indexed(text or "") for text in texts)


def _last(connection: sqlite3.Connection) -> int:
    [(value,)] = connection.execute("SELECT value FROM state WHERE name = 'last'")
    return int(value)


def _count(connection: Connection, last: int) -> int:
    """Return how many versions come after one."""
    number = row_number(tables.versions)
    return int(connection.execute(select(func.count()).select_from(tables.versions).where(number > last)).scalar_one())


def _next(connection: Connection, last: int) -> tuple[list[int], str]:
    """Return the rows after one, and the digest of the last of them."""
    number, digest = row_number(tables.versions), tables.versions.c.digest
    found = connection.execute(select(number, digest).where(number > last).order_by(number).limit(_AT_ONCE)).all()
    return [row[0] for row in found], found[-1][1] if found else ""


def _follows(connection: Connection, last: int, digest: str, number: int) -> bool:
    """Return whether an index of so many versions up to a row, which had this digest, is that of the catalogue."""
    if last == 0:
        return number == 0
    row = row_number(tables.versions)
    stored = connection.execute(select(tables.versions.c.digest).where(row == last)).scalar_one_or_none()
    total = connection.execute(select(func.count()).select_from(tables.versions)).scalar_one()
    return stored == digest and total - _count(connection, last) == number
