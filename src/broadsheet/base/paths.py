"""How the path and the query of a URL are written."""

import re
from urllib.parse import quote

_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_TO_ESCAPE = re.compile(r"%(?:[0-9A-Fa-f]{2})?|[^A-Za-z0-9\-._~!$&'()*+,;=:@/?%]+")


def escaped(text: str) -> str:
    """The text with percent-encodings (of its UTF-8, in upper case) where needed and nowhere else."""
    return _TO_ESCAPE.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    text = match[0]
    if text[0] != "%":
        return quote(text, safe="", errors="replace")
    if len(text) == 1:
        # Left alone, it could make an encoding together with what is decoded behind it.
        return "%25"
    character = chr(int(text[1:], 16))
    return character if character in _UNRESERVED else text.upper()


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
