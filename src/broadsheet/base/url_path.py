"""How the path and the query of a URL are written."""

import re
from string import hexdigits
from urllib.parse import quote

_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


def written(also: str) -> str:
    """The pattern of text that `escaped` leaves as it is, in which some more characters may stand."""
    safe = rf"[A-Za-z0-9\-._~!$&'()*+,;=:@{also}]*+"
    # Encodings of unreserved characters (letters, digits and `-._~`) are those that `escaped` undoes.
    return rf"{safe}(?:%(?!2[DE]|3[0-9]|[46][1-9A-F]|[57][0-9A]|5F|7E)[0-9A-F]{{2}}{safe})*+"


_IS_ESCAPED = re.compile(written("/?")).fullmatch
# How each encoding is written; a lone percent sign could make one together with what is decoded behind it.
_WRITTEN = {"%": "%25"} | {
    f"%{first}{second}": chr(code) if chr(code := int(first + second, 16)) in _UNRESERVED else f"%{code:02X}"
    for first in hexdigits
    for second in hexdigits
}
# Half of a surrogate pair stands for a question mark, but not for one that begins a query.
_SPECIAL = re.compile(r"%(?:[0-9A-Fa-f]{2})?|[\ud800-\udfff]")


def escaped(text: str) -> str:
    """The text with percent-encodings (of its UTF-8, in upper case) where needed and nowhere else."""
    if _IS_ESCAPED(text):
        return text
    return quote(_SPECIAL.sub(lambda match: _WRITTEN.get(match[0], "%3F"), text), safe="!$&'()*+,;=:@/?%")


def without_dots(path: str) -> str:
    """The path, which begins with a slash, without the segments `.` and `..` and what these take back."""
    if "/." not in path:
        return path
    kept: list[str] = []
    segments = path.split("/")[1:]
    for segment in segments:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in {".", ".."}:
        kept.append("")
    return "/" + "/".join(kept)
