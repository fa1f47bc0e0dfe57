"""The pages of a run: sampled evenly from folders and packed corpora, which are never unpacked to disk."""

import random
import tarfile
from collections.abc import Iterator
from itertools import chain, zip_longest
from pathlib import Path, PurePosixPath
from typing import NamedTuple, Self


class SourceError(Exception):
    """A source has no pages; the message is one clear line for a person."""


class Page(NamedTuple):
    """One page as every system receives it: the same bytes, and the same decoded text."""

    id: str
    data: bytes
    text: str

    @classmethod
    def decode(cls, page_id: str, data: bytes) -> Self:
        """Decode the page, outside any timing; the corpora are UTF-8 regardless of what a page declares."""
        return cls(page_id, data, data.decode("utf-8", errors="replace"))


def sample(source: Path, size: int, seed: int) -> list[Page]:
    """Sample pages from the source, deterministically for a seed; smaller samples are part of larger ones."""
    where = index(source)
    if not where:
        raise SourceError(f"no pages in {source}: neither .html files nor *.tar.xz with html/*.html in them")
    wanted: dict[Path, set[str]] = {}
    for page_id in draw(where, size, seed):
        wanted.setdefault(where[page_id], set()).add(page_id)
    return sorted(page for path, ids in wanted.items() for page in _read(path, ids))


def index(source: Path) -> dict[str, Path]:
    """Map the id of every page to its file or archive."""
    if not source.exists():
        raise SourceError(f"{source} does not exist")
    if not source.is_dir():
        return _packed(source)
    where = {_id(path.relative_to(source).as_posix()): path for path in source.rglob("*.html")}
    for archive in sorted(source.glob("*.tar.xz")):
        where |= _packed(archive)
    return where


def draw(ids: dict[str, Path], size: int, seed: int) -> list[str]:
    """Choose page ids from each corpus in turn, so that large corpora do not dominate."""
    corpora: dict[str, list[str]] = {}
    for page_id in sorted(ids):
        corpora.setdefault(page_id.rpartition("/")[0], []).append(page_id)
    names = sorted(corpora)
    random.Random(seed).shuffle(names)
    for name in names:
        # A separate generator makes the sample of a corpus independent of the other corpora.
        random.Random(f"{seed} {name}").shuffle(corpora[name])
    turns = chain.from_iterable(zip_longest(*(corpora[name] for name in names)))
    return [page_id for page_id in turns if page_id is not None][:size]


def _packed(archive: Path) -> dict[str, Path]:
    """Return the ids of the pages in an archive."""
    with _open(archive) as members:
        return {_id(member.name): archive for member in members if _is_page(member)}


def _read(path: Path, ids: set[str]) -> Iterator[Page]:
    """Read some pages of a file or an archive."""
    if path.suffix == ".html":
        yield Page.decode(ids.pop(), path.read_bytes())
        return
    with _open(path) as members:
        for member in members:
            page_id = _id(member.name)
            if page_id in ids and _is_page(member) and (file := members.extractfile(member)):
                yield Page.decode(page_id, file.read())
                ids.remove(page_id)
            if not ids:
                return


def _open(archive: Path) -> tarfile.TarFile:
    """Open an archive as a stream: seeking back would decompress it again."""
    try:
        return tarfile.open(archive, "r|xz")
    except tarfile.TarError as error:
        raise SourceError(f"{archive} is neither a folder nor a .tar.xz ({error})") from error


def _is_page(member: tarfile.TarInfo) -> bool:
    """Return whether a member of an archive is a page, as opposed to labels and notes."""
    return member.isfile() and PurePosixPath(member.name).match("*/html/*.html")


def _id(name: str) -> str:
    """Return the id of a page, the same for packed and unpacked corpora: `corpus/html/1.html` is `corpus/1`."""
    path = PurePosixPath(name.removesuffix(".html"))
    folder = path.parent.parent if path.parent.name == "html" else path.parent
    return (folder / path.name).as_posix()
