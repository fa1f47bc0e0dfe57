"""The registry of readers: built-in ones and those that other packages register."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

from broadsheet.base.entry_points import registered
from broadsheet.base.errors import InputError
from broadsheet.base.records import Reading
from broadsheet.document import Document
from broadsheet.reading import coreex, memory_reader, separator, subsequence, trained, visual
from broadsheet.reading.paragraphs import check_lines
from broadsheet.reading.reader_files import load_reader

if TYPE_CHECKING:
    from broadsheet.reading.profiles import SiteProfile

#: The entry point group in which packages register readers.
ENTRY_POINTS = "broadsheet.readers"
DEFAULT = trained.NAME


class Reader(Protocol):
    """Labels every text piece as part of the article or not, with a score."""

    def __call__(self, document: Document, *, exact: bool = False) -> Reading:
        """Read a document; `exact` runs the algorithm exactly as published, if there is a publication."""
        ...


_BUILT_IN: Mapping[str, Reader] = MappingProxyType(
    {
        trained.NAME: trained.read,
        coreex.NAME: coreex.read,
        subsequence.NAME: subsequence.read,
        separator.NAME: separator.read,
        visual.NAME: visual.read,
        memory_reader.NAME: memory_reader.read,
    }
)


def names() -> tuple[str, ...]:
    """Return the names of all readers, built-in ones first."""
    return (*_BUILT_IN, *(name for name in registered(ENTRY_POINTS) if name not in _BUILT_IN))


def find(name: str) -> Reader:
    """Return a reader by name."""
    if name in _BUILT_IN:
        return _BUILT_IN[name]
    entry = registered(ENTRY_POINTS).get(name)
    if entry is None:
        raise InputError(f"there is no reader {name!r}; choose one of {', '.join(names())}")
    try:
        reader: Reader = entry.load()
    except (ImportError, AttributeError) as error:
        raise InputError(f"cannot load the reader {name} from {entry.value}: {error}") from error
    return reader


def model_of(name: str) -> str:
    """Return the name of a reader, with the version of its model if it has one, as archives cite it."""
    if name == memory_reader.NAME:
        return memory_reader.model_label()
    if name == visual.NAME:
        return visual.model_label()
    return trained.model_label() if name == trained.NAME else name


def read(
    document: Document,
    reader: str = DEFAULT,
    *,
    exact: bool = False,
    profile: "SiteProfile | None" = None,
    model: Path | None = None,
) -> Reading:
    """Return a label and a score for every text piece of a document, corrected by the site's profile if given.

    `model` is a file written by `broadsheet train`; it says which reader it is for, whatever `reader` is.
    """
    check_lines(document)
    reading = load_reader(model)(document) if model else find(reader)(document, exact=exact)
    if len(reading.labels) != len(document.pieces):
        raise InputError(
            f"the reader {reader} returned {len(reading.labels)} labels for {len(document.pieces)} text pieces"
        )
    return profile.apply(document, reading) if profile else reading
