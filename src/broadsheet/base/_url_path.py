"""Percent-encoding and dot segments in the path and query of a URL."""

import re
from string import hexdigits
from urllib.parse import quote

_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


def escaped_pattern(also: str) -> str:
    """Return the pattern of text that `percent_encode` leaves unchanged, with some more allowed characters."""
    safe = rf"[A-Za-z0-9\-._~!$&'()*+,;=:@{also}]*+"
    # `percent_encode` decodes encoded unreserved characters (letters, digits and `-._~`).
    return rf"{safe}(?:%(?!2[DE]|3[0-9]|[46][1-9A-F]|[57][0-9A]|5F|7E)[0-9A-F]{{2}}{safe})*+"


_IS_ESCAPED = re.compile(escaped_pattern("/?")).fullmatch
# The normal form of each encoding; a lone percent sign could form one with the characters decoded after it.
_NORMAL_FORMS = {"%": "%25"} | {
    f"%{first}{second}": chr(code) if chr(code := int(first + second, 16)) in _UNRESERVED else f"%{code:02X}"
    for first in hexdigits
    for second in hexdigits
}
# A lone surrogate becomes a question mark, but an encoded one, which does not begin a query.
_SPECIAL = re.compile(r"%(?:[0-9A-Fa-f]{2})?|[\ud800-\udfff]")


def percent_encode(text: str) -> str:
    """Percent-encode a text (its UTF-8, in upper-case hex) where needed and nowhere else."""
    if _IS_ESCAPED(text):
        return text
    return quote(_SPECIAL.sub(lambda match: _NORMAL_FORMS.get(match[0], "%3F"), text), safe="!$&'()*+,;=:@/?%")


def remove_dot_segments(path: str) -> str:
    """Resolve the segments `.` and `..` of a path that begins with a slash."""
    if "/." not in path:
        return path
    resolved: list[str] = []
    segments = path.split("/")[1:]
    for segment in segments:
        if segment == "..":
            del resolved[-1:]
        elif segment != ".":
            resolved.append(segment)
    if segments[-1] in {".", ".."}:
        resolved.append("")
    return "/" + "/".join(resolved)
