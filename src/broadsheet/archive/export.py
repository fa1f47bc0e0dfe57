"""An archive's articles in formats that other programs read, or all that it fetched as one WARC file."""

import gzip
import io
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from broadsheet.archive.archive_errors import ArchiveError, DamagedRow
from broadsheet.archive.archive_records import StoredArticle
from broadsheet.archive.catalogue import OnDamage
from broadsheet.archive.durable_files import is_intact
from broadsheet.archive.store import Store
from broadsheet.base.moments import Moment
from broadsheet.outputs import formats
from broadsheet.outputs.output import Output
from broadsheet.outputs.output_columns import ARCHIVED, archive_row
from broadsheet.outputs.output_files import replacing
from broadsheet.outputs.writers import Style, write_file

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_COPIED_AT_ONCE = 1 << 20

FORMATS = (*formats.FORMATS, formats.WARC)


def output(stored: StoredArticle) -> Output:
    """Return an article as it is written to any format."""
    return Output(
        article=stored.article,
        verdict=stored.article.verdict,
        url=stored.article.url,
        file=stored.warc,
        offset=stored.offset,
        length=stored.length,
        fetched_at=stored.fetched_at,
        key=stored.key,
        source=stored.source,
        version=stored.version,
        model=stored.model,
        story=stored.story,
    )


def row(stored: StoredArticle) -> dict[str, Any]:
    """Return an article with all that is known of where it comes from, in plain types that JSON knows."""
    return archive_row(output(stored))


def export(  # noqa: PLR0913 - what is to be written, and where
    archive: Store,
    form: str,
    out: Path,
    *,
    since: Moment | None = None,
    until: Moment | None = None,
    words: Sequence[str] = (),
    source: str | None = None,
    overwrite: bool = False,
    on_damage: OnDamage | None = None,
    raw_cells: bool = False,
) -> int:
    """Write articles to a file that appears when it is complete, and return how many.

    In CSV, text that a spreadsheet would take for a formula has an apostrophe before it, unless `raw_cells` is set.

    WARC files are all of the archive's, and their number is returned; they stay compressed unless the name of the file
    ends in .warc. A file that is there already is replaced only with `overwrite`. What is damaged raises `DamagedRow`,
    or is passed to `on_damage` and left out.
    """
    if form not in FORMATS:
        raise ArchiveError(f"{form!r} is not a known format; use one of {', '.join(FORMATS)}")
    if form == formats.WARC and (since or until or words or source):
        raise ArchiveError("a WARC export is always complete: it cannot be limited by date, words or source")
    if out.is_dir():
        raise ArchiveError(f"{out} is a folder: give the path of a file")
    if out.exists() and not overwrite:
        raise ArchiveError(f"{out} already exists: choose another name, or allow it to be overwritten")
    with replacing(out) as temporary:
        if form == formats.WARC:
            return _warc(archive, temporary, on_damage, compressed=not out.name.lower().endswith(".warc"))
        articles = archive.articles(since, source, until=until, words=words, on_damage=on_damage)
        return write_file(map(output, articles), Style(form, ARCHIVED, raw_cells), temporary)


def _warc(archive: Store, out: Path, on_damage: OnDamage | None, *, compressed: bool) -> int:
    """Put the intact files one after the other: gzip members stay members."""
    number = 0
    with out.open("wb") as file:
        for part in _intact(archive, on_damage):
            with io.BufferedReader(part, _COPIED_AT_ONCE) as packed:
                shutil.copyfileobj(packed if compressed else _unpacked(packed), file)
            number += 1
    return number


def _unpacked(file: "io.BufferedReader[FilePart]") -> BinaryIO:
    return gzip.GzipFile(fileobj=file)  # type: ignore[return-value]  # it reads bytes as any file does


class FilePart(io.RawIOBase):
    """Some of the bytes of a file, read as a file of their own."""

    def __init__(self, path: Path, offset: int, size: int) -> None:
        """Open the file at the first of the bytes."""
        self._file = path.open("rb")
        self._file.seek(offset)
        self._left = size

    def readable(self) -> bool:
        """Say that bytes can be read."""
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        """Read the next bytes."""
        with memoryview(buffer) as view:
            number = self._file.readinto(view[: self._left])
        self._left -= number
        return number

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        super().close()


def _intact(archive: Store, on_damage: OnDamage | None) -> Iterator[FilePart]:
    for listed in archive.warc_places():
        # While others are being copied, a file may be merged into another and removed: its bytes then lie there.
        place = listed
        while not (path := archive.folder / "warc" / place.warc).exists() and (moved := archive.locate(place)):
            place = moved
        problem = _problem(path)
        if problem is None:
            yield FilePart(path, place.offset, place.length)
            continue
        damaged = DamagedRow(f"warc/{path.name}: {problem}; `broadsheet repair` saves what can be saved")
        if on_damage is None:
            raise damaged
        on_damage(damaged)


def _problem(path: Path) -> str | None:
    """Say what is wrong with a file that is named by its hash."""
    try:
        return None if is_intact(path) else "its content differs from what was written"
    except FileNotFoundError:
        return "is missing"
