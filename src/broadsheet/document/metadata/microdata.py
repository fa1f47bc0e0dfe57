"""Microdata: elements with `itemprop`, laid out as the things they describe."""

from collections.abc import Container, Iterable, Iterator
from typing import TYPE_CHECKING, Final

import numpy as np

from broadsheet.document.columns import Tokens
from broadsheet.document.metadata.collector import MetadataCollector
from broadsheet.document.metadata.json_ld import CONTAINERS, flatten
from broadsheet.document.metadata.properties import PROPERTIES
from broadsheet.document.metadata.things import Leaf, Properties, Thing, types_of

if TYPE_CHECKING:
    from lxml import etree

    from broadsheet.document.document import Document

#: The longest text of one property in bytes; what is longer is the article, and not said of it.
MAX_TEXT: Final = 10_000

#: Properties whose value is an address; of any other, a link's text is meant, not where it leads.
_ADDRESSES: Final = frozenset(("url", "image", "thumbnailUrl", "mainEntityOfPage", "item", "contentUrl"))
#: The attributes that state a value in place of the element's text: of any property, and of one that is an address.
_STATING: Final = ("content", "datetime")
_LEADING: Final = (*_STATING, "href", "src", "data")
#: Every property that is read, by its name in lower case, because authors are careless with it.
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
_ITEMPROP: Final = Tokens.KINDS.index("itemprop")
_NOBODY: Final = -1
_TOO_LONG: Final = "microdata: text too long"


def microdata_things(document: "Document", findings: MetadataCollector) -> list[Thing]:
    """Return the things that the page's elements describe; properties of no thing make one without a type."""
    # Once each: an element may name a property many times.
    properties = dict.fromkeys(_itemprops(document, findings))
    if not properties:
        return []
    return _Items(document, findings).read(properties)


def _itemprops(document: "Document", findings: MetadataCollector) -> Iterator[tuple[int, str]]:
    tokens = document.tokens
    found: list[int] = np.flatnonzero(tokens.kind == _ITEMPROP).tolist()
    rows = findings.budget.first("microdata: too many properties", found)
    columns = (tokens.node[rows].tolist(), tokens.start[rows].tolist(), tokens.end[rows].tolist()) if rows else ()
    for node, start, end in zip(*columns, strict=True):
        if name := _READ.get(tokens.text[start:end].decode().lower()):
            yield node, name


class _Items:
    """The things of one page while they are put together; each is known by the row of its element."""

    def __init__(self, document: "Document", findings: MetadataCollector) -> None:
        self._document = document
        self._findings = findings
        self._things: dict[int, Properties] = {}
        self._owners: dict[int, int] = {}

    def read(self, properties: Iterable[tuple[int, str]]) -> list[Thing]:
        """Put each property where it belongs and return the things that belong to no other."""
        owned: dict[int, str] = {}
        for node, name in properties:
            element = self._document.element(node)
            value: Properties | Leaf | None
            if element.get("itemscope") is None:
                value = self._leaf(node, element, name)
            else:
                value = self._thing(node)
                owned[node] = name
            owner = self._owner(node)
            if value is not None and owner is not None:
                _put(self._thing(owner), name, value)
        for node, name in owned.items():
            if name in _PERSONS and "name" not in self._things[node]:
                # Many a page calls somebody a person and says no more than the name.
                self._things[node]["name"] = self._leaf(node, self._document.element(node), "name")
        return list(self._tops(owned))

    def _tops(self, owned: Container[int]) -> Iterator[Thing]:
        """Yield what belongs to no other, and what that holds for itself."""
        for node, top in sorted(self._things.items()):
            for thing in flatten(top) if node not in owned else ():
                types = types_of(thing)
                if not self._findings.budget.afford("microdata: too many things"):
                    continue
                if types or node == _NOBODY:
                    yield Thing(thing, types, "microdata", None if node == _NOBODY else node, _refer_to_nothing)
                else:
                    self._findings.dropped["microdata: no type"] += 1

    def _thing(self, node: int) -> Properties:
        """Return the thing that an element is, begun with its type and address."""
        thing = self._things.get(node)
        if thing is None:
            thing = self._things[node] = {}
            if node != _NOBODY:
                element = self._document.element(node)
                thing["@type"] = (element.get("itemtype") or "")[:MAX_TEXT].split()
                if address := element.get("itemid") or element.get("href"):
                    thing["@id"] = address
        return thing

    def _owner(self, node: int) -> int | None:
        """Return the row of the nearest element around this one that is a thing, None if that is too far to look."""
        element, parent_of = self._document.element, self._document.nodes.parent.item
        at = parent_of(node)
        if (known := self._owners.get(at)) is not None:
            return known
        path = []
        while at >= 0 and at not in self._owners:
            if not self._findings.budget.afford("microdata: nested too deep"):
                return None
            path.append(at)
            if element(at).get("itemscope") is not None:
                self._owners[at] = at
                break
            at = parent_of(at)
        owner = self._owners[at] if at >= 0 else _NOBODY
        self._owners.update(dict.fromkeys(path, owner))
        return owner

    def _leaf(self, node: int, element: "etree._Element", name: str) -> Leaf | None:
        for attribute in _LEADING if name in _ADDRESSES else _STATING:
            if (value := element.get(attribute)) is not None:
                return Leaf(str(value), node) if self._findings.budget.afford(_TOO_LONG, len(value)) else None
        nodes = self._document.nodes
        length = nodes.text_end.item(node) - nodes.text_start.item(node)
        if length > MAX_TEXT:
            self._findings.dropped[_TOO_LONG] += 1
            return None
        if not self._findings.budget.afford(_TOO_LONG, length):
            return None
        return Leaf(self._document.text(node), node)


def _refer_to_nothing(_identity: str) -> None:
    """Find nothing: microdata has no references."""


def _put(owner: Properties, name: str, value: Properties | Leaf) -> None:
    values = owner.setdefault(name, [])
    if isinstance(values, list):
        values.append(value)
