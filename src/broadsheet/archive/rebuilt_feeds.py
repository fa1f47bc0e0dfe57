"""The feeds of a catalogue that is rebuilt: those of which nothing is left but visits are tried again, once."""

from dataclasses import replace
from datetime import datetime

from broadsheet.archive.front_records import FeedRecord, FeedStanding
from broadsheet.archive.page_records import AgendaEntry, PageState, VisitReason
from broadsheet.archive.rebuilt import Rebuilt
from broadsheet.archive.salvage import Salvage


def find_feeds(rebuilt: Rebuilt, saved: Salvage, now: datetime) -> None:
    """Add the feeds that visits tell of; those that were gone when they were last asked for are not tried again."""
    for _, row in sorted(saved.visits.items()):
        source, key = row["source"], row["page"]
        is_feed = row["why"] == VisitReason.FEED and (source, key) not in rebuilt.feeds
        if not is_feed or source not in rebuilt.sources or key not in rebuilt.pages:
            continue
        found_on = rebuilt.members[source, key].found_on
        feed = FeedRecord(source=source, page=key, found_on=found_on, found_at=row["fetched_at"])
        if rebuilt.state(key) is PageState.FETCHED:
            # Asked for only if it changed, it would be answered 304, which does not say what it lists.
            rebuilt.fetches[key] = replace(rebuilt.fetches[key], etag=None, last_modified=None)
            rebuilt.agenda[source, key] = AgendaEntry(
                source=source, page=key, due=now, reason=VisitReason.FEED, priority=feed.priority
            )
        else:
            feed = replace(feed, standing=FeedStanding.USELESS, judged="its last visit failed")
        rebuilt.feeds[source, key] = feed
