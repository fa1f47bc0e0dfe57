"""Advice on what to do about a page that fails, phrased for the command line or for a Python program."""

import shlex
from collections.abc import Callable

from broadsheet.base.domains import registrable_domain
from broadsheet.base.reasons import Reason


def to_type(reason: Reason, url: str) -> str:
    """Return advice for the command line, empty if there is none."""
    return _advice(reason, url, lambda setting, value: f"--set {setting}={shlex.quote(value)}")


def to_program(reason: Reason, url: str) -> str:
    """Return advice for a Python program, empty if there is none."""

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
    """Return the value of a setting as a Python literal."""
    if value in {"true", "false"}:
        return value.capitalize()
    return value if value.isdecimal() else repr(value)
