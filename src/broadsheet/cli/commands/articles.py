"""`broadsheet articles ARCHIVE`: what was archived, the newest first."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from broadsheet.base.extras import needing
from broadsheet.cli import exits
from broadsheet.cli.arguments import positive
from broadsheet.cli.console import Console
from broadsheet.cli.selection import add_selection, selection
from broadsheet.cli.table import Row

if TYPE_CHECKING:
    from broadsheet.archive import StoredArticle

_EXAMPLES = """\
examples:
  broadsheet articles news --limit 20             the newest twenty
  broadsheet articles news --since yesterday      what was published since, or fetched where no date is stated
  broadsheet articles news --since 2026-03-01 --until 2026-03-31     a month, both days included
  broadsheet articles news --since 36h --search "harbour bridge"     with both words in title or body
  broadsheet articles news --source example.org | jq -r .body
"""
_COLUMNS = ("published", "source", "title", "authors", "version")


def configure(parser: ArgumentParser) -> None:
    """Declare the archive and which of its articles are wanted."""
    parser.epilog = _EXAMPLES
    parser.add_argument("archive", metavar="ARCHIVE", type=Path, help="the folder of the archive")
    add_selection(parser)
    parser.add_argument("--limit", type=positive, metavar="N", help="at most N articles")


def execute(args: Namespace, console: Console) -> int:
    """Write one row per article."""
    with needing("crawl", "an archive"):
        from broadsheet.archive import Archive, export  # noqa: PLC0415 - only with the extra

    chosen = selection(args, console.clock.now())
    with Archive.open(args.archive) as archive:
        damage = Damage(console)
        articles = archive.articles(
            chosen.since, chosen.source, args.limit, until=chosen.until, words=chosen.words, on_damage=damage
        )
        console.rows(map(_short if console.is_terminal else export.row, articles), _COLUMNS)
    return damage.code


class Damage:
    """Names each damaged part of an archive on a line of its own, and remembers that there was one."""

    def __init__(self, console: Console) -> None:
        """Begin with none."""
        self._console = console
        self.code = exits.DONE

    def __call__(self, error: Exception) -> None:
        """Name a part that is left out."""
        self._console.message(str(error))
        self.code = exits.SOME_FAILED


def _short(stored: "StoredArticle") -> Row:
    article = stored.article
    return {
        "published": article.published and article.published.isoformat(sep=" ", timespec="minutes"),
        "source": stored.source,
        "title": article.title,
        "authors": article.authors,
        "version": stored.version,
    }
