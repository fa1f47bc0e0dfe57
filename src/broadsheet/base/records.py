"""The records that subpackages exchange and callers receive: frozen, typed, and validated where that is cheap."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from enum import IntEnum
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from broadsheet.base import rendition, tei
from broadsheet.base.frozen import FrozenMapping
from broadsheet.base.moments import Precision, format_stated

Kind = Literal["article", "section", "other"]

KINDS: tuple[Kind, ...] = get_args(Kind)
PRECISIONS: tuple[Precision, ...] = get_args(Precision)

_NOTHING: FrozenMapping[str, str] = FrozenMapping({})


class Label(IntEnum):
    """The role of a piece of text; garbage is everything that is not part of the article."""

    GARBAGE = 0
    TITLE = 1
    DATE = 2
    AUTHOR = 3
    HEADING = 4
    BODY = 5


_LAST_LABEL = int(max(Label))


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a page is, how likely that is, why, and which model said so.

    `kind` is `article`, `section` or `other`; `subtype` is more specific (`home`, `live`, `legal`, …), or None.
    `probabilities` has the probability of each kind. `reasons` are in words, the most important first.
    """

    kind: Kind
    subtype: str | None
    probability: float
    probabilities: Mapping[str, float]
    reasons: tuple[str, ...]
    model: str

    def __post_init__(self) -> None:
        """Refuse an unknown kind and an invalid probability."""
        if self.kind not in KINDS:
            raise ValueError(f"the kind of a page must be one of {', '.join(KINDS)}, not {self.kind!r}")
        for probability in (self.probability, *self.probabilities.values()):
            if not 0 <= probability <= 1:
                raise ValueError(f"a probability must be between 0 and 1, not {probability}")
        object.__setattr__(self, "probabilities", FrozenMapping(self.probabilities))

    def to_dict(self) -> dict[str, object]:
        """Return the verdict in plain types for JSON."""
        return _plain_fields(self)


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """One reader's label and score for every piece of text of a document, in document order."""

    labels: NDArray[np.int8]
    scores: NDArray[np.float32]
    reader: str

    def __post_init__(self) -> None:
        """Convert both columns, check that their lengths agree, and make them read-only."""
        labels = np.array(self.labels, dtype=np.int8)
        scores = np.array(self.scores, dtype=np.float32)
        if labels.ndim != 1 or labels.shape != scores.shape:
            raise ValueError(f"labels {labels.shape} and scores {scores.shape} must be columns of equal length")
        # As an unsigned number, a negative one is larger than any label.
        if labels.size and np.maximum.reduce(labels.view(np.uint8)) > _LAST_LABEL:
            raise ValueError(f"labels must be between 0 and {_LAST_LABEL}")
        for name, column in (("labels", labels), ("scores", scores)):
            column.setflags(write=False)
            object.__setattr__(self, name, column)


@dataclass(frozen=True, slots=True)
class Block:
    """One labelled block of an article, with the path of its element in the page."""

    label: Label
    text: str
    path: str


