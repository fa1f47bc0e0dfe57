"""The same picture at several sizes: addresses compared without what only says how large it is."""

import re
from typing import Final
from urllib.parse import parse_qsl, urlsplit

#: Parameters that say how large or how compressed a picture is.
_PARAMETERS: Final = frozenset(
    "w h width height wid hei resize fit crop size quality q dpr auto format fm rect strip s imwidth imheight output"
    " ixlib ssl maxwidth maxheight max-w max-h interpolation downsize compress op_sharpen sharpen impolicy".split()
)
#: Parts of a path, and endings of a file name, that give a size: 640x480, w_640, -1024x768, -scaled.
_SIZE: Final = re.compile(
    r"\d{2,4}x\d{0,4}|x\d{2,4}|w\d{2,4}|\d{2,4}w|[whqxy]_[\d.]+|[cfg]_[a-z_]+|q_auto(?::\w+)?|ar_[\d:.]+|dpr_[\d.]+",
    re.IGNORECASE,
)
_ENDING: Final = re.compile(
    r"(?:[-_@]\d{2,4}x\d{2,4}|@\dx|-scaled|[-_](?:thumb|small|medium|large|xlarge))\Z", re.IGNORECASE
)


def without_size(url: str) -> str:
    """Return what the addresses of one picture at different sizes have in common."""
    parts = urlsplit(url)
    folder, _, name = parts.path.rpartition("/")
    stem, dot, suffix = name.rpartition(".")
    # A part of letters alone says no size, and few addresses have parameters.
    segments = [
        segment
        for segment in folder.split("/")
        if segment.isalpha() or not all(map(_SIZE.fullmatch, segment.split(",")))
    ]
    pairs = parse_qsl(parts.query) if parts.query else ()
    kept = sorted(pair for pair in pairs if pair[0].lower() not in _PARAMETERS)
    return repr((parts.netloc, segments, _ENDING.sub("", stem) or stem, dot and suffix.lower(), kept))
