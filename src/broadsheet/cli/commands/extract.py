"""`broadsheet extract PAGE…`: the articles of pages, as rows, JSON, Markdown, plain text or Parquet."""

import os
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from itertools import islice
from json import dumps
from pathlib import Path
from typing import Any, TextIO

from broadsheet.base.errors import BroadsheetError, InputError
from broadsheet.base.records import Article
from broadsheet.cli import exits
from broadsheet.cli.command import UsageError
from broadsheet.cli.console import Console
from broadsheet.cli.documents import add_page_options, add_pages, documents
from broadsheet.cli.table import Row
from broadsheet.reading import extract, readers

NAME = "extract"
HELP = "read the articles of pages: title, authors, dates, headings and body"

FORMATS = ("jsonl", "json", "md", "text", "parquet")
#: Rows that are turned into columns at a time.
ROWS_A_GROUP = 500

_SUFFIXES = {".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "json", ".md": "md", ".txt": "text", ".parquet": "parquet"}
_EXAMPLES = """\
examples:
  broadsheet extract page.html                    a row about a page's article
  broadsheet extract page.html -f md              the article as Markdown
  broadsheet extract saved/ -o articles.parquet   every page of a folder, into a file; its name tells the format
  broadsheet extract saved/ --reader coreex --exact
  broadsheet extract https://news.example/story   fetched politely; robots.txt is heeded
  broadsheet extract - --url URL -f text < page.html
  broadsheet extract saved/ | jq -r .article.title
"""

#: A page's name and its article, if it has one.
Result = tuple[str, Article | None]


def configure(parser: ArgumentParser) -> None:
    """Declare the pages, how they are read, and where and how their articles are written."""
    parser.epilog = _EXAMPLES
    add_pages(parser)
    parser.add_argument(
        "-f", "--format", choices=FORMATS, help="how to write the articles (a table, or jsonl if piped)"
    )
    parser.add_argument(
        "-o", "--out", type=Path, metavar="OUT", help="write to a file, which appears when it is complete"
    )
    parser.add_argument("--overwrite", action="store_true", help="let OUT replace a file that is there already")
    parser.add_argument("--reader", default=readers.DEFAULT, metavar="NAME", help="what reads the pages (%(default)s)")
    parser.add_argument("--exact", action="store_true", help="read with the published algorithm to the letter")
    parser.add_argument("--force", action="store_true", help="give an article also for pages without text of one")
    add_page_options(parser)


def execute(args: Namespace, console: Console) -> int:
    """Read every page and write what was found."""
    readers.find(args.reader)
    form = _format(args, console)
    read = partial(extract, reader=args.reader, exact=args.exact, force=args.force)
    with documents(args, console, read) as (batch, results):
        if args.out:
            with _replacing(args.out) as path:
                _write_file(results, form or "jsonl", path)
                if batch.exit_code == exits.FAILED:
                    raise InputError(f"no page could be read, so {args.out} is not written")
        elif form is None:
            console.rows(map(_short if console.is_terminal else _whole, results))
        else:
            _write_text(results, form, console.stdout)
    return batch.exit_code


def _format(args: Namespace, console: Console) -> str | None:
    """Return the format that was asked for, or that the file's name tells; None leaves it to the console."""
    form: str | None = args.format or (_SUFFIXES.get(args.out.suffix.lower()) if args.out else None)
    if form == "parquet" and not args.out:
        raise UsageError("Parquet is no text: name a file with -o")
    if args.out and args.out.exists() and not args.overwrite:
        raise UsageError(f"{args.out} is there already; --overwrite replaces it")
    # JSON lines are what a pipe gets anyway, each as soon as it is there.
    return None if form == "jsonl" and not args.out and not console.is_terminal else form


def _short(result: Result) -> Row:
    name, article = result
    if article is None:
        return {"page": name, "title": None, "authors": (), "published": None, "paragraphs": None}
    return {
        "page": name,
        "title": article.title,
        "authors": article.authors,
        "published": article.published and article.published.isoformat(timespec="minutes"),
        "paragraphs": sum(1 for text in article.body.split("\n\n") if text),
    }


def _whole(result: Result) -> dict[str, Any]:
    name, article = result
    return {"page": name, "article": article.to_dict() if article else None}


@contextmanager
def _replacing(out: Path) -> Iterator[Path]:
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


def _write_file(results: Iterator[Result], form: str, path: Path) -> None:
    if form == "parquet":
        _write_parquet(results, path)
        return
    with path.open("w", encoding="utf-8") as file:
        _write_text(results, form, file)
        file.flush()
        os.fsync(file.fileno())


def _write_text(results: Iterable[Result], form: str, file: TextIO) -> None:
    """Write articles one after the other; what is no article has a place in JSON alone."""
    if form == "jsonl":
        file.writelines(dumps(_whole(result), ensure_ascii=False) + "\n" for result in results)
    elif form == "json":
        rows = (dumps(_whole(result), ensure_ascii=False, indent=1) for result in results)
        file.write("[" + next(rows, ""))
        file.writelines(f",\n{row}" for row in rows)
        file.write("]\n")
    else:
        between = "\n---\n\n" if form == "md" else "\n\n"
        articles = (article for _, article in results if article)
        for number, article in enumerate(articles):
            text = (
                article.to_markdown()
                if form == "md"
                else "\n\n".join(filter(None, (article.title, article.body))) + "\n"
            )
            file.write((between if number else "") + text)


def _write_parquet(results: Iterator[Result], path: Path) -> None:
    try:
        arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError as error:
        raise BroadsheetError("Parquet needs pyarrow: pip install 'broadsheet[crawl]'") from error
    schema = _schema(arrow)
    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        while rows := [_whole(result) for result in islice(results, ROWS_A_GROUP)]:
            writer.write_table(arrow.Table.from_pylist(rows, schema=schema))


def _schema(arrow: Any) -> Any:  # noqa: ANN401 - pyarrow, which only this format needs
    """Describe the rows of JSON in Arrow's types: a page, and its article or null."""
    text, texts = arrow.string(), arrow.list_(arrow.string())
    kinds = dict.fromkeys(("authors", "headings", "topics"), texts) | {
        "paywalled": arrow.bool_(),
        "blocks": arrow.list_(arrow.struct([(name, text) for name in ("label", "text", "path")])),
        "images": arrow.list_(arrow.struct([(name, text) for name in ("url", "caption", "credit")])),
        "evidence": arrow.map_(text, text),
        "verdict": arrow.struct(
            [("kind", text), ("subtype", text), ("probability", arrow.float64()), ("reasons", texts), ("model", text)]
        ),
    }
    fields = [(name, kinds.get(name, text)) for name in Article.__dataclass_fields__]
    return arrow.schema([("page", text), ("article", arrow.struct(fields))])
