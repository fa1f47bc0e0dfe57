"""One person annotates one page after another: what is shown, what a correction does, what is saved when.

Nothing here knows about terminals: a screen asks for `rows`, calls `label`, `undo`, `finish`, and shows the result.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import groupby

from broadsheet.base.errors import InputError
from broadsheet.corpora.annotation.annotated_corpus import ANNOTATIONS, ANNOTATOR, DRAFTS, AnnotatedCorpus
from broadsheet.corpora.annotation.label_set import LabelSet
from broadsheet.document import Document

#: Predicts one letter per piece of a page.
Predict = Callable[[Document], str]
#: Puts the names of pages into the order of annotation.
Choose = Callable[[list[str]], list[str]]
#: The order is chosen again whenever so many more pages are annotated.
TOGETHER = 4


@dataclass(frozen=True, slots=True)
class AnnotationRow:
    """What a person labels at once: the pieces `[first, end)`, on one line of the page."""

    first: int
    end: int
    text: str
    #: The letters of its pieces, each once; more than one if they differ.
    letters: str
    #: The tag of the element around it.
    tag: str
    #: Whether somebody has labelled it; otherwise its label is a prediction.
    is_checked: bool


@dataclass(eq=False)
class PageAnnotation:
    """One page that is being annotated: its letters, and what was undone."""

    name: str
    document: Document
    letters: str
    predicted: str
    by_piece: bool = False
    _undone: list[str] = field(default_factory=list)
    _before: list[str] = field(default_factory=list)
    _touched: set[int] = field(default_factory=set)

    def rows(self) -> list[AnnotationRow]:
        """Return the page's rows in order: its lines, or its single pieces; the title in its head is left out."""
        return list(self._rows())

    def label(self, row: AnnotationRow, last: AnnotationRow, letter: str) -> None:
        """Give all pieces from one row to another a label."""
        first, end = min(row.first, last.first), max(row.end, last.end)
        self._before.append(self.letters)
        self._undone.clear()
        self.letters = self.letters[:first] + letter * (end - first) + self.letters[end:]
        self._touched.update(range(first, end))

    def undo(self) -> bool:
        """Take the last change back; return whether there was one."""
        return self._move(self._before, self._undone)

    def redo(self) -> bool:
        """Make a change again that was taken back; return whether there was one."""
        return self._move(self._undone, self._before)

    @property
    def changes(self) -> int:
        """The number of pieces whose label is not the predicted one."""
        return sum(own != other for own, other in zip(self.letters, self.predicted, strict=True))

    def _move(self, source: list[str], target: list[str]) -> bool:
        if not source:
            return False
        target.append(self.letters)
        self.letters = source.pop()
        return True

    def _rows(self) -> Iterator[AnnotationRow]:
        document, pieces = self.document, self.document.pieces
        head = set(document.rows("title").tolist())
        lines, owners = pieces.line.tolist(), pieces.owner.tolist()
        shown = [piece for piece in range(len(pieces)) if owners[piece] not in head]
        for _, group in groupby(shown, key=lambda piece: piece if self.by_piece else lines[piece]):
            run = list(group)
            first, end = run[0], run[-1] + 1
            text = " ".join("".join(map(document.piece_text, run)).split())
            letters = "".join(dict.fromkeys(self.letters[first:end]))
            tag = document.tag_name(owners[first] if self.by_piece else int(pieces.block[first]))
            yield AnnotationRow(first, end, text, letters, tag, not self._touched.isdisjoint(run))


@dataclass(eq=False)
class AnnotationSession:
    """All pages of a corpus that one person still has to annotate, in an order."""

    corpus: AnnotatedCorpus
    predict: Predict
    #: The names of the pages in the order in which they are offered.
    order: list[str]
    annotator: str = ANNOTATOR
    saved: int = 0
    skipped: set[str] = field(default_factory=set)
    #: Chooses the order; None to keep it.
    choose: Choose | None = None

    @property
    def labels(self) -> LabelSet:
        """The labels of the corpus."""
        return self.corpus.labels

    def remaining(self) -> list[str]:
        """Return the pages that are neither annotated nor skipped; one with a draft comes first."""
        done = set(self.corpus.annotated(self.annotator)) | self.skipped
        left = [name for name in self.order if name not in done]
        return sorted(left, key=lambda name: not self._has_draft(name))

    def open(self, name: str) -> PageAnnotation:
        """Open a page: with its draft, with its annotation, or with the predicted labels."""
        document = self.corpus.document(name)
        if not len(document.pieces):
            raise InputError(f"{name}: the page has no text")
        predicted = self.predict(document)
        kind = next((kind for kind in (DRAFTS, ANNOTATIONS) if self._path_exists(name, kind)), None)
        letters = self.corpus.read(name, document, self.annotator, kind) if kind else predicted
        return PageAnnotation(name, document, letters, predicted)

    def keep(self, page: PageAnnotation) -> None:
        """Save a page that is not finished."""
        self.corpus.write(page.name, page.document, page.letters, self.annotator, DRAFTS)

    def finish(self, page: PageAnnotation) -> None:
        """Save a page as annotated."""
        self.corpus.write(page.name, page.document, page.letters, self.annotator)
        self.corpus.path(page.name, self.annotator, DRAFTS).unlink(missing_ok=True)
        self.saved += 1
        if self.choose and self.saved % TOGETHER == 0:
            self.order = self.choose(self.remaining())

    def skip(self, page: PageAnnotation) -> None:
        """Leave a page for another time."""
        self.skipped.add(page.name)

    def _has_draft(self, name: str) -> bool:
        return self._path_exists(name, DRAFTS)

    def _path_exists(self, name: str, kind: str) -> bool:
        return self.corpus.path(name, self.annotator, kind).is_file()
