"""`broadsheet extract PAGE…`: extract articles as a table, JSON, CSV, Parquet, Markdown, plain text or TEI."""

from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from broadsheet.base.errors import InputError
from broadsheet.base.records import Verdict
from broadsheet.cli import exits
from broadsheet.cli.console import Console
from broadsheet.cli.documents import add_jobs_option, add_page_options, add_pages, documents
from broadsheet.cli.inputs import Origin
from broadsheet.cli.text_table import Row
from broadsheet.cli.writing import add_output_options, format_of
from broadsheet.outputs.output import Output
from broadsheet.outputs.output_columns import READ, read_row
from broadsheet.outputs.output_files import replacing
from broadsheet.outputs.writers import Style, write_file, write_text
from broadsheet.pages.extraction import JudgedArticle, judge_and_read
from broadsheet.reading import readers
from broadsheet.reading.profiles import load
from broadsheet.reading.reader_files import load_reader
from broadsheet.reading.structure_check import describe_errors, structure_errors

#: Formats that cannot represent a page without an article.
_ARTICLE_ONLY_FORMATS = frozenset({"md", "text", "tei"})
_EXAMPLES = """\
examples:
  broadsheet extract page.html                    summarise the article in a saved page
  broadsheet extract page.html -f md              print the article as Markdown
  broadsheet extract saved/ -o articles.csv       every page in a folder; the file name sets the format
  broadsheet extract saved/ -o articles.parquet   the same, with typed columns
  broadsheet extract saved/ -o articles.xml       the same, as a TEI corpus
  broadsheet extract crawl.warc.gz -o articles.jsonl --jobs 4
  broadsheet extract saved/ --reader coreex --exact
  broadsheet extract saved/ --check               name articles without title, with several, or with adjacent headings
  broadsheet extract saved/ --model mine.npz      with a reader that you trained on your own pages
  broadsheet extract https://news.example/story   fetch the page first, respecting robots.txt
  broadsheet extract - --url URL -f text < page.html
  broadsheet extract saved/ | jq -r .article.title
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the pages, how to read them, and how to write the articles."""
    parser.epilog = _EXAMPLES
    add_pages(parser)
    add_output_options(parser, default="a table, or jsonl when piped")
    parser.add_argument(
        "--reader",
        default=readers.DEFAULT,
        metavar="NAME",
        help="the extraction algorithm to use (default: %(default)s)",
    )
    parser.add_argument(
        "--profile", type=Path, metavar="FILE", help="use a site profile written by `broadsheet profile`"
    )
    parser.add_argument(
        "--model", type=Path, metavar="FILE", help="use a model written by `broadsheet train` instead of a reader"
    )
    parser.add_argument(
        "--check", action="store_true", help="check the structure of each article: one title, no adjacent headings"
    )
    parser.add_argument("--exact", action="store_true", help="follow the published algorithm to the letter")
    parser.add_argument("--force", action="store_true", help="extract from every page, even if it is not an article")
    add_jobs_option(parser)
    add_page_options(parser)


def execute(args: Namespace, console: Console) -> int:
    """Extract the article of every page and write it."""
    readers.find(args.reader)
    form = format_of(args)
    if args.model:
        load_reader(args.model)
    profile = load(args.profile) if args.profile else None
    read = partial(
        judge_and_read, reader=args.reader, exact=args.exact, force=args.force, profile=profile, model=args.model
    )
    with documents(args, console, read, jobs=args.jobs, timed=True) as (batch, results):
        outputs: Iterator[Output] = (_output(origin, judged, args.url) for origin, judged in results)
        if args.check:
            outputs = _with_structure(outputs, console)
        if form in _ARTICLE_ONLY_FORMATS:
            outputs = _report_pages_without_article(outputs, console, is_forced=args.force)
        if args.out:
            written = Counter[bool]()
            with replacing(args.out) as path:
                write_file(_counted(outputs, written), Style(form or "jsonl", READ, args.raw_cells), path)
                if batch.exit_code == exits.FAILED:
                    raise InputError(f"no page could be read, so {args.out} was not written")
            console.message(_summary(args.out, written, articles_only=form in _ARTICLE_ONLY_FORMATS))
        elif form is None or (form == "jsonl" and not console.is_terminal):
            # Write each line to a pipe as soon as it is available.
            console.rows(map(_table_row if console.is_terminal else read_row, outputs))
        else:
            write_text(outputs, Style(form, READ, args.raw_cells), console.stdout)
    return batch.exit_code


def _counted(outputs: Iterator[Output], written: Counter[bool]) -> Iterator[Output]:
    """Yield the outputs, and count them by whether they have an article."""
    for output in outputs:
        written[output.article is not None] += 1
        yield output


def _summary(file: Path, written: Counter[bool], *, articles_only: bool) -> str:
    """Say in one line what was written to a file."""
    articles, pages = written[True], written.total()
    if articles_only:
        return f"wrote {articles:,} article{'' if articles == 1 else 's'} to {file}"
    return f"wrote {pages:,} page{'' if pages == 1 else 's'} to {file}: {articles:,} with an article"


def _output(origin: Origin, judged: JudgedArticle, url: str | None) -> Output:
    return Output(
        article=judged.article,
        verdict=judged.verdict,
        page=origin.name,
        url=url or origin.url,
        file=origin.file,
        offset=origin.offset,
        fetched_at=origin.fetched_at,
    )


def _with_structure(outputs: Iterator[Output], console: Console) -> Iterator[Output]:
    """Add what is wrong with the structure of each article, and name the articles with errors."""
    for output in outputs:
        if output.article is None:
            yield output
            continue
        errors = structure_errors(block.label for block in output.article.blocks)
        if errors:
            console.warning(f"{output.page}: {describe_errors(errors)}")
        yield replace(output, structure=errors)


def _report_pages_without_article(outputs: Iterator[Output], console: Console, *, is_forced: bool) -> Iterator[Output]:
    """Yield the outputs, and write a message for each page without an article, which these formats cannot represent."""
    is_refused = False
    for output in outputs:
        if output.article is None:
            console.message(f"{output.page}: {_why_not(output.verdict)}")
            is_refused = True
        yield output
    if is_refused and not is_forced:
        console.message("--force extracts from pages that are not articles, too")


def _table_row(output: Output) -> Row:
    article = output.article
    if article is None:
        why = _why_not(output.verdict)
        return {"page": output.page, "title": why, "authors": (), "published": None, "paragraphs": None}
    return {
        "page": output.page,
        "title": article.title,
        "authors": article.authors,
        "published": article.format_time("published", "minutes"),
        "paragraphs": sum(1 for text in article.body.split("\n\n") if text),
        **({} if output.structure is None else {"structure": describe_errors(output.structure) or "sound"}),
    }


def _why_not(verdict: Verdict | None) -> str:
    """Explain in one line why a page has no article."""
    if verdict is None:
        return "not classified"
    kind = f"{verdict.kind} ({verdict.probability:.2f})"
    return (
        f"{kind}, but no text was found" if verdict.kind == "article" else f"{kind}: {'; '.join(verdict.reasons[:2])}"
    )
