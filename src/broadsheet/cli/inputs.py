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
from broadsheet.cli.signatures import non_page_kind

STANDARD_INPUT = "-"

_SPECIAL = {
    stat.S_IFIFO: "a FIFO",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
_URL = re.compile(r"([a-z][a-z0-9+.-]*)://", re.IGNORECASE)
#: What may be an address without its scheme: `example.org`, `www.example.org/story`.
_HOST_FIRST = re.compile(r"(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?(?:[/?#].*)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Source:
    """Where to read a page; standard input if there is neither a path nor a URL, unreadable if there is an error."""

    name: str
    path: Path | None = None
    error: InputError | None = None
    url: str | None = None
    #: Why a file in a folder is skipped, if it cannot be a page.
    skipped: str | None = None


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a page came from, as far as known; `offset` is the start of its record in a WARC file."""

    name: str
    url: str | None = None
    file: str | None = None
    offset: int | None = None
    fetched_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class LoadedPage:
    """The content of a page and where it came from."""

    origin: Origin
    #: The bytes as received, or text if a browser rendered the page.
    content: bytes | str
    content_type: str | None = None


def is_warc(path: Path) -> bool:
    """Return whether a file is a WARC file, going by its name."""
    return path.name.lower().endswith(WARC_SUFFIXES)


def find(arguments: Iterable[str]) -> list[Source]:
    """Return the sources that the arguments name; a folder is replaced by its pages, sorted by name."""
    return [source for argument in arguments for source in _expand(argument)]


def read(source: Source, stdin: BinaryIO, max_bytes: int) -> bytes:
    """Read a page; raise `InputError` if it is too long, without reading all of it, or cannot be a page."""
    if source.error is not None:
        raise source.error
    try:
        content = _read(source.path, stdin, max_bytes)
    except FileNotFoundError as error:
        raise InputError(f"{_reason(error)}{_hint(source.name)}") from error
    except OSError as error:
        raise InputError(_reason(error)) from error
    return checked(content, max_bytes)


def checked(content: bytes, max_bytes: int) -> bytes:
    """Return the content if it can be a page; raise `InputError` if it is empty, too long or in another format."""
    _check(len(content), max_bytes)
    if not content.strip():
        raise InputError("is empty")
    if kind := non_page_kind(content):
        raise InputError(f"is not a page but {kind}")
    return content


def _expand(argument: str) -> Iterator[Source]:
    if not argument:
        # As when a variable of a script is not set; as a path it would be the current folder.
        yield Source(
            "''", error=InputError("names no page; give a file, a folder, an address, or - for standard input")
        )
    elif argument == STANDARD_INPUT:
        yield Source(argument)
    elif scheme := _URL.match(argument):
        is_page = scheme[1].lower() in ("http", "https")
        error = None if is_page else InputError("only http and https addresses can be fetched")
        yield Source(argument, error=error, url=argument)
    elif os.path.isdir(argument):  # noqa: PTH112 - unlike Path.is_dir, never raises
        yield from _walk(argument)
    else:
        yield Source(argument, Path(argument))


def _walk(folder: str) -> Iterator[Source]:
    """Yield the pages of a folder, then of its subfolders; each real folder once, as links may form a cycle."""
    failures: list[OSError] = []
    seen: set[tuple[int, int]] = set()
    is_empty = True
    for path, subfolders, names in os.walk(folder, onerror=failures.append, followlinks=True):
        status = Path(path).stat()
        if (status.st_dev, status.st_ino) in seen:
            subfolders.clear()
            continue
        seen.add((status.st_dev, status.st_ino))
        subfolders.sort()
        for name in sorted(names):
            if Path(name).suffix.lower() in SUFFIXES or is_warc(Path(name)):
                is_empty = False
                yield _in_folder(Path(path, name))
    for failure in failures:
        yield Source(str(failure.filename), error=InputError(_reason(failure)))
    if is_empty and not failures:
        yield Source(folder, error=InputError(f"contains no pages ({', '.join((*sorted(SUFFIXES), *WARC_SUFFIXES))})"))


def _in_folder(path: Path) -> Source:
    """Return the source for a file in a folder; FIFOs and devices are skipped, as reading one might never end."""
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
        # Checking the size first rejects a huge file without reading it; a pipe, which has no size, or a file that
        # is still growing is caught by the caller's check.
        _check(path.stat().st_size, max_bytes)
        with path.open("rb") as file:
            content = file.read(max_bytes + 1)
    return content


def _check(size: int, max_bytes: int) -> None:
    if size > max_bytes:
        raise TooManyBytes(size, max_bytes)


def _hint(name: str) -> str:
    """Return what to write instead of a name that is no file, but may be an address."""
    is_file_name = name.lower().endswith((*SUFFIXES, *WARC_SUFFIXES))
    return "" if is_file_name or not _HOST_FIRST.fullmatch(name) else f"; if it is an address, write https://{name}"


def _reason(error: OSError) -> str:
    return f"cannot be read: {error.strerror or error}"
