"""Things with properties, as JSON-LD and microdata describe them, whatever shape the values have."""

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final, NamedTuple, TypeAlias

#: A JSON object; what its values are is up to the page.
Properties: TypeAlias = dict[str, object]

#: Values of one property that are looked at; the budget of a field ends sooner, unless they say nothing.
MAX_OPENED: Final = 5_000
#: Values among which the first text is looked for, and its longest indent; blanks could be referred to many times.
MAX_BLANKS: Final = 20
MAX_BLANK: Final = 1_000
#: Types of one thing.
MAX_TYPES: Final = 20

_END: Final = object()
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
    #: Gives the thing that has an `@id`, if there is one and it may still be asked for.
    follow: Callable[[str], Properties | None]

    def values(self, name: str) -> Iterator[object]:
        """Yield a property's values: lists opened, each reference followed once, nothing that is null."""
        followed: set[str] = set()
        for value in opened(self.properties.get(name)):
            if isinstance(value, dict) and value.keys() <= _REFERENCE:
                identity = plain(value.get("@id")) or ""
                if identity not in followed:
                    followed.add(identity)
                    yield self.follow(identity) or value
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
    # Nearly every value is a single text.
    if type(value) is str:
        yield value
        return
    waiting = [iter((value,))]
    for _ in range(MAX_OPENED):
        value = next(waiting[-1], _END)
        if value is _END:
            waiting.pop()
            if not waiting:
                return
            continue
        if isinstance(value, dict):
            value = value.get("@list", value.get("@set", value.get("@value", value)))
        # Not an instance of a list: a `Leaf` is a tuple, and a value by itself.
        if type(value) is list:
            waiting.append(iter(value))
        elif value is not None:
            yield value


def plain(value: object) -> str | None:
    """Return a value as text if it is a string or a number."""
    if isinstance(value, str):
        return value
    if isinstance(value, Leaf):
        return value.text
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def first_text(properties: Properties, *names: str) -> str | None:
    """Return the first text among the values of some properties."""
    texts = (plain(value) for name in names for value in islice(opened(properties.get(name)), MAX_BLANKS))
    return next((text for text in texts if text and not text[:MAX_BLANK].isspace()), None)


def types_of(properties: Properties) -> tuple[str, ...]:
    """Return the types of a thing by their bare names (`http://schema.org/Article` is an `Article`)."""
    names = (plain(value) for value in islice(opened(properties.get("@type")), MAX_TYPES))
    return tuple(bare for name in names if name and _TYPE.fullmatch(bare := bare_name(name)))


def bare_name(name: str) -> str:
    """Return the last part of a name that may be an address or have a prefix."""
    return name.strip().rstrip("/").rpartition("/")[2].rpartition("#")[2].rpartition(":")[2]
