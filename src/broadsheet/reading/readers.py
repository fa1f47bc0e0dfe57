"""The readers by name: those of the house, and those that other packages add."""

from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

from broadsheet.base.errors import InputError
from broadsheet.base.records import Reading
from broadsheet.document import Document
from broadsheet.reading import coreex, separator, subsequence, trained
from broadsheet.reading.paragraphs import check_lines

if TYPE_CHECKING:
    from broadsheet.reading.profiles import SiteProfile

#: The group in which a package names its own readers.
ENTRY_POINTS = "broadsheet.readers"
DEFAULT = trained.NAME


class Reader(Protocol):
    """What tells the article's text from the rest: a label and a score for every piece."""

    def __call__(self, document: Document, *, exact: bool = False) -> Reading:
        """Read a document; `exact` asks for the published algorithm to the letter, where there is one."""
        ...


_OWN: Mapping[str, Reader] = MappingProxyType(
    {
        trained.NAME: trained.read,
        coreex.NAME: coreex.read,
        subsequence.NAME: subsequence.read,
        separator.NAME: separator.read,
    }
)


def names() -> tuple[str, ...]:
    """Return the names of all readers, the house's own first."""
    return (*_OWN, *(name for name in _added() if name not in _OWN))


def find(name: str) -> Reader:
    """Return the reader of a name."""
    if name in _OWN:
        return _OWN[name]
    added = _added().get(name)
    if added is None:
        raise InputError(f"no reader is called {name!r}; there are {', '.join(names())}")
    try:
        reader: Reader = added.load()
    except (ImportError, AttributeError) as error:
        raise InputError(f"the reader {name} cannot be loaded from {added.value}: {error}") from error
    return reader


def read(
    document: Document, reader: str = DEFAULT, *, exact: bool = False, profile: "SiteProfile | None" = None
) -> Reading:
    """Return a label and a score for every text piece of a document, by what its site's profile knows where given."""
    check_lines(document)
    reading = find(reader)(document, exact=exact)
    if len(reading.labels) != len(document.pieces):
        raise InputError(f"{reader} gave {len(reading.labels)} labels for {len(document.pieces)} pieces of text")
    return profile.apply(document, reading) if profile else reading


@cache
def _added() -> Mapping[str, EntryPoint]:
    return MappingProxyType({entry.name: entry for entry in entry_points(group=ENTRY_POINTS)})
