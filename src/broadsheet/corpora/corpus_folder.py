"""Corpora on disk: folders of pages with their labels, or archives of such folders, read as a stream.

A corpus consists of `<corpus>/labels.jsonl` and `<corpus>/html/<id>.html`, as a folder or in `<corpus>.tar.xz`, which
is read faster if the labels come first.
"""

import json
import tarfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from broadsheet.base.counters import Counters
from broadsheet.base.errors import InputError
from broadsheet.corpora.labelled_page import LabelledPage, PageLabels

_LABELS = "labels.jsonl"
_PACKED = ".tar.xz"

Choice = Callable[[PageLabels], bool]


@dataclass(frozen=True, slots=True)
class Corpus:
    """One corpus: its name and its folder or archive."""

    name: str
    path: Path

    def labels(self) -> list[PageLabels]:
        """Read only the labels; an archive is decompressed only as far as them."""
        if self.path.is_dir():
            with (self.path / _LABELS).open("rb") as file:
                return _rows(self.name, file)
        with _open(self.path) as members:
            return _packed_labels(self, members)

    def pages(self, wanted: Choice, counters: Counters) -> Iterator[LabelledPage]:
        """Yield the wanted pages; labels without a page are counted as left out."""
        source = self._from_folder(wanted) if self.path.is_dir() else self._from_archive(wanted)
        for labels, html in source:
            if html is None:
                counters.count("left out", "no page for these labels")
            else:
                yield LabelledPage(labels, html)

    def _from_folder(self, wanted: Choice) -> Iterator[tuple[PageLabels, bytes | None]]:
        for labels in filter(wanted, self.labels()):
            path = self.path / "html" / f"{labels.name}.html"
            yield labels, path.read_bytes() if path.is_file() else None

    def _from_archive(self, wanted: Choice) -> Iterator[tuple[PageLabels, bytes | None]]:
        waiting = {labels.name: labels for labels in self.labels() if wanted(labels)}
        with _open(self.path) as members:
            for member in members:
                if not waiting:
                    return
                path = PurePosixPath(member.name)
                is_page = member.isfile() and path.match("*/html/*.html")
                labels = waiting.pop(path.stem, None) if is_page else None
                file = members.extractfile(member) if labels else None
                if labels and file:
                    yield labels, file.read()
        yield from ((labels, None) for labels in waiting.values())


def find_corpora(paths: Iterable[Path]) -> list[Corpus]:
    """Find the corpora at some paths: each is a corpus, packed or not, or a folder of them; duplicates are dropped."""
    corpora: dict[str, Corpus] = {}
    for path in paths:
        here = list(_corpora_at(path))
        if not here:
            raise InputError(f"{path}: no corpus here (neither {_LABELS} next to html/, nor <corpus>{_PACKED})")
        for corpus in here:
            known = corpora.setdefault(corpus.name, corpus)
            if known.path != corpus.path and known.path.parent != corpus.path.parent:
                raise InputError(f"two corpora are called {corpus.name}: {known.path} and {corpus.path}")
    return list(corpora.values())


def _corpora_at(path: Path) -> Iterator[Corpus]:
    if not path.exists():
        raise InputError(f"{path}: no such corpus")
    if path.is_file():
        if not path.name.endswith(_PACKED):
            raise InputError(f"{path}: a packed corpus must be named <corpus>{_PACKED}")
        yield Corpus(path.name.removesuffix(_PACKED), path)
    elif (path / _LABELS).is_file():
        yield Corpus(path.resolve().name, path)
    else:
        for inside in sorted(path.iterdir()):
            # A folder sorts before an archive of the same name, and is faster to read.
            if (inside / _LABELS).is_file():
                yield Corpus(inside.name, inside)
            elif inside.name.endswith(_PACKED):
                yield Corpus(inside.name.removesuffix(_PACKED), inside)


def _open(archive: Path) -> tarfile.TarFile:
    try:
        # As a stream: seeking back would decompress it again.
        return tarfile.open(archive, "r|xz")
    except tarfile.TarError as error:
        raise InputError(f"{archive}: not a {_PACKED} archive ({error})") from error


def _packed_labels(corpus: Corpus, members: tarfile.TarFile) -> list[PageLabels]:
    for member in members:
        if PurePosixPath(member.name).name == _LABELS and (file := members.extractfile(member)):
            return _rows(corpus.name, file)
    raise InputError(f"{corpus.path}: the archive has no {_LABELS}")


def _rows(corpus: str, lines: Iterable[bytes] | BinaryIO) -> list[PageLabels]:
    labels = []
    for number, line in enumerate(lines, start=1):
        try:
            row = json.loads(line)
        except ValueError as error:
            raise InputError(f"{corpus}/{_LABELS}, line {number}: not valid JSON ({error})") from error
        if not isinstance(row, dict):
            raise InputError(f"{corpus}/{_LABELS}, line {number}: a row must be a JSON object")
        labels.append(PageLabels.from_row(corpus, row))
    return labels
