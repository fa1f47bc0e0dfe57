"""Real pages for tests, read lazily from the packed corpora."""

import tarfile
from collections.abc import Iterator
from pathlib import Path


def pages_of(shared_data: Path, max_per_corpus: int | None = None) -> Iterator[tuple[str, bytes]]:
    """Yield the name and bytes of the first pages of each corpus and of each site's snapshots."""
    corpora = sorted((shared_data / "pages").glob("*.tar.xz"))
    assert corpora, f"{shared_data / 'pages'} has no corpus, and a test over no page says nothing"
    for archive in corpora:
        yield from _first_pages(archive, max_per_corpus)
    for archive in sorted((shared_data / "temporal" / "html").glob("*.tar.xz")):
        yield from _first_pages(archive, 1 if max_per_corpus else 10)


def _first_pages(archive: Path, limit: int | None) -> Iterator[tuple[str, bytes]]:
    count = 0
    with tarfile.open(archive, "r|xz") as members:
        for member in members:
            if member.name.endswith(".html") and (file := members.extractfile(member)):
                yield f"{archive.name}:{member.name}", file.read()
                count += 1
            if count == limit:
                return
