"""The lines of a page with their features, measured once for all that look at them: the default reader, and facts."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from broadsheet.document import Document
from broadsheet.models.arrays import read_bytes, to_text, unpack
from broadsheet.models.model_errors import ModelError
from broadsheet.reading.lines.line_features import LineMeasurements, measure
from broadsheet.reading.lines.line_kinds import FILE, LineKinds, load_kinds
from broadsheet.reading.lines.lines import Lines, find_lines
from broadsheet.reading.lines.vocabulary import Vocabulary
from broadsheet.reading.titles import Title, find_title

#: The models shipped with Broadsheet, and the file of their vocabulary.
SHIPPED = Path(__file__).parent / "data"
WORDS = "words.npz"


class MeasuredLines(NamedTuple):
    """The lines of a page, and their features."""

    lines: Lines
    measured: LineMeasurements


def measured_lines(document: Document, vocabulary: Vocabulary) -> MeasuredLines:
    """Return the lines of a page with their features; those with the shipped vocabulary are measured once."""
    return kept_lines(document) if vocabulary is shipped_vocabulary() else _measure(document, vocabulary)


def kept_lines(document: Document) -> MeasuredLines:
    """Return the lines of a page with their features, measured with the shipped vocabulary or what was assumed."""
    return document.derive(_with_shipped_words)


def assume_words(document: Document, vocabulary: Vocabulary) -> None:
    """Let the lines of a document be measured with another vocabulary than the shipped one.

    What is trained on lines can so use a vocabulary that was built in the same run.
    """
    document.assume(_with_shipped_words, _measure(document, vocabulary))


def line_scores(document: Document, kind: int, pieces: Sequence[int], kinds: LineKinds | None = None) -> list[float]:
    """Return how much the lines of some pieces look like one kind of line, in log-odds.

    The pieces are in the body of the page, so that it has a line.
    """
    return (kinds or shipped_kinds()).scores(kind, pieces, *kept_lines(document))


def title_line(document: Document, lines: Lines, title: Title | None) -> tuple[int | None, str]:
    """Return the line where a title begins, if an element of the page contains it, and its text."""
    if title is None:
        return None, ""
    if title.node is None:
        return None, title.text
    return int(lines.first.searchsorted(document.nodes.piece_start[title.node])), title.text


@cache
def shipped_vocabulary() -> Vocabulary:
    """Return the vocabulary that Broadsheet ships with."""
    return load_vocabulary(SHIPPED / WORDS)


@cache
def shipped_kinds() -> LineKinds:
    """Return the kinds of lines that Broadsheet ships with."""
    return load_kinds(SHIPPED / FILE)


def load_vocabulary(path: Path) -> Vocabulary:
    """Read the vocabulary of models from its file."""
    content = read_bytes(path)
    try:
        arrays = unpack(content, ("names", "texts"))
        names, texts = (to_text(arrays[name]).split("\n") for name in ("names", "texts"))
    except ModelError as error:
        raise ModelError(f"{path}: {error}") from error
    return Vocabulary.build(names, texts)


def _with_shipped_words(document: Document) -> MeasuredLines:
    return _measure(document, shipped_vocabulary())


def _measure(document: Document, vocabulary: Vocabulary) -> MeasuredLines:
    lines = find_lines(document)
    return MeasuredLines(lines, measure(document, lines, title_line(document, lines, find_title(document)), vocabulary))
