"""`broadsheet extract PAGE…`: the articles of pages, as rows, JSON, Markdown, plain text or Parquet."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from broadsheet.base.errors import InputError
from broadsheet.base.records import Verdict
from broadsheet.cli import exits
from broadsheet.cli.article_files import FORMATS, SUFFIXES, Result, replacing, whole, write_file, write_text
from broadsheet.cli.command import UsageError
from broadsheet.cli.console import Console
from broadsheet.cli.documents import add_jobs_option, add_page_options, add_pages, documents
from broadsheet.cli.table import Row
from broadsheet.pages.extraction import judge_and_read
from broadsheet.reading import readers
from broadsheet.reading.profiles import load

NAME = "extract"
HELP = "read the articles of pages: title, authors, dates, headings and body"

_EXAMPLES = """\
examples:
  broadsheet extract page.html                    a row about a page's article
  broadsheet extract page.html -f md              the article as Markdown
  broadsheet extract saved/ -o articles.parquet   every page of a folder, into a file; its name tells the format
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
    parser.add_argument(
        "-f", "--format", choices=FORMATS, help="how to write the articles (a table, or jsonl if piped)"
    )
    parser.add_argument(
        "-o", "--out", type=Path, metavar="OUT", help="write to a file, which appears when it is complete"
    )
    parser.add_argument("--overwrite", action="store_true", help="let OUT replace a file that is there already")
    parser.add_argument("--reader", default=readers.DEFAULT, metavar="NAME", help="what reads the pages (%(default)s)")
    parser.add_argument("--profile", type=Path, metavar="FILE", help="what `broadsheet profile` learned of the site")
    parser.add_argument("--exact", action="store_true", help="read with the published algorithm to the letter")
    parser.add_argument("--force", action="store_true", help="read every page, also one that is no article")
    add_jobs_option(parser)
    add_page_options(parser)


def execute(args: Namespace, console: Console) -> int:
    """Read every page and write what was found."""
    readers.find(args.reader)
    form = _format(args, console)
    profile = load(args.profile) if args.profile else None
    read = partial(judge_and_read, reader=args.reader, exact=args.exact, force=args.force, profile=profile)
    with documents(args, console, read, jobs=args.jobs) as (batch, found):
        results = _told(found, console) if form in {"md", "text"} else found
        if args.out:
            with replacing(args.out) as path:
                write_file(results, form or "jsonl", path)
                if batch.exit_code == exits.FAILED:
                    raise InputError(f"no page could be read, so {args.out} is not written")
        elif form is None:
            console.rows(map(_short if console.is_terminal else whole, results))
        else:
            write_text(results, form, console.stdout)
    return batch.exit_code


def _format(args: Namespace, console: Console) -> str | None:
    """Return the format that was asked for, or that the file's name tells; None leaves it to the console."""
    form: str | None = args.format or (SUFFIXES.get(args.out.suffix.lower()) if args.out else None)
    if args.out and form is None:
        raise UsageError(f"{args.out}: name the format with -f, or end the name in {', '.join(SUFFIXES)}")
    if form == "parquet" and not args.out:
        raise UsageError("Parquet is no text: name a file with -o")
    if args.out and args.out.exists() and not args.overwrite:
        raise UsageError(f"{args.out} is there already; --overwrite replaces it")
    # JSON lines are what a pipe gets anyway, each as soon as it is there.
    return None if form == "jsonl" and not args.out and not console.is_terminal else form


def _told(results: Iterator[Result], console: Console) -> Iterator[Result]:
    """Give the results, and say of each page without an article what it is: these formats have no place for it."""
    for name, found in results:
        if found.article is None:
            console.message(f"{name}: {_why_not(found.verdict)}")
        yield name, found


def _short(result: Result) -> Row:
    name, (verdict, article) = result
    if article is None:
        return {"page": name, "title": _why_not(verdict), "authors": (), "published": None, "paragraphs": None}
    return {
        "page": name,
        "title": article.title,
        "authors": article.authors,
        "published": article.published and article.published.isoformat(timespec="minutes"),
        "paragraphs": sum(1 for text in article.body.split("\n\n") if text),
    }


def _why_not(verdict: Verdict) -> str:
    """Say in one line what a page is that gave no article."""
    sure = f"{verdict.kind} ({verdict.probability:.2f})"
    return f"{sure}, without text of one" if verdict.kind == "article" else f"{sure}: {'; '.join(verdict.reasons[:2])}"
