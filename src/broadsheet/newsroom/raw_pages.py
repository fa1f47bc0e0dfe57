"""Archived pages as they were received, by kind, in a folder or a zip file: what wrapper induction works on."""

import json
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from uuid import uuid4

from broadsheet.archive import ArchiveError, RereadCandidate, RereadSelection, Store
from broadsheet.base.records import Kind
from broadsheet.crawling.encodings import CorruptBody, TooLargeDecompressed
from broadsheet.crawling.media import media_type
from broadsheet.document.decoding import decode
from broadsheet.newsroom.archived_content import ArchivedContent
from broadsheet.outputs.output_files import replacing

INDEX = "index.jsonl"
ZIP = ".zip"
#: The endings of files, by content type; names are numbers, never taken from addresses.
_SUFFIXES = {"text/html": ".html", "application/xhtml+xml": ".xhtml"}
_OTHER_SUFFIX = ".bin"
_RENDERED_SUFFIX = ".rendered.html"

#: Takes the name of a file and what it holds.
Put = Callable[[str, bytes], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class RawPage:
    """A line of the index: a file, and what is known of the page in it."""

    file: str
    #: The file with the page as its scripts left it; None if it was not rendered.
    rendered: str | None
    url: str
    kind: str | None
    probability: float | None
    fetched_at: str
    content_type: str
    charset: str
    source: str


def write_raw(  # noqa: PLR0913 - what is to be written, and where
    archive: Store,
    out: Path,
    *,
    kind: Kind | None = None,
    source: str | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    max_decompressed_bytes: int,
    on_damage: Callable[[Exception], None],
) -> int:
    """Write the newest content of each page, without its content encoding, and return how many pages there are.

    The folder or zip file appears when it is complete. A page that cannot be read is passed to `on_damage`.
    """
    if out.exists():
        raise ArchiveError(f"{out} already exists: choose another name")
    key = None if source is None else archive.find_source(source).key
    wanted = archive.page_keys(source=key, kind=kind) if kind or key else None
    _, candidates = archive.reread_candidates(RereadSelection(since=since, source=key, homes=True))
    number, lines = 0, []
    with _opened(out) as put:
        for candidate in candidates:
            if wanted is not None and candidate.page.key not in wanted:
                continue
            if until is not None and candidate.at >= until:
                continue
            try:
                files, page = _read(archive, candidate, number + 1, max_decompressed_bytes)
            except (ArchiveError, CorruptBody, TooLargeDecompressed) as error:
                on_damage(ArchiveError(f"{candidate.url}: is left out: {error}"))
                continue
            number += 1
            for name, content in files.items():
                put(name, content)
            lines.append(json.dumps(asdict(page), ensure_ascii=False))
        put(INDEX, "".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace"))
    return number


def _read(archive: Store, candidate: RereadCandidate, number: int, max_bytes: int) -> tuple[dict[str, bytes], RawPage]:
    """Return the files of a page, and its line of the index."""
    exchange = archive.exchange(candidate.place)
    content, content_type = ArchivedContent.received(exchange, max_bytes)
    file = f"{number:07}{_SUFFIXES.get(media_type(content_type), _OTHER_SUFFIX)}"
    files, rendered = {file: content}, None
    if exchange.rendered is not None:
        rendered = f"{number:07}{_RENDERED_SUFFIX}"
        files[rendered] = exchange.rendered
    verdict = candidate.page.verdict
    page = RawPage(
        file=file,
        rendered=rendered,
        url=candidate.url,
        kind=verdict.kind if verdict else "section" if candidate.is_front else None,
        probability=verdict.probability if verdict else None,
        fetched_at=exchange.at.isoformat(),
        content_type=content_type,
        charset=decode(content, content_type=content_type, url=candidate.url).encoding,
        source=candidate.source,
    )
    return files, page


@contextmanager
def _opened(out: Path) -> Iterator[Put]:
    """Give what writes files to a new folder or zip file, which appears under its name at the end."""
    if out.suffix.lower() == ZIP:
        with replacing(out) as temporary, zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as packed:
            yield lambda name, content: packed.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
        return
    aside = out.with_name(f".{out.name}.{uuid4().hex}.tmp")
    try:
        aside.mkdir(parents=True)
        yield lambda name, content: _write(aside / name, content)
        aside.rename(out)
    except OSError as error:
        raise ArchiveError(f"{out} cannot be written: {error.strerror or error}") from error
    finally:
        if aside.exists():
            for path in aside.iterdir():
                path.unlink()
            aside.rmdir()


def _write(path: Path, content: bytes) -> None:
    path.write_bytes(content)
