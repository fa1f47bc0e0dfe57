"""The error raised for unusable models."""

from broadsheet.base.errors import InputError


class ModelError(InputError):
    """A model file cannot be used: it is missing, damaged, or its arrays do not fit together."""
