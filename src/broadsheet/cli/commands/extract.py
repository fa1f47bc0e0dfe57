"""`broadsheet extract PAGE…`: the articles of pages, as rows, JSON, CSV, Parquet, Markdown, plain text or TEI."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from broadsheet.base.errors import InputError
from broadsheet.base.records import Verdict
from broadsheet.cli import exits
from broadsheet.cli.console import Console
from broadsheet.cli.documents import add_jobs_option, add_page_options, add_pages, documents
from broadsheet.cli.inputs import Origin
from broadsheet.cli.table import Row
from broadsheet.cli.writing import add_output_options, format_of
from broadsheet.outputs.columns import READ, read_row
from broadsheet.outputs.files import replacing
from broadsheet.outputs.output import Output
from broadsheet.outputs.writers import Style, write_file, write_text
from broadsheet.pages.extraction import Findings, judge_and_read
from broadsheet.reading import readers
from broadsheet.reading.profiles import load

#: Formats that have no place for a page that is not an article.
_ARTICLES_ALONE = frozenset({"md", "text", "tei"})
_EXAMPLES = """\
examples:
  broadsheet extract page.html                    a row about a page's article
  broadsheet extract page.html -f md              the article as Markdown
  broadsheet extract saved/ -o articles.csv       every page of a folder, into a file; its name tells the format
  broadsheet extract saved/ -o articles.parquet   the same with lists and times as such
  broadsheet extract saved/ -o articles.xml       a corpus in TEI
  broadsheet extract crawl.warc.gz -o articles.jsonl --jobs 4
  broadsheet extract saved/ --reader coreex --exact
  broadsheet extract https://news.example/story   fetched politely; robots.txt is heeded
  broadsheet extract - --url URL -f text < page.html
  broadsheet extract saved/ | jq -r .article.title
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the pages, how they are read, and where and how their articles are written."""
    parser.epilog = _EXAMPLES
    add_pages(parser)
    add_output_options(parser, default="a table, or jsonl if piped")
    parser.add_argument("--reader", default=readers.DEFAULT, metavar="NAME", help="which reader to use (%(default)s)")
    parser.add_argument("--profile", type=Path, metavar="FILE", help="a profile of the site, from `broadsheet profile`")
    parser.add_argument("--exact", action="store_true", help="use the reader's published algorithm to the letter")
    parser.add_argument("--force", action="store_true", help="read every page, even one that is not an article")
    add_jobs_option(parser)
    add_page_options(parser)


def execute(args: Namespace, console: Console) -> int:
    """Read every page and write what was found."""
    readers.find(args.reader)
    form = format_of(args)
    profile = load(args.profile) if args.profile else None
    read = partial(judge_and_read, reader=args.reader, exact=args.exact, force=args.force, profile=profile)
    with documents(args, console, read, jobs=args.jobs, timed=True) as (batch, found):
        outputs: Iterator[Output] = (_output(origin, findings, args.url) for origin, findings in found)
        if form in _ARTICLES_ALONE:
            outputs = _told(outputs, console)
        if args.out:
            with replacing(args.out) as path:
                write_file(outputs, Style(form or "jsonl", READ, args.raw_cells), path)
                if batch.exit_code == exits.FAILED:
                    raise InputError(f"no page could be read, so {args.out} is not written")
        elif form is None or (form == "jsonl" and not console.is_terminal):
            # A pipe gets each line as soon as it is there.
            console.rows(map(_short if console.is_terminal else read_row, outputs))
        else:
            write_text(outputs, Style(form, READ, args.raw_cells), console.stdout)
    return batch.exit_code


def _output(origin: Origin, findings: Findings, url: str | None) -> Output:
    return Output(
        article=findings.article,
        verdict=findings.verdict,
        page=origin.name,
        url=url or origin.url,
        file=origin.file,
        offset=origin.offset,
        fetched_at=origin.fetched_at,
    )


def _told(outputs: Iterator[Output], console: Console) -> Iterator[Output]:
    """Give the outputs, and say of each page without an article what it is: these formats have no place for it."""
    for output in outputs:
        if output.article is None:
            console.message(f"{output.page}: {_why_not(output.verdict)}")
        yield output


def _short(output: Output) -> Row:
    article = output.article
    if article is None:
        why = _why_not(output.verdict)
        return {"page": output.page, "title": why, "authors": (), "published": None, "paragraphs": None}
    return {
        "page": output.page,
        "title": article.title,
        "authors": article.authors,
        "published": article.published and article.published.isoformat(timespec="minutes"),
        "paragraphs": sum(1 for text in article.body.split("\n\n") if text),
    }


def _why_not(verdict: Verdict | None) -> str:
    """Say in one line what a page is that gave no article."""
    if verdict is None:
        return "not judged"
    sure = f"{verdict.kind} ({verdict.probability:.2f})"
    return f"{sure}, without text of one" if verdict.kind == "article" else f"{sure}: {'; '.join(verdict.reasons[:2])}"
