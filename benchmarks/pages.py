"""The pages of a run: found in folders and packed corpora, drawn evenly from all, never unpacked to disk."""

import random
import tarfile
from collections.abc import Iterator
from itertools import chain, zip_longest
from pathlib import Path, PurePosixPath
from typing import NamedTuple, Self


class SourceError(Exception):
    """There is no page where pages were looked for; its text is one clear line for a person."""


class Page(NamedTuple):
    """One page as every system is given it: the same bytes, and the same text where a system wants text."""

    id: str
    data: bytes
    text: str

    @classmethod
    def of(cls, page_id: str, data: bytes) -> Self:
        """Decode the page, outside any timing; the corpora are UTF-8 whatever a page declares."""
        return cls(page_id, data, data.decode("utf-8", errors="replace"))


def sample(source: Path, size: int, seed: int) -> list[Page]:
    """Draw pages from the source, the same ones for the same seed; fewer pages are a subset of more."""
    where = index(source)
    if not where:
        raise SourceError(f"no pages in {source}: neither .html files nor *.tar.xz with html/*.html in them")
    wanted: dict[Path, set[str]] = {}
    for page_id in draw(where, size, seed):
        wanted.setdefault(where[page_id], set()).add(page_id)
    return sorted(page for path, ids in wanted.items() for page in _read(path, ids))


def index(source: Path) -> dict[str, Path]:
    """Find every page's id, and the file or archive that holds it."""
    if not source.exists():
        raise SourceError(f"{source} does not exist")
    if not source.is_dir():
        return _packed(source)
    where = {_id(path.relative_to(source).as_posix()): path for path in source.rglob("*.html")}
    for archive in sorted(source.glob("*.tar.xz")):
        where |= _packed(archive)
    return where


def draw(ids: dict[str, Path], size: int, seed: int) -> list[str]:
    """Choose page ids turn by turn from each corpus, so that a large corpus does not drown the small ones."""
    corpora: dict[str, list[str]] = {}
    for page_id in sorted(ids):
        corpora.setdefault(page_id.rpartition("/")[0], []).append(page_id)
    names = sorted(corpora)
    random.Random(seed).shuffle(names)
    for name in names:
        # A generator of its own keeps a corpus's draw the same whichever other corpora lie beside it.
        random.Random(f"{seed} {name}").shuffle(corpora[name])
    turns = chain.from_iterable(zip_longest(*(corpora[name] for name in names)))
    return [page_id for page_id in turns if page_id is not None][:size]


def _packed(archive: Path) -> dict[str, Path]:
    """Name the pages in an archive."""
    with _opened(archive) as members:
        return {_id(member.name): archive for member in members if _is_page(member)}


def _read(path: Path, ids: set[str]) -> Iterator[Page]:
    """Read these pages of a file or an archive."""
    if path.suffix == ".html":
        yield Page.of(ids.pop(), path.read_bytes())
        return
    with _opened(path) as members:
        for member in members:
            page_id = _id(member.name)
            if page_id in ids and _is_page(member) and (file := members.extractfile(member)):
                yield Page.of(page_id, file.read())
                ids.remove(page_id)
            if not ids:
                return


def _opened(archive: Path) -> tarfile.TarFile:
    """Open an archive as a stream: going back in it would mean to decompress it again."""
    try:
        return tarfile.open(archive, "r|xz")
    except tarfile.TarError as error:
        raise SourceError(f"{archive} is neither a folder nor a .tar.xz ({error})") from error


def _is_page(member: tarfile.TarInfo) -> bool:
    """Tell whether an archive's member is a page, as opposed to labels and notes."""
    return member.isfile() and PurePosixPath(member.name).match("*/html/*.html")


def _id(name: str) -> str:
    """Name a page the same whether its corpus is packed or not: `corpus/html/1.html` is `corpus/1`."""
    path = PurePosixPath(name.removesuffix(".html"))
    folder = path.parent.parent if path.parent.name == "html" else path.parent
    return (folder / path.name).as_posix()
