"""Configuration: flags over environment over TOML over defaults, with the origin of each value.

A section is a frozen dataclass with a default for every field, and one field of `Settings`. Its keys, its
environment variables and its validation all follow from that; a new section needs nothing else.
"""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, get_type_hints

from broadsheet.base.errors import ConfigError
from broadsheet.base.limits import Limits
from broadsheet.base.manners import Manners
from broadsheet.base.near_names import suggestion
from broadsheet.base.newsroom_settings import NewsroomSettings
from broadsheet.base.quotas import Quotas
from broadsheet.base.webhook_settings import WebhookSettings

PREFIX = "BROADSHEET_"
FILE_VARIABLE = "BROADSHEET_CONFIG"
DEFAULT = "default"

Scalar = bool | int | float | str

_KINDS = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}
#: Names more similar than this are suggested as the correct spelling.
_NEAR = 0.7
_TRUTHS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set, by section."""

    limits: Limits = field(default_factory=Limits)
    crawl: Manners = field(default_factory=Manners)
    source: Quotas = field(default_factory=Quotas)
    newsroom: NewsroomSettings = field(default_factory=NewsroomSettings)
    webhook: WebhookSettings = field(default_factory=WebhookSettings)


@dataclass(frozen=True, slots=True)
class Setting:
    """One value with its key (`limits.max_bytes`) and a readable origin."""

    key: str
    value: Scalar
    origin: str


@dataclass(frozen=True, slots=True)
class Configuration:
    """The effective settings, and the origin of each that is not a default."""

    settings: Settings
    origins: Mapping[str, str]

    def __iter__(self) -> Iterator[Setting]:
        """Yield every setting, in the order of the sections and their fields."""
        for key in _kinds(type(self.settings)):
            section, name = key.split(".")
            value = getattr(getattr(self.settings, section), name)
            yield Setting(key, value, self.origins.get(key, DEFAULT))


def load(
    environment: Mapping[str, str],
    directory: Path,
    file: Path | None = None,
    assignments: Iterable[str] = (),
    schema: type[Settings] = Settings,
) -> Configuration:
    """Collect the settings from a TOML file, the environment and assignments (`limits.max_bytes=1000`)."""
    kinds = _kinds(schema)
    values: dict[str, Setting] = {}
    path = _file(environment, directory, file)
    sources = (
        _from_file(path, kinds) if path else (),
        _from_environment(environment, kinds),
        _from_assignments(assignments, kinds),
    )
    for source in sources:
        values.update({setting.key: setting for setting in source})
    return Configuration(
        settings=_build(schema, values),
        origins={key: setting.origin for key, setting in values.items()},
    )


def variable(key: str) -> str:
    """Return the name of the environment variable that sets a key."""
    return PREFIX + key.replace(".", "_").upper()


def _kinds(schema: type[Settings]) -> dict[str, type[Scalar]]:
    return {
        f"{section}.{name}": kind
        for section, dataclass_ in get_type_hints(schema).items()
        for name, kind in get_type_hints(dataclass_).items()
    }


def _build(schema: type[Settings], values: Mapping[str, Setting]) -> Settings:
    sections: dict[str, Any] = {}
    for section, dataclass_ in get_type_hints(schema).items():
        names = [entry.name for entry in fields(dataclass_)]
        given = {name: values[f"{section}.{name}"].value for name in names if f"{section}.{name}" in values}
        try:
            sections[section] = dataclass_(**given)
        except ConfigError as error:
            raise ConfigError(f"in section {section}: {error}") from error
    return schema(**sections)


def _file(environment: Mapping[str, str], directory: Path, named: Path | None) -> Path | None:
    if named is not None:
        return directory / named
    if environment.get(FILE_VARIABLE):
        return directory / environment[FILE_VARIABLE]
    candidates = [directory / "broadsheet.toml"]
    # The XDG specification requires relative values to be ignored.
    home = Path(environment.get("XDG_CONFIG_HOME", ""))
    if not home.is_absolute() and environment.get("HOME"):
        home = Path(environment["HOME"], ".config")
    if home.is_absolute():
        candidates.append(home / "broadsheet" / "config.toml")
    return next((candidate for candidate in candidates if candidate.exists()), None)


def _from_file(path: Path, kinds: Mapping[str, type[Scalar]]) -> Iterator[Setting]:
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot read the configuration file {path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not valid TOML: {error}") from error
    sections = _sections(kinds)
    for section, table in content.items():
        if section not in sections:
            raise ConfigError(f"{path}: unknown section [{section}]{_suggestion(section, sections)}")
        if not isinstance(table, dict):
            raise ConfigError(f"{path}: {section} must be a table, [{section}]")
        for name, value in table.items():
            key = _known(f"{section}.{name}", kinds, str(path))
            if not _fits(value, kinds[key]):
                raise ConfigError(f"{path}: {key} must be {_KINDS[kinds[key]]}, not {value!r}")
            yield Setting(key, kinds[key](value), str(path))


def _from_environment(environment: Mapping[str, str], kinds: Mapping[str, type[Scalar]]) -> Iterator[Setting]:
    keys = {variable(key): key for key in kinds}
    for name in sorted(environment):
        if not name.startswith(PREFIX) or name == FILE_VARIABLE:
            continue
        if name not in keys:
            prefixes = (PREFIX, *(variable(section) + "_" for section in _sections(kinds)))
            suggestion = _suggestion(name, [FILE_VARIABLE, *keys], prefixes)
            raise ConfigError(f"unknown environment variable {name}{suggestion}")
        yield Setting(keys[name], _convert(environment[name], kinds[keys[name]], name), f"environment {name}")


def _from_assignments(assignments: Iterable[str], kinds: Mapping[str, type[Scalar]]) -> Iterator[Setting]:
    for assignment in assignments:
        key, equals, text = assignment.partition("=")
        if not equals:
            raise ConfigError(f"--set {assignment}: write it as KEY=VALUE, for example limits.max_bytes=1000")
        key = _known(key.strip(), kinds, "--set")
        yield Setting(key, _convert(text.strip(), kinds[key], f"--set {key}"), "--set")


def _known(key: str, kinds: Mapping[str, type[Scalar]], origin: str) -> str:
    if key not in kinds:
        prefixes = [f"{section}." for section in _sections(kinds)]
        raise ConfigError(f"{origin}: unknown key {key}{_suggestion(key, kinds, prefixes)}")
    return key


def _sections(kinds: Iterable[str]) -> list[str]:
    return sorted({key.split(".")[0] for key in kinds})


def _suggestion(name: str, known: Iterable[str], prefixes: Iterable[str] = ()) -> str:
    # The prefix that a section's names share would make any two of them look similar.
    shared = max((prefix for prefix in prefixes if name.startswith(prefix)), key=len, default="")
    rests = [entry.removeprefix(shared) for entry in known if entry.startswith(shared)]
    listed = "`broadsheet config show` lists all settings"
    meant = suggestion(name.removeprefix(shared), rests, listed, similarity=_NEAR, written=lambda near: shared + near)
    return f"; {meant}"


def _fits(value: object, kind: type[Scalar]) -> bool:
    # True is an int in Python, but not to whoever wrote the file.
    if isinstance(value, bool):
        return kind is bool
    return isinstance(value, (int, float) if kind is float else kind)


def _convert(text: str, kind: type[Scalar], origin: str) -> Scalar:
    try:
        return _TRUTHS[text.lower()] if kind is bool else kind(text)
    except (ValueError, KeyError) as error:
        raise ConfigError(f"{origin} must be {_KINDS[kind]}, not {text!r}") from error
