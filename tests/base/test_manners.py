import pytest

from broadsheet.base.errors import ConfigError
from broadsheet.base.manners import Manners


def test_a_crawler_is_polite_by_default() -> None:
    manners = Manners()

    assert manners.robots
    assert manners.delay >= 1
    assert manners.per_host == 1
    assert manners.networks() == ()


def test_networks_are_separated_by_commas() -> None:
    assert Manners(allow_networks=" 127.0.0.0/8, ::1 ,").networks() == ("127.0.0.0/8", "::1")


@pytest.mark.parametrize(
    ("setting", "complaint"),
    [
        ({"per_host": 0}, "per_host must be at least 1"),
        ({"max_bytes": 0}, "max_bytes must be at least 1"),
        ({"delay": -1.0}, "delay must not be negative"),
        ({"delay": float("nan")}, "delay must not be negative"),
        ({"timeout": 0.0}, "timeout must be more than 0"),
        ({"contact": "a\nHost: b"}, "contact must be one line"),
        ({"allow_networks": "nowhere"}, "'nowhere' is not a network"),
    ],
)
def test_invalid_values_are_refused(setting: dict[str, float | str], complaint: str) -> None:
    with pytest.raises(ConfigError, match=complaint):
        Manners(**setting)  # type: ignore[arg-type]
