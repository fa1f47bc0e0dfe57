"""`broadsheet article ARCHIVE URL`: one article of an archive, and which versions there are of it."""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from broadsheet.base import urls
from broadsheet.base.errors import InputError
from broadsheet.base.extras import needing
from broadsheet.cli import exits
from broadsheet.cli.arguments import positive
from broadsheet.cli.console import Console
from broadsheet.cli.table import Row
from broadsheet.outputs.columns import KEPT
from broadsheet.outputs.writers import Style, write_text

if TYPE_CHECKING:
    from broadsheet.archive import Archive, StoredArticle

FORMATS = ("json", "md", "text", "tei")
_EXAMPLES = """\
examples:
  broadsheet article news https://news.example/story              its text, and which versions there are
  broadsheet article news https://news.example/story --version 1  the text as it was first
  broadsheet article news news.example/story -f md                as Markdown
  broadsheet article news https://news.example/story | jq .versions
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the archive, the article and how it is shown."""
    parser.epilog = _EXAMPLES
    parser.add_argument("archive", metavar="ARCHIVE", type=Path, help="the folder of the archive")
    parser.add_argument("url", metavar="URL", help="the article's address")
    parser.add_argument("--version", type=positive, metavar="N", help="which version (the newest)")
    parser.add_argument("-f", "--format", choices=FORMATS, help="the format (text, or json if piped)")


def execute(args: Namespace, console: Console) -> int:
    """Write the article."""
    with needing("crawl", "an archive"):
        from broadsheet.archive import Archive, export  # noqa: PLC0415 - only with the extra

    with Archive.open(args.archive) as archive:
        versions = _versions(archive, args.url)
    stored = _chosen(versions, args.version, args.url)
    form = args.format or ("text" if console.is_terminal else "json")
    if form == "json":
        row = {**export.row(stored), "versions": [_about(version) for version in versions]}
        console.stdout.write(json.dumps(row, ensure_ascii=False) + "\n")
    else:
        write_text([export.output(stored)], Style(form, KEPT), console.stdout)
    if args.format is None:
        console.text()
        if console.is_terminal:
            console.rows([_about(version) for version in versions], _COLUMNS)
    return exits.DONE


def _versions(archive: "Archive", url: str) -> "Sequence[StoredArticle]":
    """Return the versions of the article at an address, or of the one that the page there is a copy of."""
    key = urls.key(url)
    if versions := archive.versions(key):
        return versions
    page = archive.pages((key,)).get(key)
    if page and page.duplicate_of and (versions := archive.versions(page.duplicate_of)):
        return versions
    known = f"; that page is known as {page.kind or 'not judged'}, {page.state.value}" if page else ""
    raise InputError(f"{archive.folder}: has no article at {url}{known}")


def _chosen(versions: "Sequence[StoredArticle]", number: int | None, url: str) -> "StoredArticle":
    found = [stored for stored in versions if number in {None, stored.version}]
    if not found:
        raise InputError(f"{url}: has no version {number}; there are 1 to {versions[-1].version}")
    return found[-1]


def _about(stored: "StoredArticle") -> Row:
    published = stored.article.published
    return {
        "version": stored.version,
        "fetched_at": stored.fetched_at.isoformat(),
        "published": published.isoformat() if published else None,
        "title": stored.article.title,
        "characters": len(stored.article.body),
        "file": stored.warc,
        "offset": stored.offset,
        "length": stored.length,
    }


_COLUMNS = ("version", "fetched_at", "title", "characters")
