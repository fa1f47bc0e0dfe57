"""Changes to what a user may set of a source: its name, its pace and its settings."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from typing import Any, NamedTuple

from broadsheet.archive import SourceRecord
from broadsheet.base import urls
from broadsheet.base.domains import registrable_domain
from broadsheet.base.errors import ConfigError
from broadsheet.base.near_names import suggestion
from broadsheet.base.source_settings import SourceSettings
from broadsheet.newsroom.assignment import HOUR, home, is_span

#: What can be set beside the fields of `SourceSettings`.
NAME, EVERY = "name", "every"
SETTABLE = (NAME, EVERY, *(field.name for field in fields(SourceSettings)))


class Change(NamedTuple):
    """One value of a source before and after."""

    field: str
    old: object
    new: object

    def __str__(self) -> str:
        """Say what it was and what it is."""
        return f"{self.field}: {_told(self.old)} -> {_told(self.new)}"


def with_values(source: SourceRecord, values: Mapping[str, Any]) -> SourceRecord:
    """Return a source with some values changed; None stands for the default. What makes no sense is refused."""
    for key in values:
        if key not in SETTABLE:
            raise ConfigError(f"unknown setting {key!r} of a source; {hint(key, SETTABLE)}")
    name: Any = values.get(NAME, source.name)
    every: Any = values.get(EVERY, source.every)
    if name is not None and not (isinstance(name, str) and name.strip() and name.isprintable()):
        raise ConfigError(f"name must be one line of text, not {name!r}")
    if every is not None and (isinstance(every, bool) or not is_span(every)):
        raise ConfigError(f"every must be more than 0 seconds and less than a century, not {every!r}")
    changed = {key: value for key, value in values.items() if key not in {NAME, EVERY}}
    reset = {key for key, value in changed.items() if value is None}
    wanted = {**source.settings.to_values(), **changed}
    settings = SourceSettings.from_values({key: value for key, value in wanted.items() if key not in reset})
    return replace(
        source,
        name=source.key if name is None else name.strip(),
        every=HOUR if every is None else float(every),
        every_given=every is not None if EVERY in values else source.every_given,
        settings=_addressed(source, settings),
    )


def values_of(source: SourceRecord) -> dict[str, Any]:
    """Return as plain values all that can be set of a source and differs from the default."""
    own = {NAME: source.name} if source.name != source.key else {}
    return {**own, EVERY: source.every, **source.settings.to_values()}


def differences(before: SourceRecord, after: SourceRecord) -> Iterator[Change]:
    """Give what is set otherwise in a source than it was."""
    for name in SETTABLE:
        old, new = (getattr(one if name in {NAME, EVERY} else one.settings, name) for one in (before, after))
        if old != new:
            yield Change(name, old, new)


def hint(name: str, known: tuple[str, ...]) -> str:
    """Return the nearest known name as a question, or all of them."""
    return suggestion(name, known, f"known are {', '.join(known)}")


def _addressed(source: SourceRecord, settings: SourceSettings) -> SourceSettings:
    """Put the addresses of editions and feeds in the form to fetch, and refuse what cannot be followed or written."""
    for tag in settings.tags:
        if "," in tag or tag != tag.strip() or not tag.isprintable():
            raise ConfigError(f"a tag must be one line of text without commas, not {tag!r}")
    editions, feeds = tuple(map(home, settings.editions)), tuple(map(home, settings.feeds))
    site = registrable_domain(source.url)
    for url in editions:
        if registrable_domain(url) != site:
            raise ConfigError(f"the edition {url} is not on {site}: add it as a source of its own")
        if urls.key(url) == source.key:
            raise ConfigError(f"the edition {url} is the home page of the source itself")
    return replace(settings, editions=tuple(dict.fromkeys(editions)), feeds=tuple(dict.fromkeys(feeds)))


def _told(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "default" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
