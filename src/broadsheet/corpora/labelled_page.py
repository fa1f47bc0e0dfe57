"""One page of a corpus with its labels."""

from collections.abc import Mapping
from dataclasses import dataclass
from html import unescape
from typing import Literal, Self, get_args

from broadsheet.base.domains import registrable_domain
from broadsheet.base.errors import InputError

Split = Literal["train", "dev"]
Trust = Literal["full", "silver", "snippets", "none"]

SPLITS: tuple[Split, ...] = get_args(Split)

#: If a smaller share of the labelled body is in the page, label and page are different texts.
MIN_SHARE_IN_PAGE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Gold:
    """The labels of a page; None means not labelled, not that the page has none."""

    #: Paragraphs separated by a blank line.
    body: str | None = None
    title: str | None = None
    #: The day of publication, `2026-03-02`.
    date: str | None = None
    authors: tuple[str, ...] | None = None
    headings: tuple[str, ...] | None = None
    #: Strings that a good extraction contains, and strings that it must not contain.
    included: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    #: The source of the body: people, a tool, or only snippets of it.
    trust: Trust = "none"
    #: The share of the body's words that are in the page, as the corpus states it.
    share_in_page: float | None = None

    @property
    def disagrees(self) -> bool:
        """Whether the corpus itself states that the body is not that of the page."""
        return self.share_in_page is not None and self.share_in_page < MIN_SHARE_IN_PAGE


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLabels:
    """One row of a corpus's labels, without the page itself."""

    name: str
    corpus: str
    #: Pages of one site are never divided between splits or folds.
    site: str
    split: Split | None
    language: str | None
    #: article, section, other or unknown.
    kind: str
    url: str | None
    gold: Gold
    #: Whether the page is known to be from a site that publishes news.
    news_site: bool = False

    @property
    def id(self) -> str:
        """The page's name, unique among all corpora."""
        return f"{self.corpus}/{self.name}"

    @classmethod
    def from_row(cls, corpus: str, row: Mapping[str, object]) -> Self:
        """Parse a row; raise InputError if a required value is missing or has the wrong type."""
        name, split = row.get("id"), row.get("split")
        if not isinstance(name, str) or not name:
            raise InputError(f"a row of {corpus}/labels.jsonl has no id")
        if split not in {*SPLITS, None}:
            raise InputError(f"{corpus}/{name}: the split must be one of {', '.join(SPLITS)}, not {split!r}")
        url = _text(row, "url")
        site = _text(row, "domain") or (registrable_domain(url) if url else None)
        return cls(
            name=name,
            corpus=corpus,
            # A page of unknown origin is a site of its own, so that unrelated pages are not grouped.
            site=site or f"{corpus}/{name}",
            split=split,
            language=_text(row, "lang"),
            kind=_text(row, "page_type") or "unknown",
            url=url,
            gold=_gold(row),
            news_site=row.get("news_site") is True,
        )


@dataclass(frozen=True, slots=True)
class LabelledPage:
    """A page's labels and its bytes, which are UTF-8 regardless of what the page declares."""

    labels: PageLabels
    html: bytes


def _gold(row: Mapping[str, object]) -> Gold:
    share = row.get("body_in_html")
    return Gold(
        # Some corpora did not decode the entities of the page that a body was copied from.
        body=unescape(_text(row, "body") or "") or None,
        title=_text(row, "title"),
        date=_text(row, "date"),
        authors=_texts(row, "authors"),
        headings=_texts(row, "headings"),
        included=_texts(row, "with") or (),
        excluded=_texts(row, "without") or (),
        trust=_trust(_text(row, "body_kind")),
        share_in_page=float(share) if isinstance(share, int | float) else None,
    )


def _trust(kind: str | None) -> Trust:
    first_word = (kind or "none").split()[0]
    return next((trust for trust in get_args(Trust) if trust == first_word), "none")


def _text(row: Mapping[str, object], key: str) -> str | None:
    value = row.get(key)
    if value is not None and not isinstance(value, str):
        raise InputError(f"{row.get('id')}: {key} must be a string, not {type(value).__name__}")
    return value.strip() or None if value else None


def _texts(row: Mapping[str, object], key: str) -> tuple[str, ...] | None:
    value = row.get(key)
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InputError(f"{row.get('id')}: {key} must be a list of strings")
    return tuple(text for item in value if (text := item.strip()))
