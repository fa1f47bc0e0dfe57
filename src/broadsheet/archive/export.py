"""An archive's articles in formats that other programs read, written one article at a time."""

import csv
import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import uuid4

import pyarrow as pa
import pyarrow.parquet as pq

from broadsheet.archive.archive import Archive
from broadsheet.archive.articles import sound
from broadsheet.archive.catalogue import OnDamage
from broadsheet.archive.errors import ArchiveError, DamagedRow, from_system
from broadsheet.archive.files import is_intact
from broadsheet.archive.records import StoredArticle
from broadsheet.base.moments import Moment

#: Articles that are turned into columns at a time.
_ROWS_AT_ONCE = 500

_FLAT = ("title", "authors", "published", "modified", "language", "description", "section", "headings", "body")
_ABOUT = ("key", "source", "version", "fetched_at", "warc", "offset", "length", "model")
_COLUMNS = ("url", "canonical_url", *_FLAT, "topics", "site_name", "paywalled", *_ABOUT)
_TEXTS = pa.list_(pa.string())
_TYPES = {
    **dict.fromkeys(("authors", "headings", "topics"), _TEXTS),
    **dict.fromkeys(("version", "offset", "length"), pa.int64()),
    "paywalled": pa.bool_(),
    "fetched_at": pa.timestamp("us", tz="UTC"),
}
#: How a cell begins that a spreadsheet calculates instead of showing it.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
#: Times of a page stay text, because a column of times has one offset and pages have many.
SCHEMA = pa.schema([(name, _TYPES.get(name, pa.string())) for name in _COLUMNS])


def row(stored: StoredArticle) -> dict[str, Any]:
    """Return an article with all that is known of where it comes from, in plain types that JSON knows."""
    about = {name: getattr(stored, name) for name in _ABOUT}
    return {**stored.article.to_dict(), **about, "fetched_at": stored.fetched_at.isoformat()}


def export(  # noqa: PLR0913 - what is to be written, and where
    archive: Archive,
    form: str,
    out: Path,
    *,
    since: Moment | None = None,
    source: str | None = None,
    force: bool = False,
    on_damage: OnDamage | None = None,
    raw_cells: bool = False,
) -> int:
    """Write articles to a file that appears when it is complete, and return how many.

    In CSV, text that a spreadsheet would take for a formula has an apostrophe before it, unless `raw_cells` is set.

    WARC files are all of the archive's, as they are, and their number is returned. A file that is there
    already is replaced only by force. What is damaged raises `DamagedRow`, or is passed to `on_damage` and left out.
    """
    if form not in FORMATS:
        raise ArchiveError(f"{form!r} is no format: write {', '.join(FORMATS)}")
    if form == "warc" and (since or source):
        raise ArchiveError("WARC files are exported whole, not by date or source")
    if out.is_dir():
        raise ArchiveError(f"{out} is a folder: name a file in it")
    if out.exists() and not force:
        raise ArchiveError(f"{out} is there already, and is replaced only by force")
    temporary = out.with_name(f".{out.name}.{uuid4().hex}.tmp")
    try:
        if form == "warc":
            number = _warc(archive, temporary, on_damage)
        elif form == "csv":
            number = _csv(archive.articles(since, source, on_damage=on_damage), temporary, raw_cells)
        else:
            number = _WRITERS[form](archive.articles(since, source, on_damage=on_damage), temporary)
        with temporary.open("rb") as file:
            os.fsync(file.fileno())
        temporary.replace(out)
    except OSError as error:
        raise from_system(error, out) from error
    finally:
        temporary.unlink(missing_ok=True)
    return number


def _warc(archive: Archive, out: Path, on_damage: OnDamage | None) -> int:
    """Put the committed files one after the other: gzip members stay members."""
    number = 0
    with out.open("wb") as file:
        for path in archive.warcs():
            problem = _problem(path)
            if problem is None:
                with path.open("rb") as part:
                    shutil.copyfileobj(part, file)
                number += 1
                continue
            damaged = DamagedRow(f"warc/{path.name}: {problem}; `broadsheet repair` saves what can be saved")
            if on_damage is None:
                raise damaged
            on_damage(damaged)
    return number


def _problem(path: Path) -> str | None:
    """Say what is wrong with a file that is named by its hash."""
    try:
        return None if is_intact(path) else "its bytes are not those that were written"
    except FileNotFoundError:
        return "is missing"


def _text(pieces: Iterable[str], out: Path) -> int:
    number = 0
    # Half of a surrogate pair, which broken pages hold, is no UTF-8; in JSON this is how it is escaped.
    with out.open("w", encoding="utf-8", errors="backslashreplace") as file:
        for piece in pieces:
            file.write(piece)
            number += 1
    return number


def _jsonl(articles: Iterator[StoredArticle], out: Path) -> int:
    return _text((_json(stored) + "\n" for stored in articles), out)


def _array(articles: Iterator[StoredArticle], out: Path) -> int:
    with out.open("w", encoding="utf-8", errors="backslashreplace") as file:
        number = 0
        for number, stored in enumerate(articles, start=1):
            file.write(("[\n" if number == 1 else ",\n") + _json(stored))
        file.write("\n]\n" if number else "[]\n")
    return number


def _markdown(articles: Iterator[StoredArticle], out: Path) -> int:
    return _text(
        (("\n---\n\n" if number else "") + stored.article.to_markdown() for number, stored in enumerate(articles)), out
    )


def _csv(articles: Iterator[StoredArticle], out: Path, raw_cells: bool = False) -> int:
    """Write a row an article; what is a list on the page has a line each in its cell."""
    with out.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
        writer = csv.DictWriter(file, _COLUMNS, extrasaction="ignore")
        writer.writeheader()
        number = 0
        for stored in articles:
            cells = row(stored)
            writer.writerow({name: _cell(cells[name], raw_cells) for name in _COLUMNS})
            number += 1
    return number


def _parquet(articles: Iterator[StoredArticle], out: Path) -> int:
    number = 0
    with pq.ParquetWriter(out, SCHEMA, compression="zstd") as writer:
        while stored := list(islice(articles, _ROWS_AT_ONCE)):
            rows = [{**_sound(row(one)), "fetched_at": one.fetched_at} for one in stored]
            writer.write_table(
                pa.Table.from_pylist([{name: cells[name] for name in _COLUMNS} for cells in rows], SCHEMA)
            )
            number += len(stored)
    return number


def _sound(cells: dict[str, Any]) -> dict[str, Any]:
    """Return cells that are UTF-8: half of a surrogate pair is not, and becomes a question mark."""
    return {
        name: [sound(item) if isinstance(item, str) else item for item in cell]
        if isinstance(cell, list)
        else (sound(cell) if isinstance(cell, str) else cell)
        for name, cell in cells.items()
    }


def _json(stored: StoredArticle) -> str:
    return json.dumps(row(stored), ensure_ascii=False)


def _cell(value: object, raw: bool) -> object:
    """Return what a cell holds; numbers are ours, and text is a page's."""
    text = "\n".join(map(str, value)) if isinstance(value, list) else value
    return f"'{text}" if not raw and isinstance(text, str) and text.startswith(_FORMULA) else text


_WRITERS: dict[str, Callable[[Iterator[StoredArticle], Path], int]] = {
    "jsonl": _jsonl,
    "json": _array,
    "csv": _csv,
    "parquet": _parquet,
    "md": _markdown,
}
FORMATS = (*_WRITERS, "warc")
