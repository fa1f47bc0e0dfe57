"""JSON-LD: parses the scripts of a page into things."""

from functools import partial
from typing import Final

from broadsheet.document.metadata._json_text import JsonError, read_json
from broadsheet.document.metadata.collector import MetadataCollector
from broadsheet.document.metadata.things import Properties, Thing, types_of

#: Properties whose values are things that may also describe the page.
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


def json_ld_things(scripts: list[tuple[int, str]], collector: MetadataCollector) -> list[Thing]:
    """Return the things that the scripts (rows and their texts) describe; scripts without any are counted."""
    if not scripts:
        return []
    budget = collector.budget
    rows_and_objects: list[tuple[int, Properties]] = []
    by_id: dict[str, Properties] = {}
    for node, text in budget.afford_first("json-ld: too many scripts", scripts):
        if not budget.afford("json-ld: too long", len(text)):
            continue
        try:
            value = read_json(text, partial(budget.take, "json-ld: too long to repair"))
        except JsonError as error:
            collector.dropped[f"json-ld: {error}"] += 1
            continue
        objects = flatten(value)
        if not objects:
            collector.dropped["json-ld: describes nothing"] += 1
        affordable = budget.afford_first("json-ld: too many things", objects)
        rows_and_objects += [(node, properties) for properties in affordable]
    for _, properties in rows_and_objects:
        identity = properties.get("@id")
        if isinstance(identity, str):
            by_id.setdefault(identity, properties)

    def follow(identity: str) -> Properties | None:
        thing = by_id.get(identity)
        return thing if thing and budget.afford("json-ld: too many references") else None

    collector.json_ld += [properties for _, properties in rows_and_objects]
    things = [Thing(properties, types_of(properties), "json-ld", node, follow) for node, properties in rows_and_objects]
    typed = [thing for thing in things if thing.types]
    if len(typed) < len(things):
        # Without a type we cannot know whether it describes this page.
        collector.dropped["json-ld: no type"] += len(things) - len(typed)
    return typed


def flatten(value: object) -> list[Properties]:
    """Return the top-level objects and those in containers, in order, but not the property values of others."""
    objects: list[Properties] = []
    stack = [value]
    while stack:
        value = stack.pop()
        if isinstance(value, list):
            stack.extend(reversed(value))
        elif isinstance(value, dict):
            if not _ENVELOPE.issuperset(value):
                objects.append(value)
            if not _CONTAINED.isdisjoint(value):
                stack.extend(value[name] for name in reversed(CONTAINERS) if name in value)
    return objects
