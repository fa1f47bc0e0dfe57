"""Things with properties, as described by JSON-LD and microdata, and access to their loosely typed values."""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple, TypeAlias

#: A JSON object, whose values can be anything.
Properties: TypeAlias = dict[str, object]

#: How many values of a property are read at most; a field's budget is used up sooner unless the values are empty.
MAX_VALUES: Final = 5_000
#: How many values are searched for the first text, and how many leading characters of each are checked for blanks:
#: the same blank values could be referred to many times.
MAX_BLANKS: Final = 20
MAX_BLANK: Final = 1_000
#: The most types of one thing, and the longest in characters.
MAX_TYPES: Final = 20
MAX_TYPE: Final = 1_000

_END: Final = object()
_REFERENCE: Final = frozenset(("@id", "@type"))
_TYPE: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")


class Leaf(NamedTuple):
    """A microdata value and the row that contains it; no JSON value can be mistaken for one."""

    text: str
    node: int


class Thing(NamedTuple):
    """Something that a page describes: its properties and types, the kind of markup, and the row it is in."""

    properties: Properties
    types: tuple[str, ...]
    markup: str
    node: int | None
    #: Looks up a thing by its `@id`; returns None if there is none or the budget for references is used up.
    follow: Callable[[str], Properties | None]

    def values(self, name: str) -> Iterator[object]:
        """Yield a property's values, with lists flattened, each reference followed once, and nulls skipped."""
        followed: set[str] = set()
        for value in iter_values(self.properties.get(name)):
            if isinstance(value, dict) and value.keys() <= _REFERENCE:
                identity = as_text(value.get("@id")) or ""
                if identity not in followed:
                    followed.add(identity)
                    yield self.follow(identity) or value
            else:
                yield value

    def source(self, name: str) -> str:
        """Return the source for the values of a property."""
        return f"{self.markup} {self.types[0]}.{name}" if self.types else f"{self.markup} {name}"

    def row(self, value: object) -> int | None:
        """Return the row that contains a value."""
        return value.node if isinstance(value, Leaf) else self.node


def iter_values(value: object) -> Iterator[object]:
    """Yield the items of nested lists, in order; a single value is treated as a list of one."""
    # Fast path: nearly every value is a single text, or there is none.
    if type(value) is str:
        yield value
        return
    if value is None:
        return
    stack = [iter((value,))]
    for _ in range(MAX_VALUES):
        value = next(stack[-1], _END)
        if value is _END:
            stack.pop()
            if not stack:
                return
            continue
        if isinstance(value, dict):
            value = value.get("@list", value.get("@set", value.get("@value", value)))
        # A `Leaf` is a tuple but counts as a single value.
        if type(value) is list:
            stack.append(iter(value))
        elif value is not None:
            yield value


def as_text(value: object) -> str | None:
    """Return a value as text if it is a string or a number, otherwise None."""
    if isinstance(value, str):
        return value
    if isinstance(value, Leaf):
        return value.text
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def first_text(properties: Properties, *names: str) -> str | None:
    """Return the first non-blank text among the values of these properties."""
    for name in names:
        if name not in properties:
            continue
        for value in islice(iter_values(properties[name]), MAX_BLANKS):
            if (text := as_text(value)) and not text[:MAX_BLANK].isspace():
                return text
    return None


def types_of(properties: Properties) -> tuple[str, ...]:
    """Return the types of a thing by their bare names (`http://schema.org/Article` is an `Article`)."""
    stated = properties.get("@type")
    if type(stated) is str:
        return _type(stated) if len(stated) <= MAX_TYPE else ()
    names = (as_text(value) for value in islice(iter_values(stated), MAX_TYPES))
    return tuple(bare for name in names if name and len(name) <= MAX_TYPE for bare in _type(name))


# Nearly all things are of the same few dozen types.
@lru_cache(maxsize=256)
def _type(name: str) -> tuple[str, ...]:
    """Return a type by its bare name, or nothing if it is none."""
    bare = bare_name(name)
    return (bare,) if _TYPE.fullmatch(bare) else ()


def bare_name(name: str) -> str:
    """Return the last part of a name that may be a URL or have a prefix."""
    return name.strip().rstrip("/").rpartition("/")[2].rpartition("#")[2].rpartition(":")[2]
