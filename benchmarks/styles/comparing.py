"""Compares our styles with Chromium's, weighted by the characters of each text."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from benchmarks.styles.chromium import View
from broadsheet.document.columns import TEXT_SLOT
from broadsheet.document.document import Document
from broadsheet.document.styles.caps import StyleDrops, StyleLimits
from broadsheet.document.styles.cascade import Cascade
from broadsheet.document.styles.colours import parse_colour
from broadsheet.document.styles.families import generic, parse_families
from broadsheet.document.styles.styles import BOLD, Styles

FIELDS = ("size", "bold", "colour", "family", "hidden")
_PROPERTY = {
    "size": "font-size",
    "bold": "font-weight",
    "colour": "color",
    "family": "font-family",
    "hidden": "display",
}
#: The browser renders the content of these outside of the tree that a snapshot shows.
_DRAWN_ELSEWHERE = frozenset({"textarea", "template"})


@dataclass
class Tally:
    """Characters compared and agreed on, and the causes of disagreement."""

    agreed: Counter[str] = field(default_factory=Counter)
    compared: Counter[str] = field(default_factory=Counter)
    #: Characters that could not be compared, by reason.
    left_out: Counter[str] = field(default_factory=Counter)
    #: Characters by field and cause.
    causes: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, other: "Tally") -> None:
        """Add another page's figures."""
        self.agreed.update(other.agreed)
        self.compared.update(other.compared)
        self.left_out.update(other.left_out)
        self.causes.update(other.causes)

    def share(self, name: str) -> float:
        """Return the share of characters on which a field agrees."""
        return self.agreed[name] / self.compared[name] if self.compared[name] else 1.0


@dataclass(frozen=True)
class Values:
    """The style of one text, by us or by Chromium."""

    size: float
    bold: bool
    colour: int
    family: int
    hidden: bool


def compare(document: Document, styles: Styles, view: View) -> Tally:
    """Compare every piece of text of a page."""
    tally = Tally()
    cascade = Cascade(document, None, StyleDrops(StyleLimits()))
    characters = np.diff(document.sums.characters).tolist()
    for index, piece in enumerate(styles.piece.tolist()):
        owner, slot = int(document.pieces.owner[piece]), int(document.pieces.slot[piece])
        holder = owner if slot == TEXT_SLOT else int(document.nodes.parent[owner])
        weight = characters[piece]
        text = view.texts.get((owner, slot))
        if _is_drawn_elsewhere(document, holder):
            tally.left_out["drawn elsewhere"] += weight
        elif text is None or text.holder != holder:
            tally.left_out["the parsers' trees differ"] += weight
        else:
            both = _ours(styles, index), _theirs(text.style)
            _tally(tally, both, weight, partial(_cause, cascade, holder))
    return tally


def _tally(
    tally: Tally,
    both: tuple[Values, Values | None],
    weight: int,
    cause: Callable[[str, object, object], str],
) -> None:
    """Count one text; fields other than `hidden` only if Chromium shows it."""
    ours, theirs = both
    visible = theirs is not None and not theirs.hidden
    for name in FIELDS:
        if name != "hidden" and not visible:
            continue
        tally.compared[name] += weight
        expected = True if theirs is None else getattr(theirs, name)
        got = getattr(ours, name)
        if got == expected or (name == "size" and abs(got - expected) <= 0.5):
            tally.agreed[name] += weight
        else:
            tally.causes[name, cause(name, got, expected)] += weight


def _ours(styles: Styles, index: int) -> Values:
    return Values(
        float(styles.size[index]),
        bool(styles.bold[index]),
        int(styles.colour[index]),
        int(styles.family[index]),
        bool(styles.hidden[index]),
    )


def _theirs(style: tuple[str, ...] | None) -> Values | None:
    if style is None:
        return None
    size, family, weight, colour, _, visibility = style
    parsed = parse_colour(colour)
    return Values(
        float(size.removesuffix("px")),
        float(weight) >= BOLD,
        -2 if parsed is None else parsed,
        int(generic(parse_families(family) or ())),
        visibility != "visible",
    )


def _is_drawn_elsewhere(document: Document, row: int) -> bool:
    while row >= 0:
        name = document.tag_name(row)
        if name in _DRAWN_ELSEWHERE:
            return True
        if name == "select":
            element = document.element(row)
            return element.get("multiple") is not None or element.get("size") not in {None, "0", "1"}
        row = int(document.nodes.parent[row])
    return False


def _cause(cascade: Cascade, row: int, name: str, ours: object, theirs: object) -> str:
    """Describe a difference and the declaration that our value comes from."""
    values = _difference(ours, theirs) if name != "colour" else _difference(f"{ours:06x}", f"{theirs:06x}")
    while row >= 0:
        if declaration := cascade.explain(row, _PROPERTY[name]):
            return f"{values} by <{cascade.tree.name(row)}> {' '.join(declaration.split())[:160]}"
        row = cascade.tree.parent[row]
    return f"{values} by default"


def _difference(ours: object, theirs: object) -> str:
    return f"ours {ours}, Chromium's {theirs}"
