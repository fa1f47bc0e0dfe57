"""What a user may set for one source beyond its address and pace."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, Self, get_args

from broadsheet.base.errors import ConfigError
from broadsheet.base.keep_rules import KeepRule
from broadsheet.base.near_names import suggestion

#: Whether a browser runs the scripts of a source's pages: never, where the source is found to need it, or always.
Rendering = Literal["never", "auto", "always"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceSettings:
    """The settings of one source; what is None is as configured for all sources.

    - `editions`: further home pages of the source.
    - `feeds`: feeds and sitemaps to follow beside those that are found.
    - `language`: the language of its articles, as a code such as `de`.
    - `tags`: the user's own words, by which articles and sources can be selected.
    - `requests_per_hour`, `bytes_per_hour`: its budget.
    - `render`: whether a browser runs the scripts of its pages.
    - `verify_tls`: whether its certificates must be valid.
    - `keep`: how long its responses and links are kept, as a rule such as `fronts 30d, other 7d`.
    """

    editions: tuple[str, ...] = ()
    feeds: tuple[str, ...] = ()
    language: str | None = None
    tags: tuple[str, ...] = ()
    requests_per_hour: int | None = None
    bytes_per_hour: int | None = None
    render: Rendering = "auto"
    verify_tls: bool = True
    keep: str | None = None

    def __post_init__(self) -> None:
        """Refuse values that make no sense."""
        for name in ("editions", "feeds", "tags"):
            value = getattr(self, name)
            if not isinstance(value, tuple) or not all(isinstance(item, str) and item for item in value):
                raise ConfigError(f"{name} must be a list of texts, not {value!r}")
        if self.language is not None and not isinstance(self.language, str):
            raise ConfigError(f"language must be a code such as 'en', not {self.language!r}")
        for name in ("requests_per_hour", "bytes_per_hour"):
            value = getattr(self, name)
            if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < 1):
                raise ConfigError(f"{name} must be a whole number of at least 1, not {value!r}")
        if self.render not in get_args(Rendering):
            raise ConfigError(f"render must be one of {', '.join(get_args(Rendering))}, not {self.render!r}")
        if not isinstance(self.verify_tls, bool):
            raise ConfigError(f"verify_tls must be true or false, not {self.verify_tls!r}")
        if self.keep is not None:
            if not isinstance(self.keep, str):
                raise ConfigError(f"keep must be a rule such as 'fronts 30d', not {self.keep!r}")
            KeepRule.parse(self.keep)

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        """Make settings of plain values; a name that is not known is refused with the nearest one that is."""
        names = [field.name for field in fields(cls)]
        for name in values:
            if name not in names:
                hint = suggestion(name, names, f"known are {', '.join(names)}")
                raise ConfigError(f"unknown setting {name!r} of a source; {hint}")
        typed: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in values.items()
        }
        return cls(**typed)

    def to_values(self) -> dict[str, Any]:
        """Return as plain values what differs from the defaults."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        default = type(self)()
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in values.items()
            if value != getattr(default, name)
        }


#: The settings of a source for which nothing was set.
DEFAULT_SETTINGS = SourceSettings()
