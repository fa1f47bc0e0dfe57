"""`broadsheet diff ARCHIVE URL`: show what changed between two versions of an article."""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from broadsheet.base.errors import InputError
from broadsheet.base.extras import needing
from broadsheet.cli import exits
from broadsheet.cli.archived_versions import choose_version, find_versions
from broadsheet.cli.arguments import positive
from broadsheet.cli.article_diff import PartDiff, diff_articles
from broadsheet.cli.command import UsageError
from broadsheet.cli.console import Console
from broadsheet.cli.diff_view import show_columns, show_unified
from broadsheet.cli.terminal_colours import Colour
from broadsheet.cli.text_table import Row

if TYPE_CHECKING:
    from broadsheet.archive import StoredArticle

_EXAMPLES = """\
examples:
  broadsheet diff news https://news.example/story                     the newest version and the one before it
  broadsheet diff news https://news.example/story --from 1 --to 3     the first version and the third
  broadsheet diff news https://news.example/story --side-by-side      in two columns
  broadsheet diff news https://news.example/story -f jsonl | jq .after

Every paragraph that changed is shown once, with a sign before it:
  ~  changed: [-removed words-] and {+added words+}, in colours on a terminal
  -  removed
  +  added

`broadsheet articles ARCHIVE --revised` lists the articles with several versions.
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the archive, the article, the versions and the output format."""
    parser.epilog = _EXAMPLES
    parser.add_argument("archive", metavar="ARCHIVE", type=Path, help="the archive's folder")
    parser.add_argument("url", metavar="URL", help="the address of the article")
    parser.add_argument(
        "--from", type=positive, dest="older", metavar="N", help="the older version (default: the one before --to)"
    )
    parser.add_argument(
        "--to", type=positive, dest="newer", metavar="M", help="the newer version (default: the newest)"
    )
    layout = parser.add_mutually_exclusive_group()
    layout.add_argument("--unified", action="store_true", help="one text with the changes marked in it (default)")
    layout.add_argument(
        "--side-by-side", action="store_true", help="the older text on the left, the newer on the right"
    )
    parser.add_argument(
        "-f", "--format", choices=("text", "jsonl"), default="text", help="output format (default: text, also piped)"
    )


def execute(args: Namespace, console: Console) -> int:
    """Write what changed."""
    with needing("crawl", "an archive"):
        from broadsheet.archive import Store, article_change  # noqa: PLC0415 - only with the extra

    with Store.open(args.archive) as archive:
        versions = find_versions(archive, args.url)
    before, after = _chosen(versions, args.older, args.newer, args.url)
    parts = diff_articles(before.article, after.article)
    if args.format == "jsonl":
        for row in _rows(parts, before, after):
            console.stdout.write(json.dumps(row, ensure_ascii=False) + "\n")
        return exits.DONE
    change = article_change(before.article, after.article)
    for sign, stored in (("---", before), ("+++", after)):
        console.marked(f"{sign} version {stored.version}, fetched {stored.fetched_at:%Y-%m-%d %H:%M} UTC", Colour.FAINT)
        console.stdout.write("\n")
    summary = f"changed: {', '.join(change.parts)}; words added: {change.words_added}, removed: {change.words_removed}"
    console.stdout.write(f"{summary}\n")
    (show_columns if args.side_by_side else show_unified)(parts, console)
    return exits.DONE


def _chosen(
    versions: "Sequence[StoredArticle]", older: int | None, newer: int | None, url: str
) -> "tuple[StoredArticle, StoredArticle]":
    """Return the two versions to compare: by default the newest and the one before it."""
    after = choose_version(versions, newer, url)
    if older is None:
        earlier = [stored for stored in versions if stored.version < after.version]
        if not earlier:
            what = "has only one version" if len(versions) == 1 else f"has no version before {after.version}"
            raise InputError(f"{url}: {what}, so there is nothing to compare it with")
        return earlier[-1], after
    before = choose_version(versions, older, url)
    if before.version >= after.version:
        raise UsageError(f"--from {before.version} is not older than --to {after.version}")
    return before, after


def _rows(parts: Sequence[PartDiff], before: "StoredArticle", after: "StoredArticle") -> Iterator[Row]:
    for part in parts:
        for number, change in enumerate(part.changes):
            if not change.is_same:
                yield {
                    "key": after.key,
                    "from": before.version,
                    "to": after.version,
                    "part": part.part,
                    "paragraph": number,
                    "before": change.before,
                    "after": change.after,
                    "words": [[piece.mark, piece.text] for piece in change.pieces],
                    "words_added": change.words("added"),
                    "words_removed": change.words("removed"),
                }
