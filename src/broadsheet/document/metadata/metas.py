"""The `meta` elements: OpenGraph, Twitter's cards, Dublin Core, Parse.ly, Sailthru, Highwire, plain HTML."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from broadsheet.document.metadata.collector import Elements, MetadataCollector
from broadsheet.document.metadata.json_text import JsonError, read_json
from broadsheet.document.metadata.meta_names import (
    ADDRESS,
    AUTHOR,
    DIRECTIVES,
    LIST,
    NAMES,
    WRITTEN_BY,
)
from broadsheet.document.metadata.things import opened, plain

#: The longest object of Parse.ly that is read, in characters.
MAX_PARSELY: Final = 20_000

#: What Parse.ly's older form, an object in one `meta`, has in common with its newer names.
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


class Meta(NamedTuple):
    """A `meta` that says something: its row, what it says, and the attributes that name it, as written.

    One with an `itemprop` is microdata and read there.
    """

    node: int
    content: str
    property: str | None
    name: str | None
    http_equiv: str | None


def saying_metas(elements: Elements) -> list[Meta]:
    """Return the `meta` elements that say something."""
    return [
        Meta(node, str(content), element.get("property"), element.get("name"), element.get("http-equiv"))
        for node, element in elements
        # Some write `value` for it, as they would in a form.
        if (content := element.get("content") or element.get("value"))
    ]


def stated_addresses(metas: list[Meta]) -> list[str]:
    """Return the addresses that OpenGraph claims for the page, as written."""
    return [meta.content for meta in metas if (meta.property or meta.name) == "og:url"]


def read_metas(metas: list[Meta], findings: MetadataCollector) -> None:
    """Read the `meta` elements; what their names say best comes first."""
    stated: list[tuple[int, str, str, int]] = []
    unranked: dict[str, tuple[str, int]] = {}
    for name, content, node in _named(metas):
        if known := NAMES.get(name):
            stated.append((known[0], name, content, node))
        else:
            unranked[name] = (content, node)
    if page := unranked.get("parsely-page"):
        stated += _parsely(*page, findings)
    for _, name, content, node in sorted(stated, key=lambda each: each[0]):
        _read(name, content, node, findings)
    _read_cards(unranked, findings)


def _named(metas: list[Meta]) -> Iterator[tuple[str, str, int]]:
    for node, content, *names in metas:
        for written in names:
            if written:
                name = written.strip().lower()
                yield name.removeprefix("og:") if name.startswith("og:article:") else name, content, node


def _read(name: str, content: str, node: int, findings: MetadataCollector) -> None:
    _, field, reading = NAMES[name]
    source = f"meta {name}"
    if reading == ADDRESS:
        findings.add_url(field, content, source, node)
    elif reading == AUTHOR:
        findings.add_author(content, source, node)
    elif reading == LIST:
        findings.add_each(field, content, source, node)
    elif reading == DIRECTIVES:
        findings.add_directives(field, content, source, node)
    else:
        findings.add(field, content, source, node)


def _parsely(content: str, node: int, findings: MetadataCollector) -> list[tuple[int, str, str, int]]:
    if len(content) > MAX_PARSELY:
        findings.dropped["parsely-page: too long"] += 1
        return []
    try:
        page = read_json(content)
    except JsonError as error:
        findings.dropped[f"parsely-page: {error}"] += 1
        return []
    return [
        (NAMES[name][0], name, text, node)
        for key, name in _PARSELY.items()
        for value in opened(page.get(key) if isinstance(page, dict) else None)
        if (text := plain(value))
    ]


def _read_cards(cards: dict[str, tuple[str, int]], findings: MetadataCollector) -> None:
    """Keep the author that WordPress shows on Twitter's cards: a label says what its data are."""
    for name, (label, _) in cards.items():
        if name.startswith("twitter:label") and label.strip().lower() in WRITTEN_BY:
            data = f"twitter:data{name.removeprefix('twitter:label')}"
            if data in cards:
                findings.add_author(cards[data][0], f"meta {data}", cards[data][1])
