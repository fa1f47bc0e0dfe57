"""`broadsheet identify PAGE…`: classify pages as article, section or other, with probability and reasons."""

from argparse import ArgumentParser, Namespace

from broadsheet.base.records import Verdict
from broadsheet.cli.console import Console
from broadsheet.cli.documents import add_jobs_option, add_page_options, add_pages, documents
from broadsheet.cli.inputs import Origin
from broadsheet.cli.text_table import Row
from broadsheet.pages.identify import judge

#: How many reasons fit into a table.
REASONS_SHOWN = 2

_EXAMPLES = """\
examples:
  broadsheet identify page.html --url URL         classify a page; its address improves the answer
  broadsheet identify page.html --reasons         list every reason on its own line
  broadsheet identify saved/ crawl.warc.gz        every page in a folder and a WARC file, on all cores
  broadsheet identify https://news.example/       fetch the page first, respecting robots.txt
  broadsheet identify saved/ | jq -r 'select(.kind == "article").page'
"""

#: The origin of a page and its verdict.
Result = tuple[Origin, Verdict]


def configure(parser: ArgumentParser) -> None:
    """Declare the pages and how many reasons to show."""
    parser.epilog = _EXAMPLES
    add_pages(parser)
    parser.add_argument("--reasons", action="store_true", help="show all reasons, one per line on a terminal")
    add_jobs_option(parser)
    add_page_options(parser)


def execute(args: Namespace, console: Console) -> int:
    """Classify every page and write the verdicts."""
    with documents(args, console, judge, jobs=args.jobs) as (batch, results):
        if not console.is_terminal:
            console.rows(map(_full_row, results))
        elif args.reasons:
            console.rows(row for result in results for row in _reason_rows(result))
        else:
            console.rows(map(_table_row, results))
    return batch.exit_code


def _table_row(result: Result) -> Row:
    origin, verdict = result
    return {
        "page": origin.name,
        "kind": verdict.kind,
        "probability": verdict.probability,
        "reasons": "; ".join(verdict.reasons[:REASONS_SHOWN]),
    }


def _reason_rows(result: Result) -> list[Row]:
    """Return one row per reason; only the first repeats the page and its kind."""
    origin, verdict = result
    first, *others = verdict.reasons or ("",)
    first_row: Row = {"page": origin.name, "kind": verdict.kind, "probability": verdict.probability, "reason": first}
    return [first_row, *({"page": None, "kind": None, "probability": None, "reason": reason} for reason in others)]


def _full_row(result: Result) -> Row:
    origin, verdict = result
    return {"page": origin.name, **verdict.to_dict()}
