"""`broadsheet sections ARCHIVE`: list the sections and feeds that an archive follows for links to articles."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from broadsheet.base.extras import needing
from broadsheet.cli import exits
from broadsheet.cli.console import Console
from broadsheet.cli.text_table import Row

if TYPE_CHECKING:
    from broadsheet.archive import FeedRecord, FrontRecord, ScheduledPage, Store

_EXAMPLES = """\
examples:
  broadsheet sections news                        all sections and feeds, and how often each is visited
  broadsheet sections news --source example.org   those of one source
  broadsheet sections news --left                 those that were given up, and why
  broadsheet sections news | jq -r .url           JSON lines when piped

`set_by` says what set the interval: `user` (the interval of the source, which is one hour unless --every was given),
`exploration`, `feeds`, `failures`, the policy of newsroom.pace, or `default` if no visit has set it yet.
`depth` is how many pages of its list are looked at if nothing on the first was there at the visit before.
`missed_a_day` is how many articles are expected to come and go unseen in a day, and `gaps` how often a visit found
nothing of the visit before, so that something in between may have been missed: `broadsheet events --kind gap` has the
times.
"""
_COLUMNS = ("url", "subtype", "standing", "every", "set_by", "depth", "missed_a_day", "gaps")


def configure(parser: ArgumentParser) -> None:
    """Declare the archive and the source."""
    parser.epilog = _EXAMPLES
    parser.add_argument("archive", metavar="ARCHIVE", type=Path, help="the archive's folder")
    parser.add_argument("--source", metavar="S", help="only from this source, given by its address or key")
    parser.add_argument("--left", action="store_true", help="list the sections that are given up, and why")


def execute(args: Namespace, console: Console) -> int:
    """Write one row per section, then one per feed that was read."""
    with needing("crawl", "an archive"):
        from broadsheet.archive import Store  # noqa: PLC0415 - only with the extra

    with Store.open(args.archive) as archive:
        known = {(front.source, front.page): front for front in archive.front_records(args.source)}
        if args.left:
            left = [_left_row(front) for front in known.values() if front.left_at is not None]
            console.rows(left, if_none=f"{args.archive}: no section was given up")
            return exits.DONE
        sections = (
            _row(section) | _front_row(known.get((section.entry.source, section.page.key)))
            for section in archive.sections(args.source)
        )
        rows = chain(sections, _feed_rows(archive, args.source))
        console.rows(rows, _COLUMNS, if_none=f"{args.archive}: follows no section yet")
    return exits.DONE


def _front_row(front: "FrontRecord | None") -> dict[str, object]:
    """Return what the visits to a section have shown, and what set its pace."""
    if front is None:
        return {"set_by": "default", "new_a_day": None, "missed_a_day": None, "gaps": 0}
    per_day = 24 / front.hours if front.hours else None
    return {
        "set_by": front.set_by or "default",
        "depth": front.depth,
        "listed": front.articles,
        "new_a_day": per_day and round(front.new * per_day, 1),
        "first_a_day": per_day and round(front.first * per_day, 1),
        "stays_hours": round(median(front.stays), 1) if front.stays else None,
        "last_new": front.last_new and front.last_new.isoformat(),
        "missed_a_day": front.expected_missed,
        "gaps": front.gaps,
        "last_gap": front.last_gap and front.last_gap.isoformat(),
    }


def _left_row(front: "FrontRecord") -> Row:
    return {
        "source": front.source,
        "key": front.page,
        "left_at": front.left_at and front.left_at.isoformat(timespec="seconds"),
        "because": front.left_because,
    }


def _row(section: "ScheduledPage") -> dict[str, object]:
    entry, page = section.entry, section.page
    verdict = page.verdict
    return {
        "source": entry.source,
        "key": page.key,
        "url": page.url,
        "kind": page.kind,
        "subtype": verdict and verdict.subtype,
        "probability": verdict and verdict.probability,
        "standing": None,
        "reasons": list(verdict.reasons) if verdict else [],
        "model": verdict and verdict.model,
        "state": page.state.value,
        "every": entry.every,
        "due": entry.due.isoformat(),
        "fetched_at": page.fetch.fetched_at and page.fetch.fetched_at.isoformat(timespec="seconds"),
        "first_seen": page.first_seen and page.first_seen.isoformat(),
    }


def _feed_rows(archive: "Store", source: str | None) -> Iterator[Row]:
    """Yield the feeds that were read, good or bad; what turned out to be none is left out."""
    feeds = [feed for feed in archive.feeds(source) if feed.form is not None]
    planned = {
        (entry.source, entry.page): scheduled
        for key in dict.fromkeys(feed.source for feed in feeds)
        for scheduled in archive.agenda(key)
        if (entry := scheduled.entry).reason == "feed"
    }
    for feed in feeds:
        if (feed.source, feed.page) in planned:
            yield _feed_row(feed, planned[feed.source, feed.page])


def _feed_row(feed: "FeedRecord", scheduled: "ScheduledPage") -> Row:
    return {
        **_row(scheduled),
        "kind": "feed",
        "subtype": feed.form,
        "probability": None,
        "standing": feed.standing.value,
        "reasons": [feed.judged],
        "model": None,
        "found_on": feed.found_on,
        "items": feed.items,
        "newest": feed.newest and feed.newest.isoformat(),
    }
