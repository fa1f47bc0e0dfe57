"""Things with properties, as JSON-LD and microdata describe them, whatever shape the values have."""

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple, TypeAlias

#: A JSON object; what its values are is up to the page.
Properties: TypeAlias = dict[str, object]


_REFERENCE: Final = frozenset(("@id", "@type"))
_TYPE: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")


class Leaf(NamedTuple):
    """A value of microdata and the row that holds it; JSON has no such value, so none can pass for one."""

    text: str
    node: int


class Thing(NamedTuple):
    """Something that a page describes: what it is, what is said of it, in which markup, and in which row."""

    properties: Properties
    types: tuple[str, ...]
    markup: str
    node: int | None
    #: The things that others refer to by their `@id`.
    by_id: Mapping[str, Properties]

    def values(self, name: str) -> Iterator[object]:
        """Yield a property's values: lists opened, references followed once, nothing that is null."""
        for value in opened(self.properties.get(name)):
            if isinstance(value, dict) and value.keys() <= _REFERENCE:
                yield self.by_id.get(plain(value.get("@id")) or "", value)
            else:
                yield value

    def source(self, name: str) -> str:
        """Return the source of a value of this property."""
        return f"{self.markup} {self.types[0]}.{name}" if self.types else f"{self.markup} {name}"

    def row(self, value: object) -> int | None:
        """Return the row that holds one of the values."""
        return value.node if isinstance(value, Leaf) else self.node


def opened(value: object) -> Iterator[object]:
    """Yield what is in lists within lists, in order; a single value counts as a list of one."""
    waiting = [value]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            value = value.get("@list", value.get("@set", value.get("@value", value)))
        # Not an instance of a list: a `Leaf` is a tuple, and a value by itself.
        if type(value) is list:
            waiting.extend(reversed(value))
        elif value is not None:
            yield value


def plain(value: object) -> str | None:
    """Return a value as text if it is a string or a number."""
    if isinstance(value, Leaf):
        return value.text
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def first_text(properties: Properties, *names: str) -> str | None:
    """Return the first text among the values of some properties."""
    texts = (plain(value) for name in names for value in opened(properties.get(name)))
    return next((text for text in texts if text and not text.isspace()), None)


def types_of(properties: Properties) -> tuple[str, ...]:
    """Return the types of a thing by their bare names (`http://schema.org/Article` is an `Article`)."""
    names = (plain(value) for value in opened(properties.get("@type")))
    return tuple(bare for name in names if name and _TYPE.fullmatch(bare := bare_name(name)))


def bare_name(name: str) -> str:
    """Return the last part of a name that may be an address or have a prefix."""
    return name.strip().rstrip("/").rpartition("/")[2].rpartition("#")[2].rpartition(":")[2]
