"""Feeds, home pages and sections as rows of the catalogue, and back."""

from collections.abc import Mapping
from dataclasses import asdict, fields
from datetime import datetime
from typing import Any

from broadsheet.archive import tables
from broadsheet.archive.checked_rows import damaged, require_types
from broadsheet.archive.front_records import FeedRecord, FeedStanding, FrontRecord, OpenLook

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
    values = {name: getattr(front, name) for name in _FRONT_FIELDS}
    return {**values, "stays": list(front.stays), "looks": list(map(_of_look, front.looks))}


def to_front(row: Mapping[Any, Any]) -> FrontRecord:
    """Return what a row says of a front."""
    where = f"front {row['page']} of source {row['source']}"
    require_types(tables.fronts, row, where)
    values = {name: row[name] for name in _FRONT_FIELDS}
    try:
        stays, may_rejoin = tuple(map(float, row["stays"])), bool(row["may_rejoin"])
        looks = tuple(map(_to_look, row["looks"] or ()))
        return FrontRecord(**{**values, "stays": stays, "may_rejoin": may_rejoin, "looks": looks})
    except (KeyError, TypeError, ValueError) as error:
        raise damaged(where, str(error)) from error


def _of_look(look: OpenLook) -> dict[str, Any]:
    return {**asdict(look), "since": look.since.isoformat(), "begun": look.begun.isoformat()}


def _to_look(values: Mapping[str, Any]) -> OpenLook:
    since, begun = (datetime.fromisoformat(values[name]) for name in ("since", "begun"))
    return OpenLook(**{**values, "since": since, "begun": begun})
