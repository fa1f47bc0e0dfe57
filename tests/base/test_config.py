from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

import pytest

from broadsheet.base.config import Configuration, Setting, Settings, load, variable
from broadsheet.base.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Sample:
    """A section with every kind of value."""

    on: bool = False
    share: float = 0.5
    name: str = "news"


@dataclass(frozen=True, slots=True)
class Extended(Settings):
    """All that a new section needs: one field."""

    sample: Sample = field(default_factory=Sample)


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def setting(configuration: Configuration, key: str) -> Setting:
    return next(setting for setting in configuration if setting.key == key)


def test_without_any_source_all_values_are_defaults(tmp_path: Path) -> None:
    configuration = load({}, tmp_path)

    assert configuration.settings == Settings()
    assert {setting.origin for setting in configuration} == {"default"}


def test_all_settings_are_listed_in_order(tmp_path: Path) -> None:
    keys = [setting.key for setting in load({}, tmp_path)]

    assert keys[0] == "limits.max_bytes"
    assert len(keys) == len(set(keys))
    assert [section for section, _ in groupby(key.split(".")[0] for key in keys)] == [
        "limits",
        "crawl",
        "source",
        "newsroom",
        "webhook",
    ]


def test_flags_win_over_environment_over_file_over_defaults(tmp_path: Path) -> None:
    write(tmp_path / "broadsheet.toml", "[limits]\nmax_bytes = 1\nmax_nodes = 1\nmax_depth = 1\n")
    environment = {"BROADSHEET_LIMITS_MAX_BYTES": "2", "BROADSHEET_LIMITS_MAX_NODES": "2"}

    configuration = load(environment, tmp_path, assignments=["limits.max_bytes=3"])

    limits = configuration.settings.limits
    assert (limits.max_bytes, limits.max_nodes, limits.max_depth, limits.max_attributes) == (3, 2, 1, 2_000)


def test_the_origin_of_each_value_is_kept(tmp_path: Path) -> None:
    file = write(tmp_path / "broadsheet.toml", "[limits]\nmax_depth = 1\n")
    environment = {"BROADSHEET_LIMITS_MAX_NODES": "2"}

    configuration = load(environment, tmp_path, assignments=["limits.max_bytes=3"])

    assert setting(configuration, "limits.max_bytes").origin == "--set"
    assert setting(configuration, "limits.max_nodes").origin == "environment BROADSHEET_LIMITS_MAX_NODES"
    assert setting(configuration, "limits.max_depth").origin == str(file)
    assert setting(configuration, "limits.max_attributes").origin == "default"


def test_the_last_of_two_flags_wins(tmp_path: Path) -> None:
    configuration = load({}, tmp_path, assignments=["limits.max_bytes=3", "limits.max_bytes = 4_000"])

    assert configuration.settings.limits.max_bytes == 4000


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"BROADSHEET_CONFIG": "named.toml", "XDG_CONFIG_HOME": "{}/xdg", "HOME": "{}/home"}, 1),
        ({"XDG_CONFIG_HOME": "{}/xdg", "HOME": "{}/home"}, 2),
        ({"XDG_CONFIG_HOME": "not/absolute", "HOME": "{}/home"}, 3),
        ({"BROADSHEET_CONFIG": "", "HOME": "{}/home"}, 3),
        ({}, 20_000_000),
    ],
)
def test_the_file_is_searched_for_in_order(tmp_path: Path, environment: dict[str, str], expected: int) -> None:
    write(tmp_path / "work" / "named.toml", "limits.max_bytes = 1")
    write(tmp_path / "xdg" / "broadsheet" / "config.toml", "limits.max_bytes = 2")
    write(tmp_path / "home" / ".config" / "broadsheet" / "config.toml", "limits.max_bytes = 3")
    filled = {name: value.replace("{}", str(tmp_path)) for name, value in environment.items()}

    configuration = load(filled, tmp_path / "work")

    assert configuration.settings.limits.max_bytes == expected


def test_the_file_of_the_working_directory_takes_precedence_over_the_users(tmp_path: Path) -> None:
    write(tmp_path / "broadsheet.toml", "limits.max_bytes = 1")
    write(tmp_path / "home" / ".config" / "broadsheet" / "config.toml", "limits.max_bytes = 3")

    configuration = load({"HOME": str(tmp_path / "home")}, tmp_path)

    assert configuration.settings.limits.max_bytes == 1


