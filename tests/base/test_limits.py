from dataclasses import FrozenInstanceError, fields

import pytest

from broadsheet.base.errors import ConfigError
from broadsheet.base.limits import Limits


def test_the_defaults_are_valid() -> None:
    assert Limits().max_bytes == 20_000_000


@pytest.mark.parametrize("name", [field.name for field in fields(Limits)])
@pytest.mark.parametrize("value", [0, -1])
def test_a_limit_below_1_is_refused(name: str, value: int) -> None:
    with pytest.raises(ConfigError, match=f"{name} must be at least 1, not {value}"):
        Limits(**{name: value})


@pytest.mark.parametrize("name", [field.name for field in fields(Limits)])
def test_every_limit_is_documented(name: str) -> None:
    assert f"`{name}`" in (Limits.__doc__ or "")


def test_limits_are_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        Limits().max_bytes = 1  # type: ignore[misc]
