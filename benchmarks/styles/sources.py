"""The pages of the comparison: from corpora, and from archives of snapshots without an `html` folder."""

import random
import tarfile
from pathlib import Path

from benchmarks.pages import Page, SourceError, sample


def draw(sources: list[Path], size: int, seed: int) -> list[Page]:
    """Sample `size` pages, in equal parts from each source."""
    pages: list[Page] = []
    for index, source in enumerate(sources):
        part = size * (index + 1) // len(sources) - size * index // len(sources)
        archives = sorted(source.glob("*.tar.xz")) if source.is_dir() else [source]
        if archives and _is_snapshots(archives[0]):
            pages += _snapshots(archives, part, seed)
        else:
            pages += sample(source, part, seed)
    return pages


def _is_snapshots(archive: Path) -> bool:
    """Return whether an archive contains `<page>/<time>.html` instead of `<corpus>/html/<id>.html`."""
    if not archive.exists():
        raise SourceError(f"{archive} does not exist")
    if archive.suffix != ".xz":
        return False
    with tarfile.open(archive, "r|xz") as members:
        first = next((member.name for member in members if member.name.endswith(".html")), "")
    return first != "" and Path(first).parent.name != "html"


def _snapshots(archives: list[Path], size: int, seed: int) -> list[Page]:
    """Sample snapshots of different pages, in equal parts from each site."""
    pages: list[Page] = []
    for index, archive in enumerate(archives):
        part = size * (index + 1) // len(archives) - size * index // len(archives)
        pages += _snapshots_of(archive, part, seed)
    return pages


def _snapshots_of(archive: Path, size: int, seed: int) -> list[Page]:
    """Sample one snapshot of each of `size` different pages of a site, in one pass over its archive."""
    site = archive.name.removesuffix(".tar.xz")
    rng = random.Random(f"{seed} {site}")
    chosen: dict[Path, tuple[float, Page]] = {}
    with tarfile.open(archive, "r|xz") as members:
        for member in members:
            name, lot = Path(member.name), rng.random()
            if name.suffix != ".html" or not (file := members.extractfile(member)):
                continue
            if name.parent not in chosen or lot < chosen[name.parent][0]:
                chosen[name.parent] = lot, Page.decode(f"{site}/{member.name.removesuffix('.html')}", file.read())
    return [page for _, page in sorted(chosen.values())[:size]]
