"""JSON Feed, versions 1 and 1.1."""

import json
from collections.abc import Mapping

from broadsheet.document.feeds._item_collector import MAX_ITEMS, ItemCollector
from broadsheet.document.feeds.listing import FeedForm


def read_feed_json(text: str, collector: ItemCollector) -> FeedForm | None:
    """Read the items of a JSON feed; return None if the text is not one."""
    try:
        feed = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None
    if not isinstance(feed, dict) or "jsonfeed.org/" not in str(feed.get("version"))[:100]:
        return None
    items = feed.get("items")
    for item in items[: MAX_ITEMS + 1] if isinstance(items, list) else ():
        if isinstance(item, dict):
            _read_item(item, collector)
    return "json feed"


def _read_item(item: Mapping[str, object], collector: ItemCollector) -> None:
    tags = item.get("tags")
    first = tags[0] if isinstance(tags, list) and tags else ""
    collector.add(
        _text(item.get("url")) or _text(item.get("id")),
        title=_text(item.get("title")),
        published=_text(item.get("date_published")),
        changed=_text(item.get("date_modified")),
        section=_text(first),
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
