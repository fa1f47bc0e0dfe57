"""Articles in files and on pipes: JSON, Markdown, plain text and Parquet."""

import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import is_dataclass
from importlib import import_module
from itertools import islice
from json import dumps
from pathlib import Path
from types import UnionType
from typing import Any, TextIO, Union, get_args, get_origin, get_type_hints

from broadsheet.base.errors import InputError
from broadsheet.base.extras import needing
from broadsheet.base.records import Article, Verdict
from broadsheet.pages.extraction import Findings

FORMATS = ("jsonl", "json", "md", "text", "parquet")
SUFFIXES = {".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "json", ".md": "md", ".txt": "text", ".parquet": "parquet"}

#: Rows that are turned into columns at a time.
ROWS_A_GROUP = 500

#: What a row holds beside the page's name.
_RECORDS = (Verdict, Article)

#: A page's name and what was found in it.
Result = tuple[str, Findings]


def whole(result: Result) -> dict[str, Any]:
    """Return all that was found in a page as one row."""
    name, (verdict, article) = result
    return {"page": name, "verdict": verdict.to_dict(), "article": article.to_dict() if article else None}


@contextmanager
def replacing(out: Path) -> Iterator[Path]:
    """Give a temporary file beside a file, and put it in the file's place when all went well."""
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{out.name}.", dir=out.parent)
        os.close(descriptor)
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror or error}") from error
    path = Path(name)
    try:
        yield path
        # Temporary files are for their owner's eyes alone; this one is going to be like any other.
        mask = os.umask(0)
        os.umask(mask)
        path.chmod(0o666 & ~mask)
        path.replace(out)
    finally:
        path.unlink(missing_ok=True)


def write_file(results: Iterator[Result], form: str, path: Path) -> None:
    """Write a whole file in any of the formats."""
    if form == "parquet":
        _write_parquet(results, path)
        return
    with path.open("w", encoding="utf-8", errors="backslashreplace") as file:
        write_text(results, form, file)
        file.flush()
        os.fsync(file.fileno())


def write_text(results: Iterable[Result], form: str, file: TextIO) -> None:
    """Write articles one after the other; what is no article has a place in JSON alone."""
    if form == "jsonl":
        file.writelines(dumps(whole(result), ensure_ascii=False) + "\n" for result in results)
    elif form == "json":
        rows = (dumps(whole(result), ensure_ascii=False, indent=1) for result in results)
        file.write("[" + next(rows, ""))
        file.writelines(f",\n{row}" for row in rows)
        file.write("]\n")
    else:
        articles = (article for _, (_, article) in results if article)
        texts = (article.to_markdown() if form == "md" else _plain(article) for article in articles)
        between = "\n---\n\n" if form == "md" else "\n\n"
        file.write(next(texts, ""))
        file.writelines(between + text for text in texts)


def _plain(article: Article) -> str:
    return "\n\n".join(filter(None, (article.title, article.body))) + "\n"


def _write_parquet(results: Iterator[Result], path: Path) -> None:
    with needing("crawl", "Parquet"):
        arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    schema = _schema(arrow)
    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        while rows := [whole(result) for result in islice(results, ROWS_A_GROUP)]:
            writer.write_table(arrow.Table.from_pylist(rows, schema=schema))


def _schema(arrow: Any) -> Any:  # noqa: ANN401 - pyarrow, which only this format needs
    """Describe the rows of JSON in Arrow's types: a page, the verdict on it, and its article or null."""
    return arrow.schema([("page", arrow.string()), *((kind.__name__.lower(), _type(kind, arrow)) for kind in _RECORDS)])


def _type(kind: Any, arrow: Any) -> Any:  # noqa: ANN401 - a type of Python's and one of pyarrow's
    """Return the Arrow type of what JSON makes of a value; times and names stay text there."""
    inner = [each for each in get_args(kind) if each not in {type(None), ...}]
    if is_dataclass(kind):
        return arrow.struct([(name, _type(each, arrow)) for name, each in get_type_hints(kind).items()])
    if get_origin(kind) in {Union, UnionType}:
        return _type(inner[0], arrow)
    if get_origin(kind) is tuple:
        return arrow.list_(_type(inner[0], arrow))
    if get_origin(kind) is Mapping:
        return arrow.map_(*(_type(each, arrow) for each in inner))
    return {bool: arrow.bool_(), int: arrow.int64(), float: arrow.float64()}.get(kind, arrow.string())
