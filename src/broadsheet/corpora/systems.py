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
from broadsheet.base.records import Label
from broadsheet.corpora.peers import ANY_URL, PEERS, TextOf
from broadsheet.corpora.site_splits import fold_of
from broadsheet.document import Document, parse
from broadsheet.pages import extraction
from broadsheet.pages.identify import judge
from broadsheet.reading import extract, names, read, trained
from broadsheet.reading.assembly import has_body, to_article
from broadsheet.reading.reader_files import load_reader

#: What stands before the folder with the models of several folds.
_FOLDS = f"{trained.NAME}@"

#: What stands before the file of a model that `train CORPUS` wrote.
MODEL = "model@"

#: The modes of a reader, after its name and a colon.
_EXACT, _JUDGED = "exact", "judged"

#: The subpackages that the text extracted by a reader depends on.
READER_ROOMS = ("base", "document", "models", "reading")


class System(Protocol):
    """Extracts the article's text from a page."""

    @property
    def name(self) -> str:
        """The name in the tables."""
        ...

    @property
    def version(self) -> str:
        """The evaluated version."""
        ...

    def read(self, html: bytes, url: str | None) -> str:
        """Return the extracted text, empty if there is none."""
        ...

    def labels(self, document: Document) -> NDArray[np.int8] | None:
        """Return one label per piece of the page's text, or None if the system returns only text."""
        ...


@dataclass(frozen=True, slots=True)
class OwnReader:
    """One of our readers, by name; `NAME:exact` is the algorithm exactly as published."""

    name: str
    version: str

    def read(self, html: bytes, url: str | None) -> str:
        """Read the page whatever its kind; `broadsheet.extract` refuses those that are hardly articles."""
        reader, mode = _mode(self.name)
        article = extract(html, url, encoding="utf-8", reader=reader, exact=mode == _EXACT)
        return article.body if article is not None else ""

    def labels(self, document: Document) -> NDArray[np.int8] | None:
        """Return the reader's own labels."""
        reader, mode = _mode(self.name)
        return read(document, reader, exact=mode == _EXACT).labels


@dataclass(frozen=True, slots=True)
class JudgingReader:
    """One of our readers as `broadsheet.extract` calls it: `NAME:judged` has nothing from the pages that it refuses."""

    name: str
    version: str

    def read(self, html: bytes, url: str | None) -> str:
        """Read the page if its verdict allows it."""
        article = extraction.extract(html, url, encoding="utf-8", reader=_mode(self.name)[0])
        return article.body if article is not None else ""

    def labels(self, document: Document) -> NDArray[np.int8] | None:
        """Return the reader's own labels, or garbage only if the page is refused."""
        if not extraction.may_be_article(document, judge(document)):
            return np.full(len(document.pieces), Label.GARBAGE, np.int8)
        return read(document, _mode(self.name)[0]).labels


@dataclass(frozen=True, slots=True)
class CrossValidated:
    """The trained reader with the models of one of several folds: `default@FOLDER`, as written by `train --folds`."""

    name: str
    version: str
    folder: Path
    fold: int = 0

    def read(self, html: bytes, url: str | None) -> str:
        """Read the page as the trained reader does, whatever its kind."""
        document = parse(html, url, encoding="utf-8")
        reading = trained.read(document, models=self.folder / str(self.fold))
        return to_article(document, reading).body or "" if has_body(document, reading) else ""

    def labels(self, document: Document) -> NDArray[np.int8] | None:
        """Return the reader's own labels."""
        return trained.read(document, models=self.folder / str(self.fold)).labels

    def on(self, site: str) -> "CrossValidated":
        """Return the reader whose models were not trained on a site."""
        return replace(self, fold=fold_of(site, _folds(self.folder)))


@dataclass(frozen=True, slots=True)
class OwnModel:
    """A reader with the model of a person's own pages: `model@FILE`."""

    name: str
    version: str
    path: Path

    def read(self, html: bytes, url: str | None) -> str:
        """Read the page as `extract --model` does, whatever its kind."""
        article = extract(html, url, encoding="utf-8", model=self.path)
        return article.body if article is not None else ""

    def labels(self, document: Document) -> NDArray[np.int8] | None:
        """Return the reader's own labels."""
        return load_reader(self.path)(document).labels


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
        """Return None: a peer returns only text."""
        del document
        return None


def version_of(name: str) -> str:
    """Return the version of a system without loading it; raise InputError if it is unknown or not installed."""
    if name.startswith(_FOLDS):
        folder = Path(name.removeprefix(_FOLDS))
        _folds(folder)
        models = digest_files(sorted(path for path in folder.rglob("*") if path.is_file()), folder)
        return f"{__version__}+{_code_of_readers()}+{models}"
    if name.startswith(MODEL):
        path = Path(name.removeprefix(MODEL))
        load_reader(path)
        return f"{__version__}+{_code_of_readers()}+{digest_files([path], path.parent)}"
    if name not in PEERS:
        if _mode(name)[0] not in names():
            raise InputError(f"no reader or peer is called {name!r}: choose from {', '.join([*names(), *PEERS])}")
        return f"{__version__}+{_code_of_judging() if _mode(name)[1] == _JUDGED else _code_of_readers()}"
    try:
        return version(name)
    except PackageNotFoundError as error:
        raise InputError(f"{name} is not installed: pip install 'broadsheet[bench]' installs the peers") from error


def load(name: str) -> System:
    """Load a peer or a reader by name."""
    version = version_of(name)
    if name.startswith(_FOLDS):
        return CrossValidated(name, version, Path(name.removeprefix(_FOLDS)))
    if name.startswith(MODEL):
        return OwnModel(name, version, Path(name.removeprefix(MODEL)))
    if name in PEERS:
        return Peer(name, version, PEERS[name].text())
    return JudgingReader(name, version) if _mode(name)[1] == _JUDGED else OwnReader(name, version)


@cache
def _code_of_readers() -> str:
    """Return a digest of readers and models, so that results of a changed reader are not reused."""
    return provenance(READER_ROOMS).key


@cache
def _code_of_judging() -> str:
    """Return the same digest with the code and the model of verdicts."""
    return provenance((*READER_ROOMS, "pages")).key


def _folds(folder: Path) -> int:
    """Return the number of folds with models in a folder."""
    folds = sum(path.is_dir() for path in folder.iterdir()) if folder.is_dir() else 0
    if not folds:
        raise InputError(f"{folder} has no models in folders 0, 1, …: broadsheet train reading --folds creates them")
    return folds


def _mode(name: str) -> tuple[str, str]:
    """Split NAME:exact or NAME:judged into the name of a reader and its mode, which is empty for NAME alone."""
    reader, _, mode = name.partition(":")
    if mode not in {"", _EXACT, _JUDGED}:
        raise InputError(f"a reader must be given as NAME, NAME:{_EXACT} or NAME:{_JUDGED}, not {name!r}")
    return reader, mode
