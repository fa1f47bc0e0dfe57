"""`broadsheet article ARCHIVE URL`: show an article from an archive, its versions, and what happened to it."""

import json
from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from broadsheet.base.extras import needing
from broadsheet.cli import exits
from broadsheet.cli.archived_versions import choose_version, find_versions
from broadsheet.cli.arguments import positive
from broadsheet.cli.console import Console
from broadsheet.cli.event_rows import event_row
from broadsheet.cli.text_table import Row
from broadsheet.outputs.output_columns import ARCHIVED
from broadsheet.outputs.writers import Style, write_text

if TYPE_CHECKING:
    from broadsheet.archive import Membership, StoredArticle

FORMATS = ("json", "md", "text", "tei")
_EXAMPLES = """\
examples:
  broadsheet article news https://news.example/story              the text, where it was found, and its history
  broadsheet article news https://news.example/story --version 1  the text as first published
  broadsheet article news news.example/story -f md                as Markdown
  broadsheet article news https://news.example/story | jq .versions
  broadsheet article news https://news.example/story | jq .history

The history says when an article was archived, revised, deleted or moved; `broadsheet diff` shows what changed.
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
        versions = find_versions(archive, args.url)
        found = archive.found(versions[-1].key)
        history = [event_row(event) for event in archive.events(url=versions[-1].key)]
        copies = archive.near_duplicates(versions[-1].key)
    stored = choose_version(versions, args.version, args.url)
    form = args.format or ("text" if console.is_terminal else "json")
    if form == "json":
        row = {
            **export.row(stored),
            "found": [_found_row(member) for member in found],
            "versions": [_version_row(version) for version in versions],
            "history": history,
            "near_duplicates": [asdict(copy) for copy in copies],
        }
        console.stdout.write(json.dumps(row, ensure_ascii=False) + "\n")
    else:
        write_text([export.output(stored)], Style(form, ARCHIVED), console.stdout)
    if args.format is None:
        console.text()
        if console.is_terminal:
            if found:
                console.rows([_found_row(member) for member in found], _FOUND_COLUMNS)
                console.text()
            console.rows([_version_row(version) for version in versions], _COLUMNS)
            if history:
                console.text()
                console.rows(history, ("at", "event", "what"))
            if copies:
                console.text()
            for copy in copies:
                console.text(f"also at {copy.url} ({copy.containment:.0%} of the shorter text)")
    return exits.DONE


def _found_row(member: "Membership") -> Row:
    return {
        "source": member.source,
        "found_on": member.found_on,
        "first_seen": member.first_seen.isoformat(),
        "anchor": member.anchor,
    }


def _version_row(stored: "StoredArticle") -> Row:
    return {
        "version": stored.version,
        "fetched_at": stored.fetched_at.isoformat(),
        "published": stored.article.format_time("published"),
        "title": stored.article.title,
        "characters": len(stored.article.body),
        "model": stored.model,
        "reread_at": stored.reread_at.isoformat() if stored.reread_at else None,
        "file": stored.warc,
        "offset": stored.offset,
        "length": stored.length,
    }


_COLUMNS = ("version", "fetched_at", "reread_at", "title", "characters")
_FOUND_COLUMNS = ("source", "found_on", "first_seen", "anchor")
