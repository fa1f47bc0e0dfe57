"""The columns of tables, and the rows of JSON; docs/reference/outputs.md is made from what they say here."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto
from typing import Any

from broadsheet.outputs.output import Output


class Type(Enum):
    """What the cells of a column hold."""

    TEXT = auto()
    TEXTS = auto()
    WHOLE = auto()
    NUMBER = auto()
    FLAG = auto()
    MOMENT = auto()
    DAY = auto()


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name, the type of its cells, where they come from, and what a reader of the table must know."""

    name: str
    type: Type
    value: Callable[[Output], Any]
    about: str


@dataclass(frozen=True, slots=True)
class Layout:
    """How an output is written as a row: in tables the columns, in JSON an object."""

    columns: tuple[Column, ...]
    row: Callable[[Output], dict[str, Any]]


def _of_article(name: str, about: str, kind: Type = Type.TEXT) -> Column:
    return Column(name, kind, lambda output: getattr(output.article, name, None), about)


def _of_verdict(name: str, about: str, kind: Type = Type.TEXT) -> Column:
    return Column(name, kind, lambda output: getattr(output.verdict, name, None), about)


def _of_output(name: str, about: str, kind: Type = Type.TEXT) -> Column:
    return Column(name, kind, lambda output: getattr(output, name), about)


def _url(output: Output) -> str | None:
    return (output.article and output.article.url) or output.url


def _published_day(output: Output) -> Any:  # noqa: ANN401 - as all values
    published = output.article and output.article.published
    return published.date() if published else None


_COLUMNS = (
    Column("url", Type.TEXT, _url, "the page's address"),
    _of_article("canonical_url", "the address that the page states as its canonical one"),
    _of_verdict("kind", "`article`, `section` or `other`"),
    _of_verdict("probability", "how likely the page is of this kind", Type.NUMBER),
    _of_article("title", "the headline"),
    _of_article("authors", "the people who wrote the article", Type.TEXTS),
    _of_article(
        "published", "when it was published; CSV has ISO 8601 with the offset that the page states", Type.MOMENT
    ),
    Column("published_day", Type.DAY, _published_day, "the day of publication in the page's own offset"),
    _of_article("modified", "when it was last changed; written like `published`", Type.MOMENT),
    _of_article("language", "a language tag such as `en-GB`"),
    _of_article("section", "the section that the page says it belongs to"),
    _of_article("description", "the summary that the page states"),
    _of_article("headings", "headings within the body", Type.TEXTS),
    _of_article("body", "paragraphs, separated by a blank line"),
    _of_article("topics", "tags and keywords", Type.TEXTS),
    _of_article("site_name", "the name of the site"),
    _of_article("paywalled", "`true`, `false`, or empty if the page does not say", Type.FLAG),
    _of_output("file", "the file that the page was read from; for an archive, its file in `warc/`"),
    _of_output("offset", "for a WARC file: where the page's record begins", Type.WHOLE),
    _of_output(
        "fetched_at",
        "when the page was captured: the date of its WARC record, or when its URL was fetched; empty for a plain file",
        Type.MOMENT,
    ),
)
_KEPT = (
    _of_output("length", "the length of the WARC record", Type.WHOLE),
    _of_output("key", "the page's identity, which all its addresses share"),
    _of_output("source", "the key of its source"),
    _of_output("version", "the version of the article, counted from 1", Type.WHOLE),
    _of_output("model", "the reader and model that read it"),
)


def read_row(output: Output) -> dict[str, Any]:
    """Return a page that was read, in plain types that JSON knows: its verdict and its article or None."""
    return {
        "page": output.page,
        "verdict": output.verdict.to_dict() if output.verdict else None,
        "article": output.article.to_dict() if output.article else None,
        **_origin(output),
    }


def kept_row(output: Output) -> dict[str, Any]:
    """Return an article of an archive with all that is known of it, in plain types that JSON knows."""
    article = output.article.to_dict() if output.article else {}
    return {**article, **_origin(output), **{column.name: column.value(output) for column in _KEPT}}


def _origin(output: Output) -> dict[str, Any]:
    moment: datetime | None = output.fetched_at
    return {"file": output.file, "offset": output.offset, "fetched_at": moment.isoformat() if moment else None}


#: Pages that were read, whether they are articles or not.
READ = Layout(_COLUMNS, read_row)
#: Articles of an archive.
KEPT = Layout((*_COLUMNS, *_KEPT), kept_row)
