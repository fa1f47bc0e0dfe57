"""The pages of a WARC file, one after the other, each with the address and the content type that came with it."""

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from broadsheet.base.counters import Counters
from broadsheet.base.errors import InputError
from broadsheet.cli.extras import needing
from broadsheet.cli.inputs import Loaded, checked

SUFFIXES = (".warc", ".warc.gz", ".warc.zst")

_HTML = frozenset({"text/html", "application/xhtml+xml"})


def is_warc(path: Path) -> bool:
    """Say whether a file is a WARC file, by its name."""
    return path.name.lower().endswith(SUFFIXES)


def pages(path: Path, max_bytes: int, counters: Counters) -> Iterator[Loaded | InputError]:
    """Give the pages of a WARC file, and an error for each that cannot be one; what is no page is counted."""
    with needing("warc", "reading a WARC file"), warnings.catch_warnings():
        # It warns of classes of its own that it loads itself.
        warnings.simplefilter("ignore", DeprecationWarning)
        from fastwarc.warc import ArchiveIterator, WarcRecordType  # noqa: PLC0415 - only with the extra

    found = 0
    try:
        with path.open("rb") as file:
            for record in ArchiveIterator(file, record_types=WarcRecordType.response, auto_decode="all"):
                found += 1
                status = record.http_headers.status_code if record.http_headers else None
                if status != 200 or str(record.http_content_type).lower() not in _HTML:
                    counters.count("skipped", "no page with status 200")
                    continue
                yield _page(record, path, max_bytes)
    except OSError as error:
        yield InputError(f"{path}: cannot be read: {error.strerror or error}")
    except Exception as error:  # noqa: BLE001 - a damaged file ends here, whatever its reader calls that
        yield InputError(f"{path}: is damaged after {found:,} answers: {error}")
    else:
        if not found:
            yield InputError(f"{path}: holds no answers")


def _page(record: Any, path: Path, max_bytes: int) -> Loaded | InputError:  # noqa: ANN401 - fastwarc has no types
    url = record.headers.get("WARC-Target-URI")
    try:
        content = checked(record.reader.read(max_bytes + 1), max_bytes)
    except InputError as error:
        return InputError(f"{path}: {url}: {error}")
    return Loaded(url, content, url, record.http_headers.get("Content-Type"))
