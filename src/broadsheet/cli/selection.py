"""`--since`, `--until`, `--search` and `--source`: options that select articles in an archive."""

from argparse import ArgumentParser, Namespace
from dataclasses import dataclass
from datetime import datetime

from broadsheet.cli.command import UsageError
from broadsheet.cli.date_options import when


@dataclass(frozen=True, slots=True)
class ArticleSelection:
    """Criteria for articles; those that are None or empty match everything."""

    since: datetime | None
    until: datetime | None
    words: tuple[str, ...]
    source: str | None

    def __bool__(self) -> bool:
        """Return whether there is any criterion."""
        return bool(self.since or self.until or self.words or self.source)


def add_selection(parser: ArgumentParser) -> None:
    """Declare the options that select articles."""
    parser.add_argument(
        "--since",
        type=when,
        metavar="WHEN",
        help="published (or, without a date, fetched) at or after this time: 2026-03-02, today, yesterday, 36h, 2d",
    )
    parser.add_argument(
        "--until", type=when, metavar="WHEN", help="published before this time, or on this day; written as for --since"
    )
    parser.add_argument(
        "--search",
        action="append",
        default=[],
        metavar="WORDS",
        help="containing all these words in the title or body (repeatable)",
    )
    parser.add_argument("--source", metavar="S", help="only from this source, given by its address or key")


def selection(args: Namespace, now: datetime) -> ArticleSelection:
    """Return the selection that the arguments describe."""
    since = args.since.start(now) if args.since else None
    until = args.until.end(now) if args.until else None
    if since and until and since >= until:
        raise UsageError(f"--since {since:%Y-%m-%d %H:%M} is not before --until {until:%Y-%m-%d %H:%M} (both in UTC)")
    words = tuple(word for text in args.search for word in text.split())
    if args.search and not words:
        raise UsageError("--search needs at least one word")
    return ArticleSelection(since, until, words, args.source)
