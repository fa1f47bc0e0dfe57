"""The columns of tables, and the rows of JSON: docs/reference/outputs.md describes them."""

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
    """One column: its name, what it holds, and where that comes from."""

    name: str
    type: Type
    value: Callable[[Output], Any]


@dataclass(frozen=True, slots=True)
class Layout:
    """How an output is written as a row: in tables the columns, in JSON an object."""

    columns: tuple[Column, ...]
    row: Callable[[Output], dict[str, Any]]


def _of_article(name: str, kind: Type = Type.TEXT) -> Column:
    return Column(name, kind, lambda output: getattr(output.article, name, None))


def _of_verdict(name: str, kind: Type) -> Column:
    return Column(name, kind, lambda output: getattr(output.verdict, name, None))


def _of_output(name: str, kind: Type = Type.TEXT) -> Column:
    return Column(name, kind, lambda output: getattr(output, name))


def _url(output: Output) -> str | None:
    return (output.article and output.article.url) or output.url


def _published_day(output: Output) -> Any:  # noqa: ANN401 - as all values
    published = output.article and output.article.published
    return published.date() if published else None


_COLUMNS = (
    Column("url", Type.TEXT, _url),
    _of_article("canonical_url"),
    _of_verdict("kind", Type.TEXT),
    _of_verdict("probability", Type.NUMBER),
    _of_article("title"),
    _of_article("authors", Type.TEXTS),
    _of_article("published", Type.MOMENT),
    Column("published_day", Type.DAY, _published_day),
    _of_article("modified", Type.MOMENT),
    _of_article("language"),
    _of_article("section"),
    _of_article("description"),
    _of_article("headings", Type.TEXTS),
    _of_article("body"),
    _of_article("topics", Type.TEXTS),
    _of_article("site_name"),
    _of_article("paywalled", Type.FLAG),
    _of_output("file"),
    _of_output("offset", Type.WHOLE),
    _of_output("fetched_at", Type.MOMENT),
)
_KEPT = (
    _of_output("length", Type.WHOLE),
    _of_output("key"),
    _of_output("source"),
    _of_output("version", Type.WHOLE),
    _of_output("model"),
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
