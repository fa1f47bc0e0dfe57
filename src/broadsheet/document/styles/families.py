"""Font families: parses lists of names and determines their generic family."""

import re
from enum import IntEnum
from functools import lru_cache


class Family(IntEnum):
    """A generic font family."""

    UNKNOWN = 0
    SERIF = 1
    SANS_SERIF = 2
    MONOSPACE = 3
    CURSIVE = 4
    FANTASY = 5
    SYSTEM = 6


_GENERIC: dict[str, Family] = {
    "serif": Family.SERIF,
    "ui-serif": Family.SERIF,
    "math": Family.SERIF,
    "-webkit-body": Family.SERIF,
    "sans-serif": Family.SANS_SERIF,
    "ui-sans-serif": Family.SANS_SERIF,
    "monospace": Family.MONOSPACE,
    "ui-monospace": Family.MONOSPACE,
    "cursive": Family.CURSIVE,
    "ui-rounded": Family.SANS_SERIF,
    "fantasy": Family.FANTASY,
    "system-ui": Family.SYSTEM,
    "-apple-system": Family.SYSTEM,
    "blinkmacsystemfont": Family.SYSTEM,
}

_KNOWN: dict[Family, str] = {
    Family.SERIF: (
        "times|georgia|garamond|palatino|cambria|baskerville|didot|bodoni|merriweather|lora|playfair|bookman|"
        "century|minion|constantia|charter|utopia|tiempos|caslon|crimson|simsun|song|mincho|batang|noto serif|"
        "pt serif|source serif|libre serif|ibm plex serif|droid serif|roboto slab|slab|serif$"
    ),
    Family.MONOSPACE: (
        "courier|consolas|monaco|menlo|lucida console|mono$|mono |monospace|inconsolata|terminal|fixedsys"
    ),
    Family.CURSIVE: "comic sans|brush script|lucida handwriting|dancing script|pacifico|zapf chancery",
    Family.FANTASY: "papyrus|copperplate|impact$|luminari",
    Family.SANS_SERIF: (
        "arial|helvetica|verdana|tahoma|trebuchet|geneva|lucida|calibri|segoe|roboto|open sans|lato|montserrat|"
        "futura|gill sans|franklin|univers|inter$|noto sans|pt sans|source sans|ubuntu|oswald|poppins|raleway|"
        "proxima|myriad|frutiger|din|optima|candara|corbel|century gothic|gothic|droid sans|fira sans|nunito|"
        "microsoft yahei|pingfang|hiragino|simhei|meiryo|malgun|dotum|gulim|sans"
    ),
}
_PATTERNS = [(family, re.compile(rf"(?:^|\b)(?:{names})")) for family, names in _KNOWN.items()]

_NAME = re.compile(r"""\s*+(?:"((?:[^"\\]++|\\.)*+)"\s*+|'((?:[^'\\]++|\\.)*+)'\s*+|([^,"']++))(?:,|$)""", re.DOTALL)
_REST = r"(?:[\w-]|\\.)*+"
_IDENTIFIERS = re.compile(rf"(?:-?(?:[^\W\d]|\\.)|--){_REST}(?:\s++-?(?:[^\W\d]|\\.){_REST})*+\s*+\Z", re.DOTALL)


@lru_cache(maxsize=1024)
def parse_families(text: str) -> tuple[str, ...] | None:
    """Return the names in lower case, generic ones bare and others quoted, or None if the list is invalid."""
    names, position = [], 0
    while position < len(text):
        match = _NAME.match(text, position)
        if match is None or match.end() == position:
            return None
        position = match.end()
        bare = match.group(3)
        if bare is None:
            names.append(f'"{(match.group(1) or match.group(2) or "").lower()}"')
        elif not _IDENTIFIERS.match(bare):
            return None
        else:
            name = " ".join(bare.lower().split())
            names.append(name if name in _GENERIC else f'"{name}"')
    if not names or text.rstrip().endswith(","):
        return None
    return tuple(names)


@lru_cache(maxsize=1024)
def generic(names: tuple[str, ...]) -> Family:
    """Return the generic family that a list of names states, or else that of the first known font."""
    generics = [_GENERIC[name] for name in names if name in _GENERIC]
    if generics:
        # A system font is listed before the author's fallback, and is less specific.
        return next((family for family in reversed(generics) if family != Family.SYSTEM), Family.SYSTEM)
    for name in names:
        for family, pattern in _PATTERNS:
            if pattern.search(name.strip('"')):
                return family
    return Family.UNKNOWN


def is_monospace(names: tuple[str, ...]) -> bool:
    """Return whether the list is just `monospace`, for which browsers use a smaller default size."""
    return names == ("monospace",)
