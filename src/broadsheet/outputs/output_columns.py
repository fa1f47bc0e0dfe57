"""The columns of tables and the rows of JSON; the reference of outputs is generated from their descriptions."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto
from typing import Any, Literal

from broadsheet.outputs.output import Output


class Type(Enum):
    """The type of a column's cells."""

    TEXT = auto()
    TEXTS = auto()
    INTEGER = auto()
    NUMBER = auto()
    FLAG = auto()
    MOMENT = auto()
    DAY = auto()


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name, its type, how to get its value, and what a reader of the table must know."""

    name: str
    type: Type
    value: Callable[[Output], Any]
    about: str
    #: How tables of text write the value, if not by its type.
    text: Callable[[Output], str | None] | None = None


@dataclass(frozen=True, slots=True)
class Layout:
    """How an output becomes a row: columns in tables, an object in JSON."""

    columns: tuple[Column, ...]
    row: Callable[[Output], dict[str, Any]]


def _article_column(name: str, about: str, kind: Type = Type.TEXT) -> Column:
    return Column(name, kind, lambda output: getattr(output.article, name, None), about)


def _verdict_column(name: str, about: str, kind: Type = Type.TEXT) -> Column:
    return Column(name, kind, lambda output: getattr(output.verdict, name, None), about)


def _output_column(name: str, about: str, kind: Type = Type.TEXT) -> Column:
    return Column(name, kind, lambda output: getattr(output, name), about)


def _time_column(name: Literal["published", "modified"], about: str) -> Column:
    def as_stated(output: Output) -> str | None:
        return output.article.format_time(name) if output.article else None

    return Column(name, Type.MOMENT, lambda output: getattr(output.article, name, None), about, as_stated)


def _offset(output: Output) -> int | None:
    published = output.article and output.article.published
    offset = published.utcoffset() if published else None
    return None if offset is None else int(offset.total_seconds() // 60)


def _url(output: Output) -> str | None:
    return (output.article and output.article.url) or output.url


def _published_day(output: Output) -> Any:  # noqa: ANN401 - as all values
    published = output.article and output.article.published
    return published.date() if published else None


_COLUMNS = (
    Column("url", Type.TEXT, _url, "the page's address"),
    _article_column("canonical_url", "the address that the page states as its canonical one"),
    _verdict_column("kind", "`article`, `section` or `other`"),
    _verdict_column("probability", "how likely the page is of this kind", Type.NUMBER),
    _article_column("title", "the headline"),
    _article_column("authors", "the people who wrote the article", Type.TEXTS),
    _time_column(
        "published",
        "when it was published. CSV has ISO 8601 as the page states it: `2026-03-02` for a day, no offset if it is"
        " unknown. Parquet has an instant, with UTC in place of an unknown offset",
    ),
    Column("published_day", Type.DAY, _published_day, "the day of publication in the page's own offset"),
    _article_column("published_precision", "how precise `published` is: `day`, `minute` or `second`"),
    Column(
        "published_offset", Type.INTEGER, _offset, "the UTC offset of `published` in minutes; empty if it is unknown"
    ),
    _time_column("modified", "when it was last changed; written like `published`"),
    _article_column("language", "a language tag such as `en-GB`"),
    _article_column("section", "the section that the page says it belongs to"),
    _article_column("description", "the summary that the page states"),
    _article_column("headings", "headings within the body", Type.TEXTS),
    _article_column("body", "paragraphs, separated by a blank line"),
    _article_column("topics", "tags and keywords", Type.TEXTS),
    _article_column("site_name", "the name of the site"),
    _article_column("paywalled", "`true`, `false`, or empty if the page does not say", Type.FLAG),
    _output_column("file", "the file that the page was read from; for an archive, its file in `warc/`"),
    _output_column("offset", "for a WARC file: where the page's record begins", Type.INTEGER),
    _output_column(
        "fetched_at",
        "when the page was captured: the date of its WARC record, or when its URL was fetched; empty for a plain file",
        Type.MOMENT,
    ),
)
_ARCHIVE_COLUMNS = (
    _output_column("length", "the length of the WARC record", Type.INTEGER),
    _output_column("key", "the page's identity, which all its addresses share"),
    _output_column("source", "the key of its source"),
    _output_column("version", "the version of the article, counted from 1", Type.INTEGER),
    _output_column("model", "the reader and model that read it"),
    _output_column("story", "the key of the first article that tells its story; near-duplicates share it"),
)


def read_row(output: Output) -> dict[str, Any]:
    """Return a page with its verdict and its article or None, in types that JSON knows."""
    return {
        "page": output.page,
        "verdict": output.verdict.to_dict() if output.verdict else None,
        "article": output.article.to_dict() if output.article else None,
        **_origin(output),
        **({} if output.structure is None else {"structure": list(output.structure)}),
    }


def archive_row(output: Output) -> dict[str, Any]:
    """Return an archived article with all its fields, in types that JSON knows."""
    article = output.article.to_dict() if output.article else {}
    return {**article, **_origin(output), **{column.name: column.value(output) for column in _ARCHIVE_COLUMNS}}


def _origin(output: Output) -> dict[str, Any]:
    moment: datetime | None = output.fetched_at
    return {"file": output.file, "offset": output.offset, "fetched_at": moment.isoformat() if moment else None}


#: Pages that were read, articles or not.
READ = Layout(_COLUMNS, read_row)
#: Articles of an archive.
ARCHIVED = Layout((*_COLUMNS, *_ARCHIVE_COLUMNS), archive_row)
