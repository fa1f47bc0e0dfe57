"""The limits that bound the time and memory spent on one page."""

from dataclasses import dataclass, fields

from broadsheet.base.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Limits:
    """Caps on one page: a page beyond any of them is refused before it is parsed.

    - `max_bytes`: the page's length as received.
    - `max_nodes`: its tags, comments and attributes together; each costs memory in the parser, however short.
    - `max_depth`: how deep elements nest; the parser silently drops what lies below its own cap of 2,048.
    - `max_attribute_bytes`: its longest attribute (a picture in a `data:` address, a page's state as JSON).
    - `max_attributes`: the attributes of one tag; the parser takes quadratic time in them.
    - `max_work`: tags times their depth, which the parser's time grows with.
    """

    max_bytes: int = 20_000_000
    max_nodes: int = 400_000
    max_depth: int = 2_000
    max_attribute_bytes: int = 4_000_000
    max_attributes: int = 2_000
    max_work: int = 250_000_000

    def __post_init__(self) -> None:
        """Refuse a limit below 1."""
        for field in fields(self):
            value = getattr(self, field.name)
            if value < 1:
                raise ConfigError(f"{field.name} must be at least 1, not {value}")
