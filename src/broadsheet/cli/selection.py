"""`--since`, `--until`, `--search`, `--source` and others: options that select articles in an archive."""

from argparse import ArgumentParser, Namespace
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from broadsheet.base.errors import InputError
from broadsheet.base.search_query import SearchQuery
from broadsheet.cli.command import UsageError
from broadsheet.cli.date_options import when


@dataclass(frozen=True, slots=True)
class ArticleSelection:
    """Criteria for articles; those that are None or empty match everything."""

    since: datetime | None
    until: datetime | None
    words: tuple[str, ...]
    source: str | None
    section: str | None = None
    author: str | None = None
    language: str | None = None
    tag: str | None = None

    def __bool__(self) -> bool:
        """Return whether there is any criterion."""
        return any(getattr(self, field.name) for field in fields(self))

    @property
    def is_of_text(self) -> bool:
        """Whether there is a criterion that only articles meet, not the pages that were fetched."""
        return any((self.words, self.section, self.author, self.language, self.tag))

    @property
    def query(self) -> SearchQuery | None:
        """What is searched for, if anything is."""
        return SearchQuery.parse(" ".join(self.words)) if self.words else None

    def options(self) -> dict[str, Any]:
        """Return the criteria by the names that `Store.articles` has for them."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


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
    parser.add_argument("--day", type=when, metavar="DAY", help="published on this day; short for --since and --until")
    parser.add_argument(
        "--search",
        action="append",
        default=[],
        metavar="WORDS",
        help='containing all these words in the title or body: words, "a phrase", begin*, -not (repeatable)',
    )
    parser.add_argument("--source", metavar="S", help="only from this source, given by its address or key")
    parser.add_argument(
        "--section", metavar="S", help="found on this section, given by its address, or of a section with this name"
    )
    parser.add_argument("--author", metavar="NAME", help="by this author; part of a name is enough")
    parser.add_argument("--language", metavar="CODE", help="in this language: de also selects de-AT")
    parser.add_argument("--tag", metavar="TAG", help="only from sources with this tag")


def selection(args: Namespace, now: datetime) -> ArticleSelection:
    """Return the selection that the arguments describe."""
    if args.day and (args.since or args.until):
        raise UsageError("--day cannot be combined with --since or --until")
    begin, end = args.since or args.day, args.until or args.day
    since = begin.start(now) if begin else None
    until = end.end(now) if end else None
    if since and until and since >= until:
        raise UsageError(f"--since {since:%Y-%m-%d %H:%M} is not before --until {until:%Y-%m-%d %H:%M} (both in UTC)")
    words = tuple(word for text in args.search for word in text.split())
    if args.search and not words:
        raise UsageError("--search needs at least one word")
    for option, text in (("search", " ".join(words)), ("author", args.author), ("language", args.language)):
        _require_words(option, text)
    return ArticleSelection(since, until, words, args.source, args.section, args.author, args.language, args.tag)


def _require_words(option: str, text: str | None) -> None:
    try:
        if text:
            SearchQuery.parse(text)
    except InputError as error:
        raise UsageError(f"--{option}: {error}") from error