def test_a_given_file_takes_precedence_over_all_others(tmp_path: Path) -> None:
    write(tmp_path / "broadsheet.toml", "limits.max_bytes = 1")
    named = write(tmp_path / "named.toml", "limits.max_bytes = 2")

    configuration = load({"BROADSHEET_CONFIG": "broadsheet.toml"}, tmp_path, file=named)

    assert configuration.settings.limits.max_bytes == 2


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        ("[limits]\nmax_byte = 1", r"unknown key limits\.max_byte; did you mean limits\.max_bytes\?"),
        ("[limits]\nfoo = 1", r"unknown key limits\.foo; `broadsheet config show` lists"),
        ("[limits]\nmax_foo = 1", r"unknown key limits\.max_foo; `broadsheet config show` lists"),
        ("[limit]\nmax_bytes = 1", r"unknown section \[limit\]; did you mean limits?"),
        ("[zebra]", r"unknown section \[zebra\]; `broadsheet config show` lists"),
        ("limits = 3", r"limits must be a table, \[limits\]"),
        ("[limits]\nmax_bytes = '1'", "limits.max_bytes must be a whole number, not '1'"),
        ("[limits]\nmax_bytes = 1.5", "limits.max_bytes must be a whole number, not 1.5"),
        ("[limits]\nmax_bytes = true", "limits.max_bytes must be a whole number, not True"),
        ("[limits]\nmax_bytes = 0", "in section limits: max_bytes must be at least 1, not 0"),
        ("[limits", "broadsheet.toml is not valid TOML"),
    ],
)
def test_an_invalid_file_is_refused_in_one_line(tmp_path: Path, toml: str, message: str) -> None:
    write(tmp_path / "broadsheet.toml", toml)

    with pytest.raises(ConfigError, match=message) as caught:
        load({}, tmp_path)

    assert "\n" not in str(caught.value)


def test_a_binary_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "broadsheet.toml").write_bytes(b"\xff\xfe")

    with pytest.raises(ConfigError, match="not valid TOML"):
        load({}, tmp_path)


def test_a_given_file_must_exist(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot read the configuration .*nowhere\.toml: No such file"):
        load({}, tmp_path, file=Path("nowhere.toml"))


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        (
            "BROADSHEET_LIMITS_MAX_BYTE",
            "1",
            r"unknown environment variable .* did you mean BROADSHEET_LIMITS_MAX_BYTES\?",
        ),
        ("BROADSHEET_LIMIT_MAX_BYTES", "1", r"did you mean BROADSHEET_LIMITS_MAX_BYTES\?"),
        ("BROADSHEET_CONFG", "1", r"did you mean BROADSHEET_CONFIG\?"),
        ("BROADSHEET_FOO", "1", "BROADSHEET_FOO; `broadsheet config show` lists"),
        ("BROADSHEET_LIMITS_FOO", "1", "BROADSHEET_LIMITS_FOO; `broadsheet config show` lists"),
        (
            "BROADSHEET_LIMITS_MAX_BYTES",
            "many",
            "BROADSHEET_LIMITS_MAX_BYTES must be a whole number, not 'many'",
        ),
        ("BROADSHEET_LIMITS_MAX_BYTES", "", "BROADSHEET_LIMITS_MAX_BYTES must be a whole number, not ''"),
    ],
)
def test_an_invalid_variable_is_refused(tmp_path: Path, name: str, value: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        load({name: value}, tmp_path)


def test_variables_of_other_programs_are_ignored(tmp_path: Path) -> None:
    assert load({"BROADSHEETS": "1", "PATH": "/bin"}, tmp_path).settings == Settings()


@pytest.mark.parametrize(
    ("assignment", "message"),
    [
        ("limits.max_bytes", "write it as KEY=VALUE"),
        ("limits.max_byte=1", r"--set: unknown key limits\.max_byte; did you mean limits\.max_bytes\?"),
        ("max_nodes=1", r"did you mean limits\.max_nodes\?"),
        ("limit.max_bytes=1", r"did you mean limits\.max_bytes\?"),
        ("limits.foo=1", "unknown key limits.foo; `broadsheet config show` lists"),
        ("limits.max_bytes=1e6", "--set limits.max_bytes must be a whole number, not '1e6'"),
    ],
)
def test_an_invalid_flag_is_refused(tmp_path: Path, assignment: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        load({}, tmp_path, assignments=[assignment])


def test_a_new_section_needs_only_a_dataclass(tmp_path: Path) -> None:
    write(tmp_path / "broadsheet.toml", "[sample]\nshare = 1\nname = 'x'\n")

    configuration = load({"BROADSHEET_SAMPLE_ON": "Yes"}, tmp_path, schema=Extended)

    assert isinstance(configuration.settings, Extended)
    assert configuration.settings.sample == Sample(on=True, share=1.0, name="x")
    assert setting(configuration, "sample.on") == Setting(
        "sample.on", value=True, origin="environment BROADSHEET_SAMPLE_ON"
    )


@pytest.mark.parametrize(("key", "text"), [("sample.on", "perhaps"), ("sample.share", "half")])
def test_every_kind_of_value_is_checked(tmp_path: Path, key: str, text: str) -> None:
    with pytest.raises(ConfigError, match=f"{variable(key)} must be"):
        load({variable(key): text}, tmp_path, schema=Extended)
