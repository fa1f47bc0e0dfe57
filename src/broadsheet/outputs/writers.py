"""Streaming writers, one per format, for any number of outputs."""

import csv
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from importlib import import_module
from itertools import chain, islice
from pathlib import Path
from typing import Any, TextIO

from broadsheet.base import tei
from broadsheet.base.records import Article
from broadsheet.outputs import syndication
from broadsheet.outputs.formats import ATOM, PARQUET, RSS
from broadsheet.outputs.output import Output
from broadsheet.outputs.output_columns import Layout, Type

#: Rows per Parquet row group.
ROWS_AT_ONCE = 500

#: A cell that starts with one of these is a formula to a spreadsheet.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


@dataclass(frozen=True, slots=True)
class Style:
    """How outputs are written: the format, the layout of rows, and whether CSV cells are written unescaped.

    Unless `raw_cells` is set, text that a spreadsheet would take for a formula is prefixed with an apostrophe.
    """

    form: str
    layout: Layout
    raw_cells: bool = False


def write_file(outputs: Iterable[Output], style: Style, path: Path) -> int:
    """Write a file and return the number of outputs; Parquet needs pyarrow."""
    if style.form == PARQUET:
        return _parquet(iter(outputs), style.layout, path)
    # A lone surrogate, which broken pages contain, is not valid UTF-8; JSON escapes it in this way.
    with path.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
        return write_text(outputs, style, file)


def write_text(outputs: Iterable[Output], style: Style, file: TextIO) -> int:
    """Write outputs to a text stream and return their number; pages without an article appear in JSON and CSV only."""
    return _WRITERS[style.form](iter(outputs), style, file)


def _jsonl(outputs: Iterator[Output], style: Style, file: TextIO) -> int:
    return _write_all((_json(output, style) + "\n" for output in outputs), file)


def _array(outputs: Iterator[Output], style: Style, file: TextIO) -> int:
    file.write("[")
    number = _write_all((_json(output, style) for output in outputs), file, ",\n")
    file.write("]\n")
    return number


def _markdown(outputs: Iterator[Output], style: Style, file: TextIO) -> int:
    del style
    return _write_all((article.to_markdown() for _, article in _articles(outputs)), file, "\n---\n\n")


def _plain(outputs: Iterator[Output], style: Style, file: TextIO) -> int:
    del style
    return _write_all((article.to_text() for _, article in _articles(outputs)), file, "\n\n")


def _tei(outputs: Iterator[Output], style: Style, file: TextIO) -> int:
    """Write one article as a document, and any other number as a corpus."""
    del style
    articles = _articles(outputs)
    first = list(islice(articles, 2))
    if len(first) == 1:
        [(output, article)] = first
        file.write(tei.document(article, output.fetched_at))
        return 1
    file.write(tei.corpus_start())
    number = _write_all((tei.part(article, output.fetched_at) for output, article in chain(first, articles)), file)
    file.write(tei.corpus_end())
    return number


def _rss(outputs: Iterator[Output], style: Style, file: TextIO) -> int:
    del style
    text, number = syndication.rss(outputs)
    file.write(text)
    return number


def _atom(outputs: Iterator[Output], style: Style, file: TextIO) -> int:
    del style
    text, number = syndication.atom(outputs)
    file.write(text)
    return number


def _csv(outputs: Iterator[Output], style: Style, file: TextIO) -> int:
    writer = csv.writer(_Lines(file))
    columns = style.layout.columns
    writer.writerow(column.name for column in columns)
    number = 0
    for output in outputs:
        writer.writerow(_cell((column.text or column.value)(output), style.raw_cells) for column in columns)
        number += 1
    return number


def _parquet(outputs: Iterator[Output], layout: Layout, path: Path) -> int:
    arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    schema = parquet_schema(layout)
    number = 0
    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        while group := list(islice(outputs, ROWS_AT_ONCE)):
            cells = [[_to_valid_utf8(column.value(output)) for output in group] for column in layout.columns]
            arrays = [arrow.array(column, field.type) for column, field in zip(cells, schema, strict=True)]
            writer.write_table(arrow.Table.from_arrays(arrays, schema=schema))
            number += len(group)
    return number


def parquet_schema(layout: Layout) -> Any:  # noqa: ANN401 - pyarrow has no types
    """Return the columns in Arrow's types; timestamps are in UTC, without the original offset."""
    arrow = import_module("pyarrow")
    types = {
        Type.TEXT: arrow.string(),
        Type.TEXTS: arrow.list_(arrow.string()),
        Type.INTEGER: arrow.int64(),
        Type.NUMBER: arrow.float64(),
        Type.FLAG: arrow.bool_(),
        Type.MOMENT: arrow.timestamp("us", tz="UTC"),
        Type.DAY: arrow.date32(),
    }
    return arrow.schema([(column.name, types[column.type]) for column in layout.columns])


class _Lines:
    """Ends CSV rows with a newline.

    `csv.writer` keeps its default terminator, because only then does it quote cells that contain a carriage return
    or a newline; it is replaced here.
    """

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def write(self, row: str) -> int:
        return self._file.write(row.removesuffix("\r\n") + "\n")


def _write_all(pieces: Iterable[str], file: TextIO, between: str = "") -> int:
    number = 0
    for number, piece in enumerate(pieces, start=1):
        file.write(between + piece if number > 1 else piece)
    return number


def _articles(outputs: Iterator[Output]) -> Iterator[tuple[Output, Article]]:
    return ((output, output.article) for output in outputs if output.article)


def _json(output: Output, style: Style) -> str:
    return json.dumps(style.layout.row(output), ensure_ascii=False)


def _cell(value: object, raw: bool) -> object:
    """Return the value of a CSV cell: lists are joined by newlines, and only text can come from a page."""
    match value:
        case bool():
            return "true" if value else "false"
        case date():
            return value.isoformat()
        case tuple():
            return _cell("\n".join(value), raw)
        case str() if not raw and value.startswith(_FORMULA):
            return f"'{value}"
        case _:
            return value


def _to_valid_utf8(value: object) -> object:
    """Replace lone surrogates, which are not valid UTF-8, by question marks."""
    match value:
        case str():
            return value.encode("utf-8", "replace").decode("utf-8")
        case tuple():
            return [_to_valid_utf8(item) for item in value]
        case _:
            return value


_WRITERS: dict[str, Callable[[Iterator[Output], Style, TextIO], int]] = {
    "jsonl": _jsonl,
    "json": _array,
    "csv": _csv,
    "md": _markdown,
    "text": _plain,
    "tei": _tei,
    RSS: _rss,
    ATOM: _atom,
}
