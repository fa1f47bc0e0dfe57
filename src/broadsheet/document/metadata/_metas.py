"""The `meta` elements: OpenGraph, Twitter cards, Dublin Core, Parse.ly, Sailthru, Highwire, plain HTML."""

from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, Final, TypeAlias

from broadsheet.document.metadata._json_text import JsonError, read_json
from broadsheet.document.metadata._meta_names import (
    ADDRESS,
    AUTHOR,
    DIRECTIVES,
    LIST,
    NAMES,
    WRITTEN_BY,
)
from broadsheet.document.metadata.collector import MetadataCollector
from broadsheet.document.metadata.things import as_text, iter_values

if TYPE_CHECKING:
    from broadsheet.document.document import Document

#: The longest Parse.ly object that is read, in characters.
MAX_PARSELY: Final = 20_000

#: How much of a name is read, in characters: no known one is as long.
MAX_NAME: Final = 200

#: Maps the keys of Parse.ly's older format, a JSON object in one `meta`, to its newer names.
_PARSELY: Final = {
    "title": "parsely-title",
    "pub_date": "parsely-pub-date",
    "author": "parsely-author",
    "authors": "parsely-author",
    "section": "parsely-section",
    "tags": "parsely-tags",
    "image_url": "parsely-image-url",
    "link": "parsely-link",
    "type": "parsely-type",
}


#: A `meta` element with content: its row, its content, and the attributes that name it, as written (`property`, `name`
#: and `http-equiv`). An `itemprop` makes it microdata, which is read separately.
Meta: TypeAlias = tuple[int, str, tuple[str | None, ...]]


def metas_with_content(document: "Document", rows: list[int]) -> list[Meta]:
    """Return the `meta` elements that have content."""
    attributes = document.attributes(rows, "content", "value", "property", "name", "http-equiv")
    return [
        (node, text, values[2:])
        for node, values in zip(rows, attributes, strict=True)
        # Some pages write `value` instead of `content`, as in a form.
        if (text := values[0] or values[1])
    ]


def opengraph_urls(metas: list[Meta]) -> list[str]:
    """Return the URLs that OpenGraph states for the page, as written."""
    return [content for _, content, names in metas if (names[0] or names[1]) == "og:url"]


def read_metas(metas: list[Meta], collector: MetadataCollector) -> None:
    """Read the `meta` elements, in the order of their names' reliability."""
    ranked: list[tuple[int, str, str, int]] = []
    unranked: dict[str, tuple[str, int]] = {}
    for node, content, names in metas:
        for raw_name in names:
            if not raw_name:
                continue
            name = _usual_name(raw_name[:MAX_NAME])
            if known := NAMES.get(name):
                ranked.append((known[0], name, content, node))
            else:
                unranked[name] = (content, node)
    if page := unranked.get("parsely-page"):
        ranked += _parse_parsely(*page, collector)
    for _, name, content, node in sorted(ranked, key=itemgetter(0)):
        _read(name, content, node, collector)
    _read_cards(unranked, collector)


# Nearly all pages use the same few dozen names.
@lru_cache(maxsize=1024)
def _usual_name(raw_name: str) -> str:
    """Return a name in its usual form."""
    name = raw_name.strip().lower()
    return name.removeprefix("og:") if name.startswith("og:article:") else name


def _read(name: str, content: str, node: int, collector: MetadataCollector) -> None:
    _, field, reading = NAMES[name]
    source = f"meta {name}"
    if reading == ADDRESS:
        collector.add_url(field, content, source, node)
    elif reading == AUTHOR:
        collector.add_author(content, source, node)
    elif reading == LIST:
        collector.add_each(field, content, source, node)
    elif reading == DIRECTIVES:
        collector.add_directives(field, content, source, node)
    else:
        collector.add(field, content, source, node)


def _parse_parsely(content: str, node: int, collector: MetadataCollector) -> list[tuple[int, str, str, int]]:
    if len(content) > MAX_PARSELY:
        collector.dropped["parsely-page: too long"] += 1
        return []
    try:
        page = read_json(content)
    except JsonError as error:
        collector.dropped[f"parsely-page: {error}"] += 1
        return []
    return [
        (NAMES[name][0], name, text, node)
        for key, name in _PARSELY.items()
        for value in iter_values(page.get(key) if isinstance(page, dict) else None)
        if (text := as_text(value))
    ]


def _read_cards(cards: dict[str, tuple[str, int]], collector: MetadataCollector) -> None:
    """Add the author that WordPress shows on Twitter cards, where a label describes the data that go with it."""
    for name, (label, _) in cards.items():
        if name.startswith("twitter:label") and label.strip().lower() in WRITTEN_BY:
            data = f"twitter:data{name.removeprefix('twitter:label')}"
            if data in cards:
                collector.add_author(cards[data][0], f"meta {data}", cards[data][1])
