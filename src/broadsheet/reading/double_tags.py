"""Double tags: one class per element for the labels of both its text and its tail, such as `b+g`.

Titles, headings and body are told apart; all other text is garbage.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.records import Label
from broadsheet.document import Document
from broadsheet.document.columns import Ints

SlotLabels: TypeAlias = NDArray[np.int8]

#: The letters of the labels, in the order of their codes within a double tag.
LETTERS: dict[Label, str] = {Label.GARBAGE: "g", Label.TITLE: "t", Label.HEADING: "h", Label.BODY: "b"}
_LABELS = np.array(list(LETTERS), np.int8)
_CODES = np.zeros(max(Label) + 1, np.int8)
_CODES[_LABELS] = np.arange(len(_LABELS))

#: The sixteen classes, text first: the index of a class is its code.
DOUBLE_TAGS: tuple[str, ...] = tuple(f"{text}+{tail}" for text in LETTERS.values() for tail in LETTERS.values())


def slot_labels(document: Document, nodes: Ints, labels: NDArray[np.int8]) -> SlotLabels:
    """Return the labels of the text and the tail of each given node; a slot without text is garbage.

    `labels` has one `Label` per text piece, as a `Reading` has.
    """
    pieces = document.pieces
    by_slot = np.full((len(document.nodes), 2), Label.GARBAGE, np.int8)
    by_slot[pieces.owner, pieces.slot] = labels
    return by_slot[nodes]


def piece_labels(document: Document, nodes: Ints, by_slot: SlotLabels) -> NDArray[np.int8]:
    """Return one label per text piece from those of the texts and tails of the given nodes."""
    table = np.full((len(document.nodes), 2), Label.GARBAGE, np.int8)
    table[nodes] = by_slot
    pieces = document.pieces
    labels: NDArray[np.int8] = table[pieces.owner, pieces.slot]
    return labels


def join_tags(by_slot: SlotLabels) -> NDArray[np.int8]:
    """Return the codes of the double tags; dates and authors count as garbage."""
    codes = _CODES[by_slot]
    joined: NDArray[np.int8] = (len(LETTERS) * codes[:, 0] + codes[:, 1]).astype(np.int8)
    return joined


def split_tags(codes: NDArray[np.integer]) -> SlotLabels:
    """Return the labels of text and tail from the codes of double tags."""
    text, tail = np.divmod(np.asarray(codes), len(LETTERS))
    return np.stack([_LABELS[text], _LABELS[tail]], axis=1)
