"""Microdata: turns elements with `itemprop` into the things they describe."""

import re
from collections.abc import Container, Iterable, Iterator
from typing import TYPE_CHECKING, Final

from broadsheet.document.metadata._json_ld import CONTAINERS, flatten
from broadsheet.document.metadata._properties import PROPERTIES
from broadsheet.document.metadata.collector import MetadataCollector
from broadsheet.document.metadata.things import Leaf, Properties, Thing, types_of

if TYPE_CHECKING:
    from broadsheet.document.document import Document

#: The longest text of a property, in bytes; a longer one is the article itself, not metadata about it.
MAX_TEXT: Final = 10_000

#: Properties whose value is a URL; for any other, a link's text is meant and not its target.
_URL_PROPERTIES: Final = frozenset(("url", "image", "thumbnailUrl", "mainEntityOfPage", "item", "contentUrl"))
#: The attributes that state a value in place of the element's text: for any property, and for one that is a URL.
_VALUE_ATTRIBUTES: Final = ("content", "datetime")
_URL_ATTRIBUTES: Final = (*_VALUE_ATTRIBUTES, "href", "src", "data")
#: Every property that is read, by its name in lower case, because many pages get the case wrong.
_READ: Final = {
    name.lower(): name
    for name in (
        *(name for name, _, _ in PROPERTIES),
        *CONTAINERS[1:],
        *(
            "itemListElement",
            "item",
            "position",
            "hasPart",
            "contentUrl",
            "alternateName",
            "givenName",
            "familyName",
        ),
    )
}
_PERSONS: Final = frozenset(("author", "creator"))
#: HTML's own white space.
_SPACE: Final = re.compile("[ \t\n\f\r]+")
_NO_OWNER: Final = -1
_TOO_LONG: Final = "microdata: text too long"


def microdata_things(document: "Document", collector: MetadataCollector) -> list[Thing]:
    """Return the things that the page's elements describe; properties outside any thing form one without a type."""
    # Drop duplicates: an element may name a property many times.
    properties = dict.fromkeys(_itemprops(document, collector))
    if not properties:
        return []
    return _Items(document, collector).read(properties)


def _itemprops(document: "Document", collector: MetadataCollector) -> Iterator[tuple[int, str]]:
    itemprops = [
        (node, name)
        for node, names in document.columns.attributes.rows_with("itemprop")
        for name in _SPACE.split(names)
        if name
    ]
    for node, written in collector.budget.afford_first("microdata: too many properties", itemprops):
        if name := _READ.get(written.lower()):
            yield node, name


class _Items:
    """Assembles the things of one page, each identified by the row of its element."""

    def __init__(self, document: "Document", collector: MetadataCollector) -> None:
        self._document = document
        self._attribute = document.columns.attributes.get
        self._findings = collector
        self._things: dict[int, Properties] = {}
        self._owners: dict[int, int] = {}

    def read(self, properties: Iterable[tuple[int, str]]) -> list[Thing]:
        """Assign each property to its thing and return the top-level things."""
        owned: dict[int, str] = {}
        for node, name in properties:
            value: Properties | Leaf | None
            if self._attribute(node, "itemscope") is None:
                value = self._leaf(node, name)
            else:
                value = self._thing(node)
                owned[node] = name
            owner = self._owner(node)
            if value is not None and owner is not None:
                _append(self._thing(owner), name, value)
        for node, name in owned.items():
            if name in _PERSONS and "name" not in self._things[node]:
                # Many pages mark up a person whose element contains nothing but the name.
                self._things[node]["name"] = self._leaf(node, "name")
        return list(self._top_level(owned))

    def _top_level(self, owned: Container[int]) -> Iterator[Thing]:
        """Yield the things that are not properties of others, and those in their containers."""
        for node, top in sorted(self._things.items()):
            for thing in flatten(top) if node not in owned else ():
                types = types_of(thing)
                if not self._findings.budget.afford("microdata: too many things"):
                    continue
                if types or node == _NO_OWNER:
                    yield Thing(thing, types, "microdata", None if node == _NO_OWNER else node, _no_references)
                else:
                    self._findings.dropped["microdata: no type"] += 1

    def _thing(self, node: int) -> Properties:
        """Return the thing that an element describes; a new one starts with its type and URL."""
        thing = self._things.get(node)
        if thing is None:
            thing = self._things[node] = {}
            if node != _NO_OWNER:
                thing["@type"] = (self._attribute(node, "itemtype") or "")[:MAX_TEXT].split()
                if url := self._attribute(node, "itemid") or self._attribute(node, "href"):
                    thing["@id"] = url
        return thing

    def _owner(self, node: int) -> int | None:
        """Return the row of the nearest ancestor that is a thing, or None if the budget for the search is used up."""
        parent_of = self._document.nodes.parent.item
        at = parent_of(node)
        if (known := self._owners.get(at)) is not None:
            return known
        path = []
        while at >= 0 and at not in self._owners:
            if not self._findings.budget.afford("microdata: nested too deep"):
                return None
            path.append(at)
            if self._attribute(at, "itemscope") is not None:
                self._owners[at] = at
                break
            at = parent_of(at)
        owner = self._owners[at] if at >= 0 else _NO_OWNER
        self._owners.update(dict.fromkeys(path, owner))
        return owner

    def _leaf(self, node: int, name: str) -> Leaf | None:
        for attribute in _URL_ATTRIBUTES if name in _URL_PROPERTIES else _VALUE_ATTRIBUTES:
            if (value := self._attribute(node, attribute)) is not None:
                return Leaf(value, node) if self._findings.budget.afford(_TOO_LONG, len(value)) else None
        nodes = self._document.nodes
        length = nodes.text_end.item(node) - nodes.text_start.item(node)
        if length > MAX_TEXT:
            self._findings.dropped[_TOO_LONG] += 1
            return None
        if not self._findings.budget.afford(_TOO_LONG, length):
            return None
        return Leaf(self._document.text(node), node)


def _no_references(_identity: str) -> None:
    """Return None: microdata has no references."""


def _append(owner: Properties, name: str, value: Properties | Leaf) -> None:
    values = owner.setdefault(name, [])
    if isinstance(values, list):
        values.append(value)
