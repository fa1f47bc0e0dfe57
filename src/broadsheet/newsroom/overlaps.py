"""Sources of one archive that lie inside one another, as a section of a site does that is followed by itself too."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from broadsheet.archive import Store
from broadsheet.base import urls
from broadsheet.newsroom.assignment import Assignment


def contains(source: str, key: str) -> bool:
    """Say whether a page lies on the site of a source, below its home page; both are given by their keys."""
    return key == source or key.startswith((source + "/", source + "?"))


def innermost(key: str, sources: Iterable[str], *, longer_than: str = "") -> str | None:
    """Return the source on whose site a page lies, of several the one that lies inside the others."""
    around = (source for source in sources if contains(source, key) and len(source) > len(longer_than))
    return max(around, key=len, default=None)


def warnings(folder: Path, assignment: Assignment) -> Iterator[str]:
    """Say of each source to crawl whose home page another source has or surrounds, what that will mean."""
    known, owners = _known(folder, assignment)
    wanted = [urls.key(site) for site in assignment.sites] or known
    for key in dict.fromkeys(wanted):
        owner = owners.get(key, key)
        others = [other for other in (*known, *wanted) if other != key]
        around = owner if owner != key else innermost(key, others)
        if around is not None:
            yield (
                f"{key} is part of {around}, which this archive also follows: a page belongs to the source that saw it "
                f"first, so {key} gets only what {around} has not seen yet; the pages that it misses are counted as "
                "kept by another source"
            )


def _known(folder: Path, assignment: Assignment) -> tuple[list[str], dict[str, str]]:
    """Return the sources that an archive follows, and to which sources the home pages belong; none without archive."""
    if not (folder / "catalogue.sqlite").exists():
        return [], {}
    with Store.open(folder) as archive:
        known = [source.key for source in archive.sources() if source.state != "removed"]
        homes = [urls.key(site) for site in assignment.sites] or known
        return known, {key: record.source for key, record in archive.pages(homes).items()}
