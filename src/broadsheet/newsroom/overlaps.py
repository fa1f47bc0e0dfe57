"""Sources of one archive that lie inside one another, as a section of a site does that is followed by itself too."""

from collections.abc import Iterable


def contains(source: str, key: str) -> bool:
    """Say whether a page lies on the site of a source, below its home page; both are given by their keys."""
    return key == source or key.startswith((source + "/", source + "?"))


def innermost(key: str, sources: Iterable[str], *, longer_than: str = "") -> str | None:
    """Return the source on whose site a page lies, of several the one that lies inside the others."""
    around = (source for source in sources if contains(source, key) and len(source) > len(longer_than))
    return max(around, key=len, default=None)
