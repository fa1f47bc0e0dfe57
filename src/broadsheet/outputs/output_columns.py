"""The columns of tables and the rows of JSON, as described in the reference of outputs."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto
from typing import Any

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
    """One column: its name, its type, and how to get its value."""

    name: str
    type: Type
    value: Callable[[Output], Any]


@dataclass(frozen=True, slots=True)
class Layout:
    """How an output becomes a row: columns in tables, an object in JSON."""

    columns: tuple[Column, ...]
    row: Callable[[Output], dict[str, Any]]


def _article_column(name: str, kind: Type = Type.TEXT) -> Column:
    return Column(name, kind, lambda output: getattr(output.article, name, None))


def _verdict_column(name: str, kind: Type) -> Column:
    return Column(name, kind, lambda output: getattr(output.verdict, name, None))


def _output_column(name: str, kind: Type = Type.TEXT) -> Column:
    return Column(name, kind, lambda output: getattr(output, name))


def _url(output: Output) -> str | None:
    return (output.article and output.article.url) or output.url


def _published_day(output: Output) -> Any:  # noqa: ANN401 - as all values
    published = output.article and output.article.published
    return published.date() if published else None


_COLUMNS = (
    Column("url", Type.TEXT, _url),
    _article_column("canonical_url"),
    _verdict_column("kind", Type.TEXT),
    _verdict_column("probability", Type.NUMBER),
    _article_column("title"),
    _article_column("authors", Type.TEXTS),
    _article_column("published", Type.MOMENT),
    Column("published_day", Type.DAY, _published_day),
    _article_column("modified", Type.MOMENT),
    _article_column("language"),
    _article_column("section"),
    _article_column("description"),
    _article_column("headings", Type.TEXTS),
    _article_column("body"),
    _article_column("topics", Type.TEXTS),
    _article_column("site_name"),
    _article_column("paywalled", Type.FLAG),
    _output_column("file"),
    _output_column("offset", Type.INTEGER),
    _output_column("fetched_at", Type.MOMENT),
)
_ARCHIVE_COLUMNS = (
    _output_column("length", Type.INTEGER),
    _output_column("key"),
    _output_column("source"),
    _output_column("version", Type.INTEGER),
    _output_column("model"),
)


def read_row(output: Output) -> dict[str, Any]:
    """Return a page with its verdict and its article or None, in types that JSON knows."""
    return {
        "page": output.page,
        "verdict": output.verdict.to_dict() if output.verdict else None,
        "article": output.article.to_dict() if output.article else None,
        **_origin(output),
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
