"""Font families: the names a sheet lists, and the generic family they amount to."""

import re
from enum import IntEnum
from functools import lru_cache


class Family(IntEnum):
    """The kind of letters a text is set in."""

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
    """Return the listed names in lower case, generic ones bare and others quoted; None where the list is invalid."""
    names, position = [], 0
    while position < len(text):
        found = _NAME.match(text, position)
        if found is None or found.end() == position:
            return None
        position = found.end()
        bare = found.group(3)
        if bare is None:
            names.append(f'"{(found.group(1) or found.group(2) or "").lower()}"')
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
    """Return what a list of names amounts to: the author's own generic name, or else what the first known font is."""
    stated = [_GENERIC[name] for name in names if name in _GENERIC]
    if stated:
        # A system font stands before the one that the author falls back to, and says less about the letters.
        return next((family for family in reversed(stated) if family != Family.SYSTEM), Family.SYSTEM)
    for name in names:
        for family, pattern in _PATTERNS:
            if pattern.search(name.strip('"')):
                return family
    return Family.UNKNOWN


def is_monospace(names: tuple[str, ...]) -> bool:
    """Tell whether the list is the one name `monospace`, for which browsers take a smaller default size."""
    return names == ("monospace",)
