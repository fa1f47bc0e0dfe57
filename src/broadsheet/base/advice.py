"""What can be done about a page that fails, in the words of the command line or of a Python program."""

import shlex
from collections.abc import Callable

from broadsheet.base.domains import registrable_domain
from broadsheet.base.reasons import Reason


def to_type(reason: Reason, url: str) -> str:
    """Return advice for a person at the command line; empty where there is none."""
    return _advice(reason, url, lambda setting, value: f"--set {setting}={shlex.quote(value)}")


def to_program(reason: Reason, url: str) -> str:
    """Return advice for a Python program that fetches; empty where there is none."""

    def change(setting: str, value: str) -> str:
        name = setting.partition(".")[2]
        return f"manners=broadsheet.Manners({name}={_literal(value)})"

    return _advice(reason, url, change)


def _advice(reason: Reason, url: str, change: Callable[[str, str], str]) -> str:
    if not reason.setting:
        return reason.advice
    value = registrable_domain(url) if reason.value == "{site}" else reason.value
    return reason.advice.replace("{change}", change(reason.setting, value))


def _literal(value: str) -> str:
    """Return a value of a setting as Python writes it."""
    if value in {"true", "false"}:
        return value.capitalize()
    return value if value.isdecimal() else repr(value)
