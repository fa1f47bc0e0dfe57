"""What can be wrong with a labelled page."""

from broadsheet.base.errors import InputError


class Unusable(InputError):
    """A page cannot be judged by; its text is the reason that is counted."""
