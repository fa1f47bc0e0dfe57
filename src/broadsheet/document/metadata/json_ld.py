"""JSON-LD: the scripts of a page, read and laid out as things."""

from functools import partial
from typing import Final

from broadsheet.document.metadata.collector import MetadataCollector
from broadsheet.document.metadata.json_text import JsonError, read_json
from broadsheet.document.metadata.things import Properties, Thing, types_of

#: Properties whose values are things that may speak of the page too.
CONTAINERS: Final = (
    "@graph",
    "mainEntity",
    "mainEntityOfPage",
    "mainContentOfPage",
    "breadcrumb",
    "blogPost",
)

_CONTAINED: Final = frozenset(CONTAINERS)
_ENVELOPE: Final = frozenset(("@context", "@graph", "@id"))


def json_ld_things(scripts: list[tuple[int, str]], findings: MetadataCollector) -> list[Thing]:
    """Return the things that the scripts, each a row and its text, describe; count those that say nothing."""
    if not scripts:
        return []
    budget = findings.budget
    found: list[tuple[int, Properties]] = []
    by_id: dict[str, Properties] = {}
    for node, text in budget.first("json-ld: too many scripts", scripts):
        if not budget.afford("json-ld: too long", len(text)):
            continue
        try:
            value = read_json(text, partial(budget.take, "json-ld: too long to repair"))
        except JsonError as error:
            findings.dropped[f"json-ld: {error}"] += 1
            continue
        objects = flatten(value)
        if not objects:
            findings.dropped["json-ld: describes nothing"] += 1
        found += [(node, properties) for properties in budget.first("json-ld: too many things", objects)]
    for _, properties in found:
        identity = properties.get("@id")
        if isinstance(identity, str):
            by_id.setdefault(identity, properties)

    def follow(identity: str) -> Properties | None:
        thing = by_id.get(identity)
        return thing if thing and budget.afford("json-ld: too many references") else None

    findings.json_ld += [properties for _, properties in found]
    things = [Thing(properties, types_of(properties), "json-ld", node, follow) for node, properties in found]
    typed = [thing for thing in things if thing.types]
    if len(typed) < len(things):
        # Without a type there is no telling whether it speaks of this page.
        findings.dropped["json-ld: no type"] += len(things) - len(typed)
    return typed


def flatten(value: object) -> list[Properties]:
    """Return the objects that are described for themselves, in order, not those that belong to another."""
    objects: list[Properties] = []
    waiting = [value]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting.extend(reversed(value))
        elif isinstance(value, dict):
            if not _ENVELOPE.issuperset(value):
                objects.append(value)
            if not _CONTAINED.isdisjoint(value):
                waiting.extend(value[name] for name in reversed(CONTAINERS) if name in value)
    return objects
