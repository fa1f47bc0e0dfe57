"""Feeds, home pages and sections as rows of the catalogue, and back."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from broadsheet.archive import tables
from broadsheet.archive.checked_rows import damaged, require_types
from broadsheet.archive.front_records import FeedRecord, FeedStanding, FrontRecord

_FEED_FIELDS = tuple(field.name for field in fields(FeedRecord))
_FRONT_FIELDS = tuple(field.name for field in fields(FrontRecord))


def of_feed(feed: FeedRecord) -> dict[str, Any]:
    """Return a feed as a row."""
    return {**{name: getattr(feed, name) for name in _FEED_FIELDS}, "standing": feed.standing.value}


def to_feed(row: Mapping[Any, Any]) -> FeedRecord:
    """Return the feed that a row holds."""
    where = f"feed {row['page']} of source {row['source']}"
    require_types(tables.feeds, row, where)
    values = {name: row[name] for name in _FEED_FIELDS}
    try:
        return FeedRecord(**{**values, "standing": FeedStanding(row["standing"])})
    except ValueError as error:
        raise damaged(where, str(error)) from error


def of_front(front: FrontRecord) -> dict[str, Any]:
    """Return what is known of a front as a row."""
    return {**{name: getattr(front, name) for name in _FRONT_FIELDS}, "stays": list(front.stays)}


def to_front(row: Mapping[Any, Any]) -> FrontRecord:
    """Return what a row says of a front."""
    where = f"front {row['page']} of source {row['source']}"
    require_types(tables.fronts, row, where)
    values = {name: row[name] for name in _FRONT_FIELDS}
    try:
        stays, may_rejoin = tuple(map(float, row["stays"])), bool(row["may_rejoin"])
        return FrontRecord(**{**values, "stays": stays, "may_rejoin": may_rejoin})
    except (TypeError, ValueError) as error:
        raise damaged(where, str(error)) from error
