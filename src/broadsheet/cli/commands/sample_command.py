"""`broadsheet sample`: show what Broadsheet sees in pages of a simulated news site."""

import shlex
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from broadsheet.base.errors import InputError
from broadsheet.cli import exits, views
from broadsheet.cli.arguments import seed
from broadsheet.cli.command import settings
from broadsheet.cli.console import Console
from broadsheet.cli.text_table import Row, clip
from broadsheet.document import Document, parse
from broadsheet.newsweb.sample_pages import SamplePage, make_pages

PIECES_SHOWN = 8

_EXAMPLES = """\
examples:
  broadsheet sample                     a report on each page
  broadsheet sample --seed 7            different news
  broadsheet sample --out pages         save the pages, to try other commands on
  broadsheet sample | head -1           JSON lines when piped
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the seed and the folder."""
    parser.epilog = _EXAMPLES
    parser.add_argument(
        "--seed", type=seed, default=1, metavar="N", help="another seed gives different news (default: 1)"
    )
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="save the pages in this folder, and list them")


def execute(args: Namespace, console: Console) -> int:
    """Generate the pages, parse them, and report on each."""
    pages = make_pages(args.seed)
    if args.out:
        write(pages, args.out)
        console.message(f"wrote {len(pages)} pages to {args.out}")
    documents = [(page, parse(page.content, page.url, limits=settings(args).limits)) for page in pages]
    if args.out and console.is_terminal:
        console.rows([as_row(page, document) for page, document in documents], ("page", "made_as", "title"))
        console.text()
    elif console.is_terminal:
        for page, document in documents:
            show(page, document, console)
    else:
        console.rows(as_row(page, document) for page, document in documents)
    title, *steps = advice(console.called, args.out)
    console.heading(title)
    for line in steps:
        console.text(line)
    return exits.DONE


def write(pages: tuple[SamplePage, ...], folder: Path) -> None:
    """Write the pages to a folder; raise `InputError` rather than replace a different file."""
    if folder.is_file():
        raise InputError(f"{folder} is a file; name a folder")
    folder.mkdir(parents=True, exist_ok=True)
    for page in pages:
        path = folder / page.name
        if path.exists() and path.read_bytes() != page.content:
            raise InputError(f"{path} already exists with other content; choose another folder")
        path.write_bytes(page.content)


def as_row(page: SamplePage, document: Document) -> Row:
    """Return everything in the report as one row, for programs."""
    return {
        "page": page.name,
        **views.summary(document),
        "url": page.url,
        "made_as": page.kind,
        "bytes": len(page.content),
        "encoding_source": document.encoding_source,
        "link_share": round(views.link_share(document), 3),
        "metadata": list(views.metadata_rows(document)),
        "pieces_outside_links": list(first_pieces(document)),
        "link_collections": [collection._asdict() for collection in views.collections(document)],
    }


def show(page: SamplePage, document: Document, console: Console) -> None:
    """Write the report on one page, for people."""
    summary = views.summary(document)
    console.text("=" * console.width)
    console.heading(f"{page.name}, generated as: {page.kind}")
    console.text(page.url)
    console.text()
    for name, text in (
        ("title", document.title),
        ("language", summary["language"] or "not stated"),
        ("decoded", f"{len(page.content):,} bytes of {document.encoding} (from: {document.encoding_source})"),
        ("size", "{nodes:,} nodes, {pieces:,} pieces of text, {words:,} words".format_map(summary)),
        ("links", "{links:,} in {collections:,} collections".format_map(summary)),
        ("link share", f"{views.link_share(document):.0%} of the characters are in links"),
    ):
        console.text(f"  {name:<12}{text}")
    for title, rows in (
        ("What the page states about itself, and where", views.metadata_rows(document)),
        (f"The first {PIECES_SHOWN} pieces of text outside links", first_pieces(document)),
        ("The collections of links, with their items in order", collections(document)),
    ):
        if table := list(rows):
            console.text()
            console.heading(title)
            console.rows(table)
    console.text()


def first_pieces(document: Document) -> Iterator[Row]:
    """Yield the first pieces of text outside links, so that the navigation bar does not crowd out the content."""
    outside = (row for row in views.piece_rows(document) if not row["link"])
    for row in islice(outside, PIECES_SHOWN):
        yield {name: row[name] for name in ("piece", "line", "block", "words", "text")}


def collections(document: Document) -> Iterator[Row]:
    """Yield the collections of links; containers and items are shortened, so that several items fit."""
    for collection in views.collections(document):
        path = (collection.container or "").split("/")
        items = " · ".join(clip(item, 24) for item in collection.items)
        yield {**collection._asdict(), "container": "/".join(path[-2:]), "items": items}


def advice(called: str, folder: Path | None) -> Iterator[str]:
    """Yield suggestions of what to try next, as commands that can be copied."""
    pages = shlex.quote(str(folder or "pages"))
    steps = [
        (f"{called} sample --out {pages}", "save these pages, to try the next commands on"),
        (f"{called} parse {pages}", "one row per page"),
        (f"{called} parse {pages} --links", "every link, with its collection and position"),
        (f"{called} parse {pages} | head -2", "the same for programs: JSON lines"),
        (f"{called} parse --help", "everything you can ask about a page"),
    ]
    if folder is not None:
        del steps[0]
    longest = max(len(command) for command, _ in steps)
    yield "What to type next:"
    for command, purpose in steps:
        yield f"  {command:<{longest}}  {purpose}"
