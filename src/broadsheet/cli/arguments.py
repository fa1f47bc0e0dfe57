"""Kinds of arguments that several commands take, for `argparse`."""

from argparse import ArgumentTypeError

import webencodings

from broadsheet.base import urls


def encoding(label: str) -> str:
    """Take the name of an encoding that browsers know."""
    if webencodings.lookup(label) is None:
        raise ArgumentTypeError(f"{label!r} is not an encoding of the web (utf-8, windows-1252, shift_jis, …)")
    return label


def url(text: str) -> str:
    """Take an http or https address, in the form to fetch."""
    found = urls.resolve(text, None)
    if found is None:
        raise ArgumentTypeError(f"{text!r} is not an http or https address")
    return found


def positive(text: str) -> int:
    """Take a whole number above 0."""
    if not text.isascii() or not text.isdigit() or not int(text):
        raise ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return int(text)
