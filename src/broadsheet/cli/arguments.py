"""Argument types for `argparse` that several commands share."""

from argparse import ArgumentTypeError

import webencodings

from broadsheet.base import urls


def encoding(label: str) -> str:
    """Validate the name of an encoding that browsers support."""
    if webencodings.lookup(label) is None:
        raise ArgumentTypeError(f"{label!r} is not an encoding that browsers support (utf-8, shift_jis, …)")
    return label


def url(text: str) -> str:
    """Return an http or https address, normalised for fetching."""
    resolved = urls.resolve(text, None)
    if resolved is None:
        raise ArgumentTypeError(f"{text!r} is not an http or https address")
    return resolved


def positive(text: str) -> int:
    """Parse a whole number above 0."""
    if not text.isascii() or not text.isdigit() or not int(text):
        raise ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return int(text)


def natural(text: str) -> int:
    """Parse a whole number, 0 or above."""
    if not text.isascii() or not text.isdigit():
        raise ArgumentTypeError(f"{text!r} is not a whole number, 0 or above")
    return int(text)


def seed(text: str) -> int:
    """Parse a seed: any whole number."""
    try:
        return int(text)
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is not a whole number") from None


def quantity(text: str) -> float:
    """Parse a number above 0."""
    return _between(text, 1e9, "above 0")


def share(text: str) -> float:
    """Parse a number between 0 and 1."""
    return _between(text, 1.0, "between 0 and 1")


def _between(text: str, limit: float, wanted: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < limit:
        raise ArgumentTypeError(f"{text!r} is not a number {wanted}")
    return number
