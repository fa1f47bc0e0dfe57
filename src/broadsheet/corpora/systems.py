"""What is measured: a system that is given a page and returns the article's text, be it a reader of ours or a peer."""

from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from broadsheet._version import __version__
from broadsheet.base.errors import InputError
from broadsheet.base.provenance import digest_files, provenance
from broadsheet.corpora.peers import ANY_URL, PEERS, TextOf
from broadsheet.corpora.site_splits import fold_of
from broadsheet.document import Document, parse
from broadsheet.reading import extract, names, read, trained
from broadsheet.reading.assembly import has_body, to_article

#: What stands before the folder with the models of several folds.
_FOLDS = f"{trained.NAME}@"

#: What the text that a reader takes depends on.
READER_ROOMS = ("base", "document", "models", "reading")


class System(Protocol):
    """Reads the article's text from a page."""

    @property
    def name(self) -> str:
        """What the tables call it."""
        ...

    @property
    def version(self) -> str:
        """The version that was measured."""
        ...

    def read(self, html: bytes, url: str | None) -> str:
        """Return the text taken for the article's, empty where there is none."""
        ...

    def labels(self, document: Document) -> NDArray[np.int8] | None:
        """Return a label per piece of the page's text, or None from a system that knows only text."""
        ...


@dataclass(frozen=True, slots=True)
class OwnReader:
    """One of our readers, by name; `NAME:exact` is its published algorithm to the letter."""

    name: str
    version: str

    def read(self, html: bytes, url: str | None) -> str:
        """Read the page as `broadsheet.extract` does."""
        reader, exact = _mode(self.name)
        article = extract(html, url, encoding="utf-8", reader=reader, exact=exact)
        return article.body if article is not None else ""

    def labels(self, document: Document) -> NDArray[np.int8] | None:
        """Return the reader's own labels."""
        reader, exact = _mode(self.name)
        return read(document, reader, exact=exact).labels


@dataclass(frozen=True, slots=True)
class CrossValidated:
    """The trained reader with the models of one of several folds: `default@FOLDER`, as `train --folds` left it."""

    name: str
    version: str
    folder: Path
    fold: int = 0

    def read(self, html: bytes, url: str | None) -> str:
        """Read the page as the trained reader does."""
        document = parse(html, url, encoding="utf-8")
        reading = trained.read(document, models=self.folder / str(self.fold))
        return to_article(document, reading).body or "" if has_body(reading) else ""

    def labels(self, document: Document) -> NDArray[np.int8] | None:
        """Return the reader's own labels."""
        return trained.read(document, models=self.folder / str(self.fold)).labels

    def on(self, site: str) -> "CrossValidated":
        """Return the reader whose models saw no page of a site."""
        return replace(self, fold=fold_of(site, _folds(self.folder)))


@dataclass(frozen=True, slots=True)
class Peer:
    """Another project's extractor."""

    name: str
    version: str
    text_of: TextOf

    def read(self, html: bytes, url: str | None) -> str:
        """Let the peer read the page."""
        return self.text_of(html.decode("utf-8", errors="replace"), url or ANY_URL) or ""

    def labels(self, document: Document) -> NDArray[np.int8] | None:
        """Return nothing: a peer gives text alone."""
        del document
        return None


def version_of(name: str) -> str:
    """Return the version of a system without loading it; one that is unknown or not installed is refused."""
    if name.startswith(_FOLDS):
        folder = Path(name.removeprefix(_FOLDS))
        _folds(folder)
        models = digest_files(sorted(path for path in folder.rglob("*") if path.is_file()), folder)
        return f"{__version__}+{_code_of_readers()}+{models}"
    if name not in PEERS:
        if _mode(name)[0] not in names():
            raise InputError(f"no reader or peer is called {name!r}: there are {', '.join([*names(), *PEERS])}")
        return f"{__version__}+{_code_of_readers()}"
    try:
        return version(name)
    except PackageNotFoundError as error:
        raise InputError(f"{name} is not installed; pip install 'broadsheet[bench]' brings the peers") from error


def load(name: str) -> System:
    """Load a system by name: a peer's, or else a reader's."""
    found = version_of(name)
    if name.startswith(_FOLDS):
        return CrossValidated(name, found, Path(name.removeprefix(_FOLDS)))
    return Peer(name, found, PEERS[name].text()) if name in PEERS else OwnReader(name, found)


@cache
def _code_of_readers() -> str:
    """Return a name for readers and models as they are: results of a reader that was changed since are not resumed."""
    return provenance(READER_ROOMS).key


def _folds(folder: Path) -> int:
    """Return how many folds a folder holds the models of."""
    folds = sum(path.is_dir() for path in folder.iterdir()) if folder.is_dir() else 0
    if not folds:
        raise InputError(f"{folder}: no folders 0, 1, … with models, as broadsheet train reading --folds writes them")
    return folds


def _mode(name: str) -> tuple[str, bool]:
    """Split the name of a reader from the wish for its published form."""
    reader, _, mode = name.partition(":")
    if mode not in {"", "exact"}:
        raise InputError(f"a reader is called NAME or NAME:exact, not {name!r}")
    return reader, mode == "exact"
