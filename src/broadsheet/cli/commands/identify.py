"""`broadsheet identify PAGE…`: what pages are, article, section or other, how sure that is, and why."""

from argparse import ArgumentParser, Namespace

from broadsheet.base.records import Verdict
from broadsheet.cli.console import Console
from broadsheet.cli.documents import add_jobs_option, add_page_options, add_pages, documents
from broadsheet.cli.inputs import Origin
from broadsheet.cli.table import Row
from broadsheet.pages.identify import judge

#: A table has room for so many reasons.
FEW = 2

_EXAMPLES = """\
examples:
  broadsheet identify page.html --url URL         what a page is; its address makes the answer surer
  broadsheet identify page.html --reasons         a line for every reason
  broadsheet identify saved/ crawl.warc.gz        every page of a folder and of a WARC file, on all cores
  broadsheet identify https://news.example/       fetched politely; robots.txt is heeded
  broadsheet identify saved/ | jq -r 'select(.kind == "article").page'
"""

#: Where a page came from and the verdict on it.
Result = tuple[Origin, Verdict]


def configure(parser: ArgumentParser) -> None:
    """Declare the pages and how much is told of each."""
    parser.epilog = _EXAMPLES
    add_pages(parser)
    parser.add_argument("--reasons", action="store_true", help="give all reasons, one per line on a terminal")
    add_jobs_option(parser)
    add_page_options(parser)


def execute(args: Namespace, console: Console) -> int:
    """Judge every page and write the verdicts."""
    with documents(args, console, judge, jobs=args.jobs) as (batch, results):
        if not console.is_terminal:
            console.rows(map(_whole, results))
        elif args.reasons:
            console.rows(row for result in results for row in _explained(result))
        else:
            console.rows(map(_short, results))
    return batch.exit_code


def _short(result: Result) -> Row:
    origin, verdict = result
    return {
        "page": origin.name,
        "kind": verdict.kind,
        "probability": verdict.probability,
        "reasons": "; ".join(verdict.reasons[:FEW]),
    }


def _explained(result: Result) -> list[Row]:
    """Return one row per reason; what holds for all of them stands in the first."""
    origin, verdict = result
    first, *others = verdict.reasons or ("",)
    head: Row = {"page": origin.name, "kind": verdict.kind, "probability": verdict.probability, "reason": first}
    return [head, *({"page": None, "kind": None, "probability": None, "reason": reason} for reason in others)]


def _whole(result: Result) -> Row:
    origin, verdict = result
    return {"page": origin.name, **verdict.to_dict()}
