"""`broadsheet articles ARCHIVE`: list the articles in an archive, newest first."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from broadsheet.base.errors import BroadsheetError
from broadsheet.base.extras import needing
from broadsheet.base.search_query import SearchQuery
from broadsheet.cli import exits
from broadsheet.cli.arguments import positive
from broadsheet.cli.command import UsageError
from broadsheet.cli.console import Console
from broadsheet.cli.event_rows import event_row
from broadsheet.cli.selection import add_selection, selection
from broadsheet.cli.text_table import Row

if TYPE_CHECKING:
    from broadsheet.archive import ArchiveEvent, Store, StoredArticle

_EXAMPLES = """\
examples:
  broadsheet articles news --limit 20             the twenty newest
  broadsheet articles news --since yesterday      published since yesterday; if undated, fetched since then
  broadsheet articles news --since 2026-03-01 --until 2026-03-31     a whole month, including both days
  broadsheet articles news --since 36h --search "harbour bridge"     both words in the title or body
  broadsheet articles news --search '"harbour bridge" -toll' --best  a phrase but not that word, best match first
  broadsheet articles news --section news.example/world --author smith --language en
  broadsheet articles news --source example.org | jq -r .body
  broadsheet articles news --distinct             one article per story: near-duplicates are left out
  broadsheet articles news --similar-to https://news.example/story    its copies, on any site
  broadsheet articles news --revised              with several versions, the one that changed last first
  broadsheet articles news --gone                 deleted from their site, or moved to another address
"""
_COLUMNS = ("published", "source", "title", "authors", "version")
_REVISED_COLUMNS = ("last_change", "versions", "source", "title", "url")
_GONE_COLUMNS = ("at", "event", "what", "title", "url")
_FOUND_COLUMNS = ("published", "source", "title", "snippet")


def configure(parser: ArgumentParser) -> None:
    """Declare the archive and the options that select articles."""
    parser.epilog = _EXAMPLES
    parser.add_argument("archive", metavar="ARCHIVE", type=Path, help="the archive's folder")
    add_selection(parser)
    parser.add_argument("--similar-to", metavar="URL", help="only near-duplicates of the article at this address")
    parser.add_argument("--distinct", action="store_true", help="of near-duplicates, list only the newest")
    parser.add_argument("--limit", type=positive, metavar="N", help="list at most N articles")
    order = parser.add_mutually_exclusive_group()
    order.add_argument("--best", action="store_true", help="with --search: the best match first, not the newest")
    order.add_argument(
        "--revised",
        action="store_true",
        help="only articles with more than one version, by when they last changed (see: broadsheet diff)",
    )
    order.add_argument(
        "--gone",
        action="store_true",
        help="only articles that were deleted or moved, and are not back; last gone first",
    )


def execute(args: Namespace, console: Console) -> int:
    """Write one row per article."""
    with needing("crawl", "an archive"):
        from broadsheet.archive import Store, export  # noqa: PLC0415 - only with the extra

    chosen = selection(args, console.clock.now())
    if args.best and not chosen.words:
        raise UsageError("--best needs --search: it puts the articles first that match the words best")
    with Store.open(args.archive) as archive:
        damage = DamageReporter(console)
        if chosen.words or chosen.author or chosen.language or chosen.section:
            _prepare(archive, console)
        articles = archive.articles(
            **chosen.options(),
            limit=None if args.gone else args.limit,
            similar_to=args.similar_to,
            distinct=args.distinct,
            best_first=args.best,
            is_revised=args.revised,
            on_damage=damage,
        )
        show = partial(console.rows, if_none=f"{args.archive}: no such article")
        if args.gone:
            show(_gone_rows(articles, archive.departures(chosen.source), args.limit), _GONE_COLUMNS)
        elif args.revised:
            show(({**export.row(stored), **_revision_columns(stored)} for stored in articles), _REVISED_COLUMNS)
        else:
            row, query = _table_row if console.is_terminal else export.row, chosen.query
            if query is None:
                show(map(row, articles), _COLUMNS)
            else:
                found = ({**row(stored), "snippet": _snippet(query, stored)} for stored in articles)
                show(found, _FOUND_COLUMNS)
    return damage.code


def _gone_rows(
    articles: "Iterable[StoredArticle]", departures: "Mapping[str, ArchiveEvent]", limit: int | None
) -> Iterator[Row]:
    from broadsheet.archive import export  # noqa: PLC0415 - only with the extra

    gone = [stored for stored in articles if stored.key in departures]
    gone.sort(key=lambda stored: departures[stored.key].id, reverse=True)
    for stored in gone[:limit]:
        yield {**export.row(stored), **event_row(departures[stored.key])}


def _revision_columns(stored: "StoredArticle") -> Row:
    return {"versions": stored.version, "last_change": stored.fetched_at.isoformat(timespec="seconds")}


def _prepare(archive: "Store", console: Console) -> None:
    """Index what is not indexed yet, and show progress; the search itself reports what keeps it from that."""
    with console.meter(1) as meter, suppress(BroadsheetError):

        def show(done: int, total: int) -> None:
            meter.reach(done / max(total, 1))
            meter.count(done, 0)

        archive.refresh_index(show)


def _snippet(query: SearchQuery, stored: "StoredArticle") -> str | None:
    return query.snippet(stored.article.body) or query.snippet(stored.article.title or "")


class DamageReporter:
    """Warns about each damaged part of an archive, and sets the exit code."""

    def __init__(self, console: Console) -> None:
        """Start without damage."""
        self._console = console
        self.code = exits.DONE

    def __call__(self, error: Exception) -> None:
        """Warn about a part that is skipped."""
        self._console.warning(str(error))
        self.code = exits.SOME_FAILED


def _table_row(stored: "StoredArticle") -> Row:
    article = stored.article
    return {
        "published": (article.format_time("published", "minutes") or "").replace("T", " ") or None,
        "source": stored.source,
        "title": article.title,
        "authors": article.authors,
        "version": stored.version,
    }
