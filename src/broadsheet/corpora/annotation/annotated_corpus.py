"""A corpus that people annotate: a folder with pages, and one annotation file per page and annotator.

    labels.jsonl                    one row per page, as in every corpus
    html/<page>.html
    label-set.toml                  only if the labels are not those of articles
    annotations/<annotator>/<page>.hra
    drafts/<annotator>/<page>.hra   pages that are being annotated

Files appear when they are complete, so a crash while writing never damages one.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from broadsheet.base.bounded_files import read_bounded
from broadsheet.base.errors import InputError
from broadsheet.corpora.annotation.element_annotation import MAX_BYTES, SUFFIX, fit_hra, format_hra, parse_hra
from broadsheet.corpora.annotation.label_set import LabelSet, load_label_set
from broadsheet.corpora.corpus_folder import Corpus
from broadsheet.corpora.labelled_page import PageLabels
from broadsheet.document import Document, parse
from broadsheet.outputs.output_files import replacing

ANNOTATIONS, DRAFTS = "annotations", "drafts"
ANNOTATOR = "main"
#: Names of pages and annotators that are safe as names of files on any system.
_SAFE = re.compile(r"[^\s/\\:*?\"<>|.][^/\\:*?\"<>|\x00-\x1f]{0,199}")


@dataclass(frozen=True)
class AnnotatedCorpus:
    """The folder of a corpus with annotations."""

    folder: Path

    def __post_init__(self) -> None:
        """Raise if there is no corpus in the folder."""
        if not (self.folder / "labels.jsonl").is_file():
            raise InputError(f"{self.folder}: no corpus here: there is no labels.jsonl next to html/")

    @cached_property
    def labels(self) -> LabelSet:
        """The labels that the corpus is annotated with."""
        return load_label_set(self.folder)

    @cached_property
    def pages(self) -> dict[str, PageLabels]:
        """The rows of the corpus by the names of their pages, in its order."""
        pages = {row.name: row for row in Corpus(self.folder.resolve().name, self.folder).labels()}
        for name in pages:
            check_name(name, "page")
        return pages

    def annotators(self) -> list[str]:
        """Return the names of the people who have annotated pages."""
        folder = self.folder / ANNOTATIONS
        return sorted(path.name for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []

    def annotated(self, annotator: str = ANNOTATOR) -> list[str]:
        """Return the names of the pages that somebody has annotated: in the corpus's order, unknown ones last."""
        folder = self.folder / ANNOTATIONS / check_name(annotator, "annotator")
        names = {path.name.removesuffix(SUFFIX) for path in folder.glob(f"*{SUFFIX}")}
        return [name for name in self.pages if name in names] + sorted(names - self.pages.keys())

    def document(self, name: str) -> Document:
        """Return a parsed page; raise if it is missing."""
        url = self.pages[name].url if name in self.pages else None
        return parse(self.html(name), url, encoding="utf-8")

    def html(self, name: str) -> bytes:
        """Return the bytes of a page; raise if it is missing."""
        path = self.folder / "html" / f"{check_name(name, 'page')}.html"
        if not path.is_file():
            raise InputError(f"{path}: the page is missing")
        return path.read_bytes()

    def path(self, name: str, annotator: str = ANNOTATOR, kind: str = ANNOTATIONS) -> Path:
        """Return the path of an annotation file, whether it exists or not."""
        return self.folder / kind / check_name(annotator, "annotator") / f"{check_name(name, 'page')}{SUFFIX}"

    def read(self, name: str, document: Document, annotator: str = ANNOTATOR, kind: str = ANNOTATIONS) -> str:
        """Return one letter per piece of a page; raise if the file is damaged or does not fit the page."""
        path = self.path(name, annotator, kind)
        try:
            return fit_hra(parse_hra(read_text(path)), document, self.labels)
        except InputError as error:
            raise InputError(f"{path}: {error}") from error

    def write(
        self, name: str, document: Document, letters: str, annotator: str = ANNOTATOR, kind: str = ANNOTATIONS
    ) -> Path:
        """Write an annotation file, in place of an older one."""
        if len(letters) != len(document.pieces):
            raise InputError(f"{name}: {len(letters)} labels for {len(document.pieces)} texts")
        path = self.path(name, annotator, kind)
        write_text(path, format_hra(document, letters))
        return path

    def annotations(self, annotator: str = ANNOTATOR) -> Iterator[tuple[PageLabels, Document, str]]:
        """Yield the annotated pages with one letter per piece; raise at the first that cannot be used."""
        for name in self.annotated(annotator):
            if name not in self.pages:
                raise InputError(f"{self.path(name, annotator)}: labels.jsonl has no page {name}")
            document = self.document(name)
            yield self.pages[name], document, self.read(name, document, annotator)


def create_corpus(folder: Path, rows: Sequence[dict[str, object]], pages: Sequence[bytes]) -> AnnotatedCorpus:
    """Write pages and their rows into a folder; pages that the corpus already has are left as they are."""
    (folder / "html").mkdir(parents=True, exist_ok=True)
    path = folder / "labels.jsonl"
    known = AnnotatedCorpus(folder).pages if path.is_file() else {}
    lines = path.read_text("utf-8").splitlines() if known else []
    for row, html in zip(rows, pages, strict=True):
        name = check_name(str(row["id"]), "page")
        if name in known:
            continue
        with replacing(folder / "html" / f"{name}.html") as page:
            page.write_bytes(html)
        lines.append(json.dumps(row, ensure_ascii=False))
    # Last, so that no row is without its page.
    write_text(path, "".join(f"{line}\n" for line in lines))
    return AnnotatedCorpus(folder)


def check_name(name: str, what: str) -> str:
    """Return a name if it is safe as the name of a file; raise otherwise."""
    if not _SAFE.fullmatch(name):
        raise InputError(f"{name[:80]!r} cannot be the name of a file, so it cannot name a {what}")
    return name


def read_text(path: Path) -> str:
    """Return the content of an annotation file; raise if it is missing, too large or not text."""
    content = read_bounded(path, MAX_BYTES, "the annotations of a page")
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise InputError(f"the file is not UTF-8 text (at byte {error.start:,})") from error


def write_text(path: Path, content: str) -> None:
    """Write a file so that it is complete or absent."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as temporary:
        temporary.write_text(content, encoding="utf-8", newline="\n")
