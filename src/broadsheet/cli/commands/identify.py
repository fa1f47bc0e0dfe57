"""`broadsheet identify PAGE…`: what pages are, article, section or other, how sure that is, and why."""

from argparse import ArgumentParser, Namespace

from broadsheet.base.records import Verdict
from broadsheet.cli.arguments import encoding, url
from broadsheet.cli.batch import Batch
from broadsheet.cli.command import UsageError, settings
from broadsheet.cli.console import Console
from broadsheet.cli.inputs import Loaded
from broadsheet.cli.rendering import add_render_option, rendering
from broadsheet.cli.table import Row
from broadsheet.document import parse
from broadsheet.pages.identify import judge

NAME = "identify"
HELP = "say what pages are: an article, a section or something else"

#: A table has room for so many reasons.
FEW = 2

_EXAMPLES = """\
examples:
  broadsheet identify page.html --url URL         what a page is; its address makes the answer surer
  broadsheet identify page.html --reasons         a line for every reason
  broadsheet identify saved/                      every page of a folder
  broadsheet identify https://news.example/       fetched politely; robots.txt is heeded
  broadsheet identify saved/ | jq -r 'select(.kind == "article").page'
"""

#: A page's name and the verdict on it.
Result = tuple[str, Verdict]


def configure(parser: ArgumentParser) -> None:
    """Declare the pages and how much is told of each."""
    parser.epilog = _EXAMPLES
    parser.add_argument("pages", metavar="PAGE", nargs="+", help="a file, a folder, a URL, or - for standard input")
    parser.add_argument("--reasons", action="store_true", help="give all reasons, on a terminal a line each")
    parser.add_argument("--encoding", type=encoding, metavar="NAME", help="decode like this, whatever pages say")
    parser.add_argument("--url", type=url, help="the page's address")
    add_render_option(parser)


def execute(args: Namespace, console: Console) -> int:
    """Judge every page and write the verdicts."""
    limits = settings(args).limits
    batch = Batch(args.pages, console, limits.max_bytes, settings(args).crawl)
    if args.url and len(batch) != 1:
        raise UsageError(f"--url is the address of one page, but {len(batch)} are given")
    with rendering(args) as render:

        def work(page: Loaded) -> Result:
            document = parse(
                render(page.content),
                args.url or page.url,
                encoding=args.encoding,
                content_type=page.content_type,
                limits=limits,
            )
            return page.name, judge(document)

        results = batch.pages(work)
        if not console.is_terminal:
            console.rows(map(_whole, results))
        elif args.reasons:
            console.rows(row for result in results for row in _explained(result))
        else:
            console.rows(map(_short, results))
    return batch.exit_code


def _short(result: Result) -> Row:
    name, verdict = result
    return {
        "page": name,
        "kind": verdict.kind,
        "probability": verdict.probability,
        "reasons": "; ".join(verdict.reasons[:FEW]),
    }


def _explained(result: Result) -> list[Row]:
    """Return a row a reason; what holds for all of them stands in the first."""
    name, verdict = result
    first, *others = verdict.reasons or ("",)
    head: Row = {"page": name, "kind": verdict.kind, "probability": verdict.probability, "reason": first}
    return [head, *({"page": None, "kind": None, "probability": None, "reason": reason} for reason in others)]


def _whole(result: Result) -> Row:
    name, verdict = result
    return {"page": name, **verdict.to_dict()}
