"""`broadsheet article ARCHIVE URL`: show an article from an archive, and list its versions."""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from broadsheet.base import urls
from broadsheet.base.errors import InputError
from broadsheet.base.extras import needing
from broadsheet.cli import exits
from broadsheet.cli.arguments import positive
from broadsheet.cli.console import Console
from broadsheet.cli.text_table import Row
from broadsheet.outputs.output_columns import ARCHIVED
from broadsheet.outputs.writers import Style, write_text

if TYPE_CHECKING:
    from broadsheet.archive import Store, StoredArticle

FORMATS = ("json", "md", "text", "tei")
_EXAMPLES = """\
examples:
  broadsheet article news https://news.example/story              the text, and a list of its versions
  broadsheet article news https://news.example/story --version 1  the text as first published
  broadsheet article news news.example/story -f md                as Markdown
  broadsheet article news https://news.example/story | jq .versions
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the archive, the article and the output format."""
    parser.epilog = _EXAMPLES
    parser.add_argument("archive", metavar="ARCHIVE", type=Path, help="the archive's folder")
    parser.add_argument("url", metavar="URL", help="the address of the article")
    parser.add_argument("--version", type=positive, metavar="N", help="show this version (default: the newest)")
    parser.add_argument("-f", "--format", choices=FORMATS, help="output format (default: text, or json when piped)")


def execute(args: Namespace, console: Console) -> int:
    """Write the article and its versions."""
    with needing("crawl", "an archive"):
        from broadsheet.archive import Store, export  # noqa: PLC0415 - only with the extra

    with Store.open(args.archive) as archive:
        versions = _versions(archive, args.url)
        copies = archive.near_duplicates(versions[-1].key)
    stored = _choose(versions, args.version, args.url)
    form = args.format or ("text" if console.is_terminal else "json")
    if form == "json":
        row = {**export.row(stored), "versions": [_version_row(version) for version in versions]}
        row["near_duplicates"] = [asdict(copy) for copy in copies]
        console.stdout.write(json.dumps(row, ensure_ascii=False) + "\n")
    else:
        write_text([export.output(stored)], Style(form, ARCHIVED), console.stdout)
    if args.format is None:
        console.text()
        if console.is_terminal:
            console.rows([_version_row(version) for version in versions], _COLUMNS)
            if copies:
                console.text()
            for copy in copies:
                console.text(f"also at {copy.url} ({copy.containment:.0%} of the shorter text)")
    return exits.DONE


def _versions(archive: "Store", url: str) -> "Sequence[StoredArticle]":
    """Return the versions of the article at an address, or of the article that it duplicates."""
    key = urls.key(url)
    if versions := archive.versions(key):
        return versions
    page = archive.pages((key,)).get(key)
    if page and page.duplicate_of and (versions := archive.versions(page.duplicate_of)):
        return versions
    known = f"; that page is known as {page.kind or 'not classified'}, {page.state.value}" if page else ""
    raise InputError(f"{archive.folder}: contains no article at {url}{known}")


def _choose(versions: "Sequence[StoredArticle]", number: int | None, url: str) -> "StoredArticle":
    matches = [stored for stored in versions if number in {None, stored.version}]
    if not matches:
        raise InputError(f"{url}: has no version {number}, only 1 to {versions[-1].version}")
    return matches[-1]


def _version_row(stored: "StoredArticle") -> Row:
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