@dataclass(frozen=True, slots=True)
class Image:
    """An image of an article."""

    url: str
    caption: str | None = None
    credit: str | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a live blog; `time` has no offset if the page states none, and is None if it shows no day."""

    time: datetime | None
    title: str | None
    text: str
    time_raw: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Article:
    """An article as it was read; fields that the page does not state are None or empty, never guessed without evidence.

    `published` and `modified` are as the page states them, so their day is the day that its readers saw: aware if the
    page's offset is known, naive if not, and a naive midnight with the precision `day` if there is no time of day.
    `published_raw` is the text of the former. Paragraphs of `body` are separated by a blank line. A live blog has
    `entries`, in the page's order. One page of several has a `page_number` and its neighbours; `amp_url` is another
    form of the same page. `evidence` names, for each field, the signal behind it.
    """

    url: str | None = None
    canonical_url: str | None = None
    title: str | None = None
    authors: tuple[str, ...] = ()
    published: datetime | None = None
    modified: datetime | None = None
    published_raw: str | None = None
    published_precision: Precision | None = None
    modified_precision: Precision | None = None
    language: str | None = None
    description: str | None = None
    section: str | None = None
    headings: tuple[str, ...] = ()
    body: str = ""
    blocks: tuple[Block, ...] = ()
    images: tuple[Image, ...] = ()
    topics: tuple[str, ...] = ()
    site_name: str | None = None
    paywalled: bool | None = None
    entries: tuple[Entry, ...] = ()
    page_number: int | None = None
    next_page: str | None = None
    previous_page: str | None = None
    amp_url: str | None = None
    is_amp: bool = False
    verdict: Verdict | None = None
    evidence: Mapping[str, str] = _NOTHING

    def __post_init__(self) -> None:
        """Refuse an unknown precision, and evidence for an unknown field."""
        for name in ("published_precision", "modified_precision"):
            precision = getattr(self, name)
            if precision is not None and precision not in PRECISIONS:
                raise ValueError(f"{name} must be one of {', '.join(PRECISIONS)}, not {precision!r}")
        unknown = self.evidence.keys() - _ARTICLE_FIELDS
        if unknown:
            raise ValueError(f"evidence for unknown fields: {', '.join(sorted(unknown))}")
        object.__setattr__(self, "evidence", FrozenMapping(self.evidence))

    def __repr__(self) -> str:
        """Summarise the article in one line; `to_dict` returns all of it."""
        return f"Article({rendition.summary(self)})"

    def to_dict(self) -> dict[str, object]:
        """Return the article in plain types for JSON: times in ISO 8601, labels by name."""
        plain = _plain_fields(self)
        for name in ("published", "modified"):
            plain[name] = self.format_time(name)
        return plain

    def format_time(self, name: Literal["published", "modified"], timespec: str = "auto") -> str | None:
        """Return a time in ISO 8601 as precisely as the page states it: `2026-03-02` if it states only the day."""
        moment: datetime | None = getattr(self, name)
        return None if moment is None else format_stated(moment, getattr(self, f"{name}_precision"), timespec)

    def to_json(self, indent: int | None = None) -> str:
        """Return the article as JSON, without escaping letters."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=indent)

    def to_markdown(self) -> str:
        """Return title, byline and text, with headings and lists, as Markdown."""
        return rendition.markdown(self)

    def to_text(self) -> str:
        """Return the title and the body as plain text."""
        return rendition.text(self)

    def to_tei(self) -> str:
        """Return the article as an XML document of the Text Encoding Initiative (TEI P5)."""
        return tei.document(self)

    def to_schema_org(self) -> dict[str, object]:
        """Return the article as schema.org's `NewsArticle`, in plain types for JSON."""
        return rendition.schema_org(self)


_ARTICLE_FIELDS = frozenset(field.name for field in fields(Article))


#: Values that are plain already: nearly all.
_PLAIN = frozenset((str, int, float, bool, type(None)))
_LABEL_NAMES: Mapping[Label, str] = {label: label.name.lower() for label in Label}
_NAMES: Mapping[type, tuple[str, ...]] = {
    kind: tuple(field.name for field in fields(kind)) for kind in (Verdict, Article, Block, Image, Entry)
}


def _plain_fields(record: Verdict | Article | Block | Image | Entry) -> dict[str, object]:
    return {name: _plain(getattr(record, name)) for name in _NAMES[type(record)]}


def _plain(value: object) -> object:
    if type(value) in _PLAIN:
        return value
    match value:
        case Label():
            return _LABEL_NAMES[value]
        case datetime():
            return value.isoformat()
        case tuple():
            return [_plain(item) for item in value]
        case Mapping():
            return {name: _plain(item) for name, item in value.items()}
        case Verdict() | Article() | Block() | Image() | Entry():
            return _plain_fields(value)
        case _:
            return value
