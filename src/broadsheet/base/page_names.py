"""Names of pages: the endings of their files, and text that names a page where the page itself is wanted."""

import os
import re

from broadsheet.base.errors import InputError

SUFFIXES = frozenset({".html", ".htm", ".xhtml"})
WARC_SUFFIXES = (".warc", ".warc.gz", ".warc.zst")

#: The longest path that a system takes; longer text is a page, whatever it looks like.
LONGEST_NAME = 4_096
#: How much of a name an error repeats.
_SHOWN = 200
_URL = re.compile(r"https?://\S+", re.IGNORECASE).fullmatch


def refuse_name(text: str) -> None:
    """Refuse text that is plainly the address or the file name of a page, and say how to get at the page.

    Only one line without markup can be a name. One with white space in it may be a sentence, and is taken for the
    name of a file only if that file exists.
    """
    if len(text) > LONGEST_NAME or "<" in text:
        return
    name = text.strip()
    if len(name.splitlines()) != 1:
        return
    if _URL(name):
        raise InputError(f"{_shown(name)} is an address, not a page: pass broadsheet.fetch({_shown(name)})")
    lowered = name.lower() if len(name.split()) == 1 else ""
    if lowered.endswith(WARC_SUFFIXES):
        raise InputError(
            f"{_shown(name)} looks like a WARC file, which holds many pages: `broadsheet extract {name[:_SHOWN]}` reads"
            " them on the command line"
        )
    if lowered.endswith((*SUFFIXES, ".gz")) or os.path.isfile(name):  # noqa: PTH113 - it takes any name
        reading = f"pathlib.Path({_shown(name)}).read_bytes()"
        advice = f"gzip.decompress({reading})" if name.lower().endswith(".gz") else reading
        raise InputError(f"{_shown(name)} looks like a file name, not a page: pass {advice}")


def _shown(name: str) -> str:
    return repr(name if len(name) <= _SHOWN else name[:_SHOWN] + "…")
