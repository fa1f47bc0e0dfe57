"""File suffixes of pages, and the detection of a URL or file name passed instead of a page."""

import os
import re

from broadsheet.base.errors import InputError

SUFFIXES = frozenset({".html", ".htm", ".xhtml"})
WARC_SUFFIXES = (".warc", ".warc.gz", ".warc.zst")

#: The longest path that operating systems accept; longer text must be a page.
LONGEST_NAME = 4_096
#: How much of a name an error repeats.
_SHOWN = 200
_URL = re.compile(r"https?://\S+", re.IGNORECASE).fullmatch


def refuse_name(text: str) -> None:
    """Refuse text that is plainly the URL or the file name of a page, and say how to load the page.

    Only a single line without markup can be a name. One that contains white space may be a sentence, and is treated
    as a file name only if that file exists.
    """
    if len(text) > LONGEST_NAME or "<" in text:
        return
    name = text.strip()
    if len(name.splitlines()) != 1:
        return
    if _URL(name):
        raise InputError(f"{_shorten(name)} is a URL, not a page: pass broadsheet.fetch({_shorten(name)})")
    lowered = name.lower() if len(name.split()) == 1 else ""
    if lowered.endswith(WARC_SUFFIXES):
        raise InputError(
            f"{_shorten(name)} looks like a WARC file, which contains many pages: run `broadsheet extract"
            f" {name[:_SHOWN]}` on the command line to read them"
        )
    if lowered.endswith((*SUFFIXES, ".gz")) or os.path.isfile(name):  # noqa: PTH113 - it takes any name
        reading = f"pathlib.Path({_shorten(name)}).read_bytes()"
        advice = f"gzip.decompress({reading})" if name.lower().endswith(".gz") else reading
        raise InputError(f"{_shorten(name)} looks like a file name, not a page: pass {advice}")


def _shorten(name: str) -> str:
    return repr(name if len(name) <= _SHOWN else name[:_SHOWN] + "…")
