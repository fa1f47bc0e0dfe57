"""Check the structure of a reading: an article has one title, before its text, and no heading directly after another.

A state machine reads the labels of an article in page order and skips everything else. It knows nothing about the
page, so it can tell which readings are certainly wrong without anyone having labelled the page.
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum

from broadsheet.base.records import Label


class StructureError(StrEnum):
    """What is wrong with the structure of an article."""

    NO_TITLE = "no title"
    SEVERAL_TITLES = "several titles"
    ADJACENT_HEADINGS = "adjacent headings"


#: The error of each transition that is one, by the state of the machine and the label that is read.
#: The states are the labels of the last part of the article; before the first, there is none.
_ERRORS: dict[tuple[Label | None, Label], StructureError] = {
    (None, Label.HEADING): StructureError.NO_TITLE,
    (None, Label.BODY): StructureError.NO_TITLE,
    (Label.TITLE, Label.TITLE): StructureError.SEVERAL_TITLES,
    (Label.HEADING, Label.TITLE): StructureError.SEVERAL_TITLES,
    (Label.BODY, Label.TITLE): StructureError.SEVERAL_TITLES,
    (Label.HEADING, Label.HEADING): StructureError.ADJACENT_HEADINGS,
}
_PARTS = frozenset({Label.TITLE, Label.HEADING, Label.BODY})


def structure_errors(labels: Iterable[Label]) -> tuple[StructureError, ...]:
    """Return the errors in the labels of an article's paragraphs, in page order; none if the structure is sound.

    The title may be missing once; every further title and every heading directly after another counts. A title after
    text without one is the missing title, in the wrong place.
    """
    errors: list[StructureError] = []
    state, titled = None, False
    for label in labels:
        if label not in _PARTS:
            continue
        error = _ERRORS.get((state, label))
        if error is StructureError.SEVERAL_TITLES and not titled:
            error = None
        if error:
            errors.append(error)
        state, titled = label, titled or label is Label.TITLE
    return tuple(errors) if state else (StructureError.NO_TITLE,)


def describe_errors(errors: Sequence[str]) -> str:
    """Return the errors in words, each with how often it occurs if that is more than once."""
    counts = {error: errors.count(error) for error in StructureError if error in errors}
    return ", ".join(error if count == 1 else f"{error} ({count} times)" for error, count in counts.items())
