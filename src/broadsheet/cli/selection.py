"""`--since`, `--until`, `--search` and `--source`: which articles of an archive are wanted."""

from argparse import ArgumentParser, Namespace
from dataclasses import dataclass
from datetime import datetime

from broadsheet.cli.command import UsageError
from broadsheet.cli.moments import when


@dataclass(frozen=True, slots=True)
class Selection:
    """What articles are selected by; all that is None or empty selects everything."""

    since: datetime | None
    until: datetime | None
    words: tuple[str, ...]
    source: str | None

    def __bool__(self) -> bool:
        """Say whether anything is left out."""
        return bool(self.since or self.until or self.words or self.source)


def add_selection(parser: ArgumentParser) -> None:
    """Declare by what articles are selected."""
    parser.add_argument(
        "--since",
        type=when,
        metavar="WHEN",
        help="published (or else fetched) then or later: 2026-03-02, today, yesterday, 2d, 36h",
    )
    parser.add_argument(
        "--until",
        type=when,
        metavar="WHEN",
        help="published before that time, or until the end of that day; as --since",
    )
    parser.add_argument(
        "--search", action="append", default=[], metavar="WORDS", help="with all these words in the title or the body"
    )
    parser.add_argument("--source", metavar="S", help="only this source, by its address or key")


def selection(args: Namespace, now: datetime) -> Selection:
    """Return the selection that the arguments make."""
    since = args.since.start(now) if args.since else None
    until = args.until.end(now) if args.until else None
    if since and until and since >= until:
        raise UsageError(f"--since {since:%Y-%m-%d %H:%M} is not before --until {until:%Y-%m-%d %H:%M} (both in UTC)")
    words = tuple(word for text in args.search for word in text.split())
    if args.search and not words:
        raise UsageError("--search needs at least one word")
    return Selection(since, until, words, args.source)
