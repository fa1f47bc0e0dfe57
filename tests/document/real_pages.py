"""Real pages for tests, read from the packed corpora as they are needed."""

import tarfile
from collections.abc import Iterator
from pathlib import Path


def pages_of(shared_data: Path, most_a_corpus: int | None = None) -> Iterator[tuple[str, bytes]]:
    """Yield the name and bytes of the first pages of each corpus and of each site's snapshots."""
    corpora = sorted((shared_data / "pages").glob("*.tar.xz"))
    assert corpora, f"{shared_data / 'pages'} has no corpus, and a test over no page says nothing"
    for archive in corpora:
        yield from _first_pages(archive, most_a_corpus)
    for archive in sorted((shared_data / "temporal" / "html").glob("*.tar.xz")):
        yield from _first_pages(archive, 1 if most_a_corpus else 10)


def _first_pages(archive: Path, most: int | None) -> Iterator[tuple[str, bytes]]:
    given = 0
    with tarfile.open(archive, "r|xz") as members:
        for member in members:
            if member.name.endswith(".html") and (file := members.extractfile(member)):
                yield f"{archive.name}:{member.name}", file.read()
                given += 1
            if given == most:
                return
