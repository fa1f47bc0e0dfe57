"""PAGE arguments: a file, a folder of pages, a URL, or '-' for standard input."""

import os
import re
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from broadsheet.base.errors import InputError, TooManyBytes
from broadsheet.base.page_names import SUFFIXES, WARC_SUFFIXES
from broadsheet.cli.signatures import foreign

STANDARD_INPUT = "-"

_SPECIAL = {
    stat.S_IFIFO: "a FIFO",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
_URL = re.compile(r"([a-z][a-z0-9+.-]*)://", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Source:
    """Where one page comes from; without path and URL it is standard input, with an error it cannot be read."""

    name: str
    path: Path | None = None
    error: InputError | None = None
    url: str | None = None
    #: Why it is passed over, where it lies in a folder and cannot be a page.
    skipped: str | None = None


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a page came from, as far as that is known; `offset` is where its record begins in a WARC file."""

    name: str
    url: str | None = None
    file: str | None = None
    offset: int | None = None
    fetched_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Loaded:
    """One page to work on, and what is known of it from where it came."""

    origin: Origin
    #: Its bytes as received, or its text where a browser has made it.
    content: bytes | str
    content_type: str | None = None


def is_warc(path: Path) -> bool:
    """Say whether a file is a WARC file, which holds many pages, by its name."""
    return path.name.lower().endswith(WARC_SUFFIXES)


def find(arguments: Iterable[str]) -> list[Source]:
    """Return the pages that arguments name; a folder stands for its pages, in the order of their names."""
    return [source for argument in arguments for source in _expand(argument)]


def read(source: Source, stdin: BinaryIO, max_bytes: int) -> bytes:
    """Return a page's bytes; what cannot be a page, or is too long, is refused before it is read whole."""
    if source.error is not None:
        raise source.error
    try:
        content = _read(source.path, stdin, max_bytes)
    except OSError as error:
        raise InputError(_reason(error)) from error
    return checked(content, max_bytes)


def checked(content: bytes, max_bytes: int) -> bytes:
    """Return a page's bytes; what is empty, too long or plainly something else is refused."""
    _check(len(content), max_bytes)
    if not content.strip():
        raise InputError("is empty")
    if kind := foreign(content):
        raise InputError(f"is not a page but {kind}")
    return content


def _expand(argument: str) -> Iterator[Source]:
    if argument == STANDARD_INPUT:
        yield Source(argument)
    elif scheme := _URL.match(argument):
        is_page = scheme[1].lower() in ("http", "https")
        error = None if is_page else InputError("only http and https addresses can be fetched")
        yield Source(argument, error=error, url=argument)
    elif os.path.isdir(argument):  # noqa: PTH112 - unlike Path.is_dir it answers for any name, even a broken one
        yield from _walk(argument)
    else:
        yield Source(argument, Path(argument))


def _walk(folder: str) -> Iterator[Source]:
    """Give the pages of a folder, then of its subfolders; each real folder once, so that no link loops."""
    failures: list[OSError] = []
    seen: set[tuple[int, int]] = set()
    found = False
    for path, subfolders, names in os.walk(folder, onerror=failures.append, followlinks=True):
        status = Path(path).stat()
        if (status.st_dev, status.st_ino) in seen:
            subfolders.clear()
            continue
        seen.add((status.st_dev, status.st_ino))
        subfolders.sort()
        for name in sorted(names):
            if Path(name).suffix.lower() in SUFFIXES or is_warc(Path(name)):
                found = True
                yield _in_folder(Path(path, name))
    for failure in failures:
        yield Source(str(failure.filename), error=InputError(_reason(failure)))
    if not found and not failures:
        yield Source(folder, error=InputError(f"holds no pages ({', '.join((*sorted(SUFFIXES), *WARC_SUFFIXES))})"))


def _in_folder(path: Path) -> Source:
    """Give a file of a folder; nobody asked for a FIFO or a device by its name, and reading one could take forever."""
    try:
        mode = path.stat().st_mode
    except OSError as error:
        return Source(str(path), error=InputError(_reason(error)))
    kind = _SPECIAL.get(stat.S_IFMT(mode))
    return Source(str(path), path, skipped=f"{path} is {kind}, not a file" if kind else None)


def _read(path: Path | None, stdin: BinaryIO, max_bytes: int) -> bytes:
    if path is None:
        content = stdin.read(max_bytes + 1)
    else:
        # The size is asked first, because refusing a huge file should cost nothing; a pipe, which has none,
        # or a file that grows meanwhile is stopped by the second check.
        _check(path.stat().st_size, max_bytes)
        with path.open("rb") as file:
            content = file.read(max_bytes + 1)
    return content


def _check(size: int, max_bytes: int) -> None:
    if size > max_bytes:
        raise TooManyBytes(size, max_bytes)


def _reason(error: OSError) -> str:
    return f"cannot be read: {error.strerror or error}"
