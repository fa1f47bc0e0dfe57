"""The settings of one source are checked, and survive being stored."""

import pytest

from broadsheet.base.errors import ConfigError
from broadsheet.base.source_settings import DEFAULT_SETTINGS, SourceSettings

FULL = SourceSettings(
    editions=("https://news.example/uk",),
    feeds=("https://news.example/rss",),
    language="en",
    tags=("uk", "daily"),
    requests_per_hour=100,
    bytes_per_hour=1_000_000,
    render="never",
    verify_tls=False,
)


@pytest.mark.parametrize("settings", [DEFAULT_SETTINGS, FULL, SourceSettings(tags=("a",))])
def test_settings_survive_being_stored(settings: SourceSettings) -> None:
    assert SourceSettings.from_values(settings.to_values()) == settings


def test_only_what_differs_from_the_defaults_is_stored() -> None:
    assert DEFAULT_SETTINGS.to_values() == {}
    assert SourceSettings(tags=("a",), render="always").to_values() == {"tags": ["a"], "render": "always"}


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"tag": ["a"]}, r"unknown setting 'tag' of a source; did you mean 'tags'\?"),
        ({"xyzzy": 1}, "unknown setting 'xyzzy' of a source; known are editions, feeds"),
        ({"tags": "a"}, "tags must be a list of texts, not 'a'"),
        ({"feeds": [""]}, "feeds must be a list of texts"),
        ({"language": 3}, "language must be a code such as 'en', not 3"),
        ({"requests_per_hour": 0}, "requests_per_hour must be a whole number of at least 1, not 0"),
        ({"bytes_per_hour": True}, "bytes_per_hour must be a whole number of at least 1, not True"),
        ({"render": "often"}, "render must be one of never, auto, always, not 'often'"),
        ({"verify_tls": "no"}, "verify_tls must be true or false, not 'no'"),
    ],
)
def test_a_setting_that_makes_no_sense_is_refused(values: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        SourceSettings.from_values(values)
