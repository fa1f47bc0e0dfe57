"""Errors of labelled pages."""

from broadsheet.base.errors import InputError


class Unusable(InputError):
    """A labelled page cannot be used for evaluation; the message is counted as the reason."""
